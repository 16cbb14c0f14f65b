/** Subtitles in MP4: timed text of 3GPP and QuickTime, and WebVTT. */
import type { TimedSample } from "./mp4-samples.ts";
import type { TextCue } from "./sound.ts";

const utf8 = new TextDecoder("utf-8");
const utf16 = new TextDecoder("utf-16be");

export function* mp4Cues(samples: Iterable<TimedSample>, kind: "tx3g" | "text" | "wvtt"): Generator<TextCue> {
  for (const { data, time, duration } of samples) {
    const text = kind === "wvtt" ? vttText(data) : plainText(data);
    const lines = linesOf(text);
    if (lines.length > 0) yield { startTime: time, endTime: time + duration, lines };
  }
}

/** Lines of a cue as they are read: without tags, blank ones left out. */
export function linesOf(text: string): string[] {
  return text
    .replace(/<[^>\n]{0,200}>|\{\\[^}\n]{0,200}\}/g, "")
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The length in two bytes, the text, then boxes for its looks. */
function plainText(data: Uint8Array): string {
  if (data.length < 2) return "";
  const length = (data[0]! << 8) | data[1]!;
  const bytes = data.subarray(2, 2 + length);
  return bytes[0] === 0xfe && bytes[1] === 0xff ? utf16.decode(bytes.subarray(2)) : utf8.decode(bytes);
}

/** Boxes `vttc`, a cue each, with the text in `payl`. */
function vttText(data: Uint8Array): string {
  const texts: string[] = [];
  const visit = (start: number, end: number): void => {
    for (let at = start; at + 8 <= end; ) {
      const length = new DataView(data.buffer, data.byteOffset + at, 4).getUint32(0);
      const type = String.fromCharCode(...data.subarray(at + 4, at + 8));
      if (length < 8 || at + length > end) return;
      if (type === "vttc") visit(at + 8, at + length);
      else if (type === "payl") texts.push(utf8.decode(data.subarray(at + 8, at + length)));
      at += length;
    }
  };
  visit(0, data.length);
  return texts.join("\n");
}
