/** Subtitles of recordings, SubRip and WebVTT: what is said, in paragraphs that know from when to when they are said. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { SubtitleEntry } from "../../types.ts";
import { cuesOf, TIMING } from "./cues.ts";
import { SpokenParagraph } from "./spoken-paragraphs.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";

const srt = { mimeType: "application/x-subrip", extensions: ["srt"] };
const vtt = { mimeType: "text/vtt", extensions: ["vtt"] };

const SAMPLE_CHARACTERS = 4096;

export const srtLoader: Loader = { id: "srt", formats: [srt], recognise: recogniseSrt, load };
export const vttLoader: Loader = { id: "vtt", formats: [vtt], recognise: recogniseVtt, load };

function recogniseVtt({ decoded }: Content): Recognition | null {
  return decoded !== null && /^WEBVTT(?:\s|$)/.test(decoded.text) ? { certainty: "certain", format: vtt } : null;
}

function recogniseSrt(content: Content): Recognition | null {
  if (content.decoded === null || recogniseVtt(content) !== null) return null;
  const lines = content.decoded.text
    .slice(0, SAMPLE_CHARACTERS)
    .trimStart()
    .split(/\r\n?|\n/, 40);
  const [first = "", second = ""] = lines;
  if (TIMING.test(first) || (/^\d+\s*$/.test(first) && TIMING.test(second)))
    return { certainty: "certain", format: srt };
  const isNamed = namedFormat(srtLoader, content) !== undefined;
  return isNamed && lines.some((line) => TIMING.test(line)) ? { certainty: "possible", format: srt } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const { entries, language } = subtitlesIn(content);
  if (language !== null) blocks.describe({ language });
  addSpoken(entries, blocks);
  blocks.subtitles = entries;
}

/** The cues of a subtitle file, and the language that it says they are in. Throws UNREADABLE_FILE for too many. */
export function subtitlesIn(content: Content): { entries: SubtitleEntry[]; language: string | null } {
  const text = content.decoded?.text ?? "";
  const language = /^WEBVTT[^\n]*\n(?:[^\n]+\n){0,20}?Language:[ \t]*([\w-]{2,20})/.exec(text)?.[1] ?? null;
  const { maxCues } = content.limits;
  const entries: SubtitleEntry[] = [];
  for (const { startTime, endTime, lines } of cuesOf(text)) {
    if (entries.length >= maxCues) throw content.unreadable(`it has more than ${maxCues} cues`);
    entries.push({ id: entries.length + 1, startTime, endTime, text: lines.join("\n") });
  }
  return { entries, language };
}

/** Adds what is said as paragraphs that know from when to when. */
export function addSpoken(entries: readonly SubtitleEntry[], blocks: BlockCollector): void {
  const paragraph = new SpokenParagraph(blocks);
  for (const { startTime, endTime, text } of entries) paragraph.add({ startTime, endTime, lines: text.split("\n") });
  paragraph.end();
}
