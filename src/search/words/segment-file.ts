/**
 * A segment as bytes: a head of 24 (a word that says what it is, the numbers of rows, terms and postings, and an xxHash64 of all
 * that follows and of them), then its arrays one behind the other, each aligned. Numbers are little-endian. Pure.
 */
import type { SegmentParts } from "./segment.ts";

const MAGIC = 0x3153_584c;
const HEAD_BYTES = 24;

/** The arrays of a segment in the order in which they are saved. */
interface Layout {
  readonly bytes: number;
  readonly parts: SegmentParts;
}

function layOut(buffer: ArrayBuffer, rows: number, terms: number, postings: number): Layout {
  let at = HEAD_BYTES;
  const next = (count: number, size: number): [ArrayBuffer, number, number] => {
    const start = at;
    at += count * size;
    return [buffer, start, count];
  };
  const parts = {
    chunkIds: new Float64Array(...next(rows, 8)),
    lengths: new Uint32Array(...next(rows, 4)),
    terms: new Uint32Array(...next(terms, 4)),
    starts: new Uint32Array(...next(terms + 1, 4)),
    rows: new Uint16Array(...next(postings, 2)),
    counts: new Uint8Array(...next(postings, 1)),
  };
  return { bytes: at, parts };
}

const bytesOf = (rows: number, terms: number, postings: number): number =>
  HEAD_BYTES + 12 * rows + 8 * terms + 4 + 3 * postings;

function checksumOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return Bun.hash.xxHash64(bytes.subarray(HEAD_BYTES), Bun.hash.xxHash64(bytes.subarray(0, 16)));
}

export function encodeSegment(segment: SegmentParts): Uint8Array<ArrayBuffer> {
  const numbers = [segment.chunkIds.length, segment.terms.length, segment.rows.length] as const;
  const bytes = new Uint8Array(bytesOf(...numbers));
  new Uint32Array(bytes.buffer, 0, 4).set([MAGIC, ...numbers]);
  const { parts } = layOut(bytes.buffer, ...numbers);
  for (const name of Object.keys(parts) as (keyof SegmentParts)[]) parts[name].set(segment[name]);
  new BigUint64Array(bytes.buffer, 16, 1)[0] = checksumOf(bytes);
  return bytes;
}

/** The segment that was encoded; its arrays are parts of `bytes`, which must begin its buffer. Throws for everything that `encodeSegment` does not write. */
export function decodeSegment(bytes: Uint8Array<ArrayBuffer>): SegmentParts {
  if (bytes.length < HEAD_BYTES) refuse();
  const [magic, rows, terms, postings] = new Uint32Array(bytes.buffer, 0, 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  if (magic !== MAGIC || bytes.length !== bytesOf(rows, terms, postings)) refuse();
  if (new BigUint64Array(bytes.buffer, 16, 1)[0] !== checksumOf(bytes)) refuse();
  return layOut(bytes.buffer, rows, terms, postings).parts;
}

function refuse(): never {
  throw new Error("a saved part of a lexical index is damaged");
}
