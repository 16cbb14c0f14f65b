/** Subtitles of a file, as players take them: what is said in a recording, or in an uploaded subtitle file, with its times. Free. */
import { parse } from "node:path";
import type { Caller } from "../access/index.ts";
import type { SubtitleEntry } from "../documents/index.ts";
import { fail } from "../foundation/errors.ts";
import { letOthersIn } from "../foundation/let-others-in.ts";
import type { Engines } from "./engines.ts";
import { findAnyFile } from "./list.ts";

export const SUBTITLE_FORMATS = ["srt", "vtt"] as const;
export type SubtitleFormat = (typeof SUBTITLE_FORMATS)[number];

/** Entries written at one go: a millisecond or so. */
const ENTRIES_PER_PART = 1000;

export interface Subtitles {
  /** The file's own name with the format's ending. */
  readonly name: string;
  readonly parts: AsyncGenerator<string>;
}

/** SubRip where it is left out. Throws INVALID_REQUEST. */
export function readSubtitleFormat(text: string | null | undefined): SubtitleFormat {
  const format = SUBTITLE_FORMATS.find((known) => known === (text || "srt"));
  if (format !== undefined) return format;
  throw fail("INVALID_REQUEST", { reason: `format must be ${SUBTITLE_FORMATS.join(" or ")}.` });
}

/** Throws FILE_NOT_FOUND, DATASET_MISMATCH, and NO_SUBTITLES for a file that has none, or none yet. */
export function findSubtitles(
  engines: Pick<Engines, "store" | "uploadJobs">,
  caller: Caller,
  fileId: string,
  format: SubtitleFormat,
): Subtitles {
  const { originalName, transcriptionSrt, status } = findAnyFile(engines, caller, fileId);
  if (transcriptionSrt === null) {
    const reason =
      status === "processing"
        ? "it is still being read. Try again once it is ready."
        : status === "failed"
          ? "it could not be read."
          : "nothing in it is said at a time. Audio, video and subtitle files have some.";
    throw fail("NO_SUBTITLES", { file: originalName, reason }, { file: originalName });
  }
  return {
    name: `${parse(originalName).name}.${format}`,
    parts: write(JSON.parse(transcriptionSrt) as SubtitleEntry[], format),
  };
}

async function* write(entries: readonly SubtitleEntry[], format: SubtitleFormat): AsyncGenerator<string> {
  if (format === "vtt") yield "WEBVTT\n\n";
  for (let start = 0; start < entries.length; start += ENTRIES_PER_PART) {
    if (start > 0) await letOthersIn();
    yield entries
      .slice(start, start + ENTRIES_PER_PART)
      .map((entry, at) => (format === "vtt" ? vttCue(entry) : srtCue(entry, start + at + 1)))
      .join("");
  }
}

const srtCue = ({ startTime, endTime, text }: SubtitleEntry, number: number): string =>
  `${number}\n${clock(startTime, ",")} --> ${clock(endTime, ",")}\n${withoutBlankLines(text)}\n\n`;

const vttCue = ({ startTime, endTime, text }: SubtitleEntry): string =>
  `${clock(startTime, ".")} --> ${clock(endTime, ".")}\n${escaped(withoutBlankLines(text))}\n\n`;

/** A blank line would end the entry. */
const withoutBlankLines = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.trim() !== "")
    .join("\n");

/** WebVTT has markup; nothing that was said is any. */
const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Seconds as hh:mm:ss and thousandths. */
function clock(seconds: number, mark: "," | "."): string {
  const thousandths = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const [hours, minutes] = [two(thousandths / 3_600_000), two((thousandths / 60_000) % 60)];
  return `${hours}:${minutes}:${two((thousandths / 1000) % 60)}${mark}${String(thousandths % 1000).padStart(3, "0")}`;
}
