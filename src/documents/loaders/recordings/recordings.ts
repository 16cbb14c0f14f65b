/** Recordings of sound, with pictures or without: the subtitles that came with them or lie in them, or else what is said in them. */
import { containerOf } from "../../audio/containers.ts";
import { openRecording, type Recording } from "../../audio/recording.ts";
import { NO_SOUND } from "../../audio/mp4.ts";
import { RecordingFault } from "../../audio/sound.ts";
import type { BlockCollector } from "../../block-collector.ts";
import { Content } from "../../content.ts";
import { languageTag } from "../../language-tag.ts";
import type { SubtitleEntry } from "../../types.ts";
import type { Loader } from "../loader.ts";
import { addSpoken, subtitlesIn } from "../text/subtitles.ts";
import { audioFormats, recogniseRecording, videoFormats } from "./recording-formats.ts";

export const audioLoader: Loader = {
  id: "audio",
  formats: [...audioFormats],
  recognise: (content) => recogniseRecording(content, "audio"),
  load,
};

export const videoLoader: Loader = {
  id: "video",
  formats: [...videoFormats],
  recognise: (content) => recogniseRecording(content, "video"),
  load,
};

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  try {
    const container = containerOf(content.source);
    if (container === null) throw new RecordingFault("it is damaged or not what its type says");
    const recording = openRecording(content.source, container, content.recognition.speech.ffmpeg);
    const entries =
      (await givenSubtitles(content, blocks)) ??
      carriedSubtitles(recording, content, blocks) ??
      (await heard(recording, content, blocks));
    addSpoken(entries, blocks);
    blocks.subtitles = entries.length > 0 ? entries : null;
  } catch (error) {
    if (error instanceof RecordingFault) throw content.unreadable(error.message, error.cause);
    throw error;
  }
}

/** Those of the file that came with it; null where none did, or there are none in it. */
async function givenSubtitles(content: Content, blocks: BlockCollector): Promise<SubtitleEntry[] | null> {
  const { subtitles } = content.recognition;
  if (subtitles === null || content.depth > 0) return null;
  const bytes = await Bun.file(subtitles.path).bytes();
  const { entries, language } = subtitlesIn(await Content.of(bytes, subtitles.originalName, null, content.limits));
  if (entries.length === 0) return null;
  if (language !== null) blocks.describe({ language });
  return entries;
}

/** The subtitles that lie in the file, those of the expected language before others; null where there are none. */
function carriedSubtitles(recording: Recording, content: Content, blocks: BlockCollector): SubtitleEntry[] | null {
  const expected = content.recognition.expected.language;
  const rank = (language: string | null): number =>
    expected !== null && language !== null && primaryOf(language) === primaryOf(expected) ? 0 : 1;
  for (const { language, cues } of recording.texts.toSorted((a, b) => rank(a.language) - rank(b.language))) {
    const entries: SubtitleEntry[] = [];
    for (const { startTime, endTime, lines } of cues()) {
      if (entries.length >= content.limits.maxCues)
        throw content.unreadable(`it has more than ${content.limits.maxCues} cues`);
      entries.push({ id: entries.length + 1, startTime, endTime, text: lines.join("\n") });
    }
    if (entries.length === 0) continue;
    entries.sort((a, b) => a.startTime - b.startTime);
    for (const [index, entry] of entries.entries()) entry.id = index + 1;
    if (language !== null) blocks.describe({ language });
    return entries;
  }
  return null;
}

async function heard(recording: Recording, content: Content, blocks: BlockCollector): Promise<SubtitleEntry[]> {
  if (recording.sound === null) throw new RecordingFault(NO_SOUND);
  // Its models and their library are large, and most files are no recordings.
  const { recogniseSpeech } = await import("../../speech/recognise.ts");
  const { entries, language } = await recogniseSpeech(recording.sound, recording.seconds, content);
  if (language !== null) blocks.describe({ language });
  return entries;
}

/** "eng" and "en-GB" are both English. */
const primaryOf = (language: string): string => (languageTag(language) ?? language).split("-")[0]!.toLowerCase();
