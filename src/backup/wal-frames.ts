/**
 * The frames of a write-ahead log up to a mark, each checked.
 * Format: SQLite documentation, "WAL-mode File Format", section "The WAL File Format"; numbers are big endian, checksums run over words of
 * the order that the header names.
 */
import { readSync } from "node:fs";
import type { WalMark } from "./wal-index.ts";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const LITTLE_ENDIAN_SUMS = 0x377f0682;
const BIG_ENDIAN_SUMS = 0x377f0683;

/**
 * Where the last version of each page begins in the log, by the page's number. Throws where a frame is not one of the log that the mark was
 * taken of.
 */
export function framesUpTo(descriptor: number, mark: WalMark, pageBytes: number): Map<number, number> {
  const pages = new Map<number, number>();
  const header = Buffer.alloc(HEADER_BYTES);
  readFully(descriptor, header, 0);
  const magic = header.readUInt32BE(0);
  if (
    (magic !== LITTLE_ENDIAN_SUMS && magic !== BIG_ENDIAN_SUMS) ||
    header.readUInt32BE(8) !== pageBytes ||
    !header.subarray(16, 24).equals(mark.salt)
  )
    throw damaged();
  const sums = new RunningSums(magic === LITTLE_ENDIAN_SUMS);
  sums.add(header, 0, 24);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
  for (let index = 0; index < mark.frames; index++) {
    const start = HEADER_BYTES + index * frame.length;
    readFully(descriptor, frame, start);
    sums.add(frame, 0, 8);
    sums.add(frame, FRAME_HEADER_BYTES, frame.length);
    if (!frame.subarray(8, 16).equals(mark.salt) || !sums.are(frame.readUInt32BE(16), frame.readUInt32BE(20)))
      throw damaged();
    pages.set(frame.readUInt32BE(0), start + FRAME_HEADER_BYTES);
  }
  if (!sums.are(mark.checksum.readUInt32LE(0), mark.checksum.readUInt32LE(4))) throw damaged();
  return pages;
}

class RunningSums {
  private first = 0;
  private second = 0;

  constructor(private readonly isLittleEndian: boolean) {}

  /** Of whole pairs of words. */
  add(bytes: Buffer, start: number, end: number): void {
    let [first, second] = [this.first, this.second];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = start; at < end; at += 8) {
      first = (first + view.getUint32(at, this.isLittleEndian) + second) >>> 0;
      second = (second + view.getUint32(at + 4, this.isLittleEndian) + first) >>> 0;
    }
    [this.first, this.second] = [first, second];
  }

  are(first: number, second: number): boolean {
    return this.first === first && this.second === second;
  }
}

function readFully(descriptor: number, target: Buffer, position: number): void {
  if (readSync(descriptor, target, 0, target.length, position) < target.length) throw damaged();
}

const damaged = (): Error => new Error("The write-ahead log of the database is not whole.");
