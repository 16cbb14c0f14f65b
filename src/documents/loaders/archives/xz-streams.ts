/**
 * Where the streams of an .xz file lie: what unpacks them reads only the first, and files may be joined by being written one after another.
 * Each ends with a list of its blocks, by whose sizes its beginning is found. Format: The .xz File Format 1.2.1, 2.1 and 4.
 */

const HEADER_BYTES = 12;
const FOOTER_BYTES = 12;
const FOOTER_MAGIC = 0x5a59;
/** Files of one stream have one; those made in parts have few. */
const MOST_STREAMS = 10_000;
const NUMBER_BYTES = 9;

/** The streams in order. Throws where the file is cut off or damaged. */
export function xzStreams(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const streams: Uint8Array[] = [];
  let end = bytes.length;
  while (end > 0) {
    while (end >= 4 && view.getUint32(end - 4, true) === 0) end -= 4;
    if (end < HEADER_BYTES + FOOTER_BYTES || view.getUint16(end - 2, true) !== FOOTER_MAGIC) throw damaged();
    const indexEnd = end - FOOTER_BYTES;
    const index = indexEnd - (view.getUint32(end - 8, true) + 1) * 4;
    if (index < HEADER_BYTES) throw damaged();
    const start = index - blockBytes(bytes.subarray(index, indexEnd)) - HEADER_BYTES;
    if (start < 0 || streams.length >= MOST_STREAMS) throw damaged();
    streams.push(bytes.subarray(start, end));
    end = start;
  }
  return streams.reverse();
}

/** What all blocks of a stream take together. */
function blockBytes(index: Uint8Array): number {
  const numbers = new Numbers(index.subarray(1));
  let total = 0;
  for (let count = numbers.next(); count > 0; count -= 1) {
    total += Math.ceil(numbers.next() / 4) * 4;
    // What comes out of it.
    numbers.next();
  }
  return total;
}

/** Numbers of seven bits a byte, the lowest first. */
class Numbers {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    let number = 0;
    for (let index = 0; index < NUMBER_BYTES; index += 1) {
      const byte = this.bytes[this.at];
      if (byte === undefined) break;
      this.at += 1;
      number += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return number;
    }
    throw damaged();
  }
}

function damaged(): Error {
  return new Error("the streams of the file are cut off or damaged");
}
