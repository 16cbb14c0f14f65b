/** Archives that are split over several files, of which each alone cannot be read: known by what they say of it, or by their names. */
import type { Content } from "../../content.ts";

const RAR = "Rar!\x1a\x07";
/** What begins the first part of a ZIP archive. */
const ZIP_PART = 0x08074b50;
const ZIP_END = Buffer.from("PK\x05\x06", "latin1");
const ZIP_END_BYTES = 22;
const MOST_COMMENT_BYTES = 0xffff;
/** Stands for a number that is elsewhere. */
const ELSEWHERE = 0xffff;
/** .7z.001, .z01, .r00, .part2.rar */
const PART_NAME = /\.(?:(?:7z|zip|rar|tar|t?gz|t?bz2|t?xz|zst)\.\d{3}|[zr]\d\d|part\d{1,5}\.rar)$/i;

/** Asked of what no loader reads otherwise, and of archives before they are read. */
export function isSplitArchive({ bytes, name }: Content): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isRarVolume(data) || isZipPart(data) || PART_NAME.test(name);
}

/** Whether an archive in RAR says that it is of several files. Formats: RAR 5.0's main header, and that of the versions before. */
function isRarVolume(data: Buffer): boolean {
  if (data.toString("latin1", 0, RAR.length) !== RAR) return false;
  if (data[6] === 0) return data.length > 11 && data[9] === 0x73 && (data.readUInt16LE(10) & 1) === 1;
  // Behind a checksum: sizes and kinds, in numbers of seven bits a byte.
  const numbers = sevenBitNumbers(data, 12);
  const [, kind, flags = 0] = numbers;
  const extra = (flags & 1) === 1 ? 1 : 0;
  return kind === 1 && ((numbers[3 + extra] ?? 0) & 1) === 1;
}

function sevenBitNumbers(data: Buffer, start: number): number[] {
  const numbers: number[] = [];
  let number = 0;
  let scale = 1;
  for (const byte of data.subarray(start, start + 32)) {
    number += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte >= 0x80) continue;
    numbers.push(number);
    [number, scale] = [0, 1];
  }
  return numbers;
}

/** The last part counts the others; the first begins with a mark, which archives that are whole after all may have too. */
function isZipPart(data: Buffer): boolean {
  const tail = data.subarray(Math.max(0, data.length - ZIP_END_BYTES - MOST_COMMENT_BYTES));
  const end = tail.lastIndexOf(ZIP_END);
  if (end < 0 || end + ZIP_END_BYTES > tail.length) return data.length >= 4 && data.readUInt32LE(0) === ZIP_PART;
  const disk = tail.readUInt16LE(end + 4);
  return disk !== 0 && disk !== ELSEWHERE;
}
