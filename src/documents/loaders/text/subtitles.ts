/** Subtitles of recordings, SubRip and WebVTT: what is said, in paragraphs that know from when to when they are said. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { SubtitleEntry } from "../../types.ts";
import { cuesOf, TIMING } from "./cues.ts";
import type { Cue } from "./cues.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";

const srt = { mimeType: "application/x-subrip", extensions: ["srt"] };
const vtt = { mimeType: "text/vtt", extensions: ["vtt"] };

const SAMPLE_CHARACTERS = 4096;
/** Seconds of silence that end a paragraph. */
const PAUSE = 3;
/** A paragraph that is this many seconds long ends with the next sentence, and one of twice as many at the next cue. */
const LONG_PARAGRAPH = 30;
const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/;
/** A line on which somebody else begins to speak. */
const NEW_SPEAKER = /^(?:[-–—]|\S[^:]{0,40}: |>>|♪)/;

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
  const text = content.decoded?.text ?? "";
  const language = /^WEBVTT[^\n]*\n(?:[^\n]+\n){0,20}?Language:[ \t]*([\w-]{2,20})/.exec(text)?.[1];
  if (language !== undefined) blocks.describe({ language });
  const { maxCues } = content.limits;
  const entries: SubtitleEntry[] = [];
  const paragraph = new Paragraph(blocks);
  for (const cue of cuesOf(text)) {
    const { startTime, endTime, lines } = cue;
    if (entries.length >= maxCues) throw content.unreadable(`it has more than ${maxCues} cues`);
    entries.push({ id: entries.length + 1, startTime, endTime, text: lines.join("\n") });
    paragraph.add(cue);
  }
  paragraph.end();
  blocks.subtitles = entries;
}

/** Cues that are read in one breath. */
class Paragraph {
  /** What is said, with what parts it from what was said before. */
  private pieces: string[] = [];
  private startTime = 0;
  private endTime = 0;

  constructor(private readonly blocks: BlockCollector) {}

  add({ startTime, endTime, lines }: Cue): void {
    if (this.pieces.length > 0 && this.isOver(startTime)) this.end();
    if (this.pieces.length === 0) {
      this.startTime = startTime;
      this.endTime = endTime;
    }
    for (const line of lines) {
      const separator = NEW_SPEAKER.test(line) ? "\n" : " ";
      this.pieces.push(this.pieces.length === 0 ? line : separator + line);
    }
    this.endTime = Math.max(this.endTime, endTime);
  }

  end(): void {
    this.blocks.at({ startTime: this.startTime, endTime: this.endTime });
    this.blocks.add("paragraph", this.pieces.join(""));
    this.pieces = [];
  }

  private isOver(nextStart: number): boolean {
    const length = nextStart - this.startTime;
    // A cue that begins earlier than those before it belongs elsewhere.
    if (nextStart < this.startTime || nextStart - this.endTime >= PAUSE || length >= LONG_PARAGRAPH * 2) return true;
    return length >= LONG_PARAGRAPH && SENTENCE_END.test(this.pieces.at(-1) ?? "");
  }
}
