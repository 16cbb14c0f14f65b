/** Whether a PDF gives texts of its own to what its structure holds: to look each page's structure up takes time that most need not take. */
import { inflateSync } from "node:zlib";

const NAME = "/ActualText";
/** Objects that are packed together, among them those of the structure. */
const PACKED = "/ObjStm";
const BEGINS = /stream\r?\n/y;
const STREAM = "stream";
const END = "endstream";
/** From the name of what a stream holds to its beginning. */
const LONGEST_DICTIONARY = 1024;
/** Bytes that are unpacked to look. A larger document is taken for one that does. */
const MOST_UNPACKED = 64 * 1024 * 1024;

/** True also where it cannot be told. */
export function mayGiveTexts(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.includes(NAME)) return true;
  let left = MOST_UNPACKED;
  for (let at = bytes.indexOf(PACKED); at >= 0; at = bytes.indexOf(PACKED, at + PACKED.length)) {
    const stream = bytes.indexOf(STREAM, at);
    if (stream < 0 || stream - at > LONGEST_DICTIONARY) continue;
    BEGINS.lastIndex = 0;
    const start = stream + (BEGINS.exec(bytes.toString("latin1", stream, stream + STREAM.length + 2))?.[0].length ?? 0);
    const end = bytes.indexOf(END, start);
    if (left <= 0) return true;
    try {
      const unpacked = inflateSync(bytes.subarray(start, end < 0 ? undefined : end), { maxOutputLength: left });
      if (unpacked.includes(NAME)) return true;
      left -= unpacked.length;
    } catch {
      return true;
    }
  }
  return false;
}
