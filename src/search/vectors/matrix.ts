/**
 * The vectors of one dataset, twice: as int8 for exact comparison, some perhaps still in SQLite alone, and as sign bits for sieves.
 *
 * Few rows are compared exactly. Of many, the first sign bits pick the promising, all of them the most promising, and only those are
 * compared exactly: a thirtieth of the memory is read. (Sign random projections without the projection: Charikar, "Similarity
 * estimation techniques from rounding algorithms", 2002. Of the nearest ten of 400,000 real sentences, 99.7 of 100 are left
 * after both; `bun run bench grow` measures it.)
 */
import { Best } from "../best.ts";
import type { Steps } from "../slices.ts";
import { Closest } from "./closest.ts";
import { quantiseToInt8 } from "../../foundation/quantise.ts";
import type { SavedVectors } from "./saved-vectors.ts";
import { Fellows } from "./sieve-together.ts";
import { SignBlocks } from "./sign-blocks.ts";
import { signTables, type SignTables } from "./sign-tables.ts";
import { firstSignBytesOf, signBytesOf, sketchBytesOf, writeSketch } from "./sketch.ts";
import type { RowInterval } from "./row-directory.ts";
import { BATCH_ROWS, RowMemory, type TakeBatch } from "./row-memory.ts";

/** The first sieve keeps this many, or this share of all rows where that is more. */
const FIRST_LEAST = 4096;
const FIRST_SHARE = 0.015;
/** It is told beforehand how near these are, so that few others are handed over, by so many rows at so many places. */
const SAMPLE_ROWS = 16;
const SAMPLES = 256;
/** The second keeps this many, or this share. */
const SECOND_LEAST = 512;
const SECOND_SHARE = 0.0015;

export interface ScoredRow {
  readonly row: number;
  /** Cosine of the int8 vectors: within about 0.001 of the exact one. */
  readonly score: number;
}

/** What is saved of a row is not of the vector that SQLite holds. */
export class DamagedVectors extends Error {
  constructor() {
    super("what is saved is not of the vectors that are stored");
  }
}

export class VectorMatrix {
  /** Rows behind the saved ones. */
  private readonly vectors: RowMemory;
  private saved: SavedVectors | null = null;
  /** Sign bits: the first, by which every row is sieved, and the others, where there are more. */
  private readonly firstSigns: SignBlocks;
  private readonly otherSigns: RowMemory | null;
  private readonly signBytes: number;
  /** Squared length of every row. */
  private squares = new Int32Array(1024);
  /** Rows from SQLite on their way to a comparison. */
  private scratch: RowMemory | null = null;

  /** `exactLimit`: rows up to which all are compared exactly. `fellows`: threads that may help with the others. */
  constructor(
    readonly dimensions: number,
    readonly exactLimit: number,
    readonly fellows: Fellows = new Fellows(),
  ) {
    this.vectors = new RowMemory(Math.ceil(dimensions / 128) * 128);
    this.signBytes = signBytesOf(dimensions);
    this.firstSigns = new SignBlocks(firstSignBytesOf(dimensions), fellows);
    const others = this.signBytes - this.firstSigns.rowBytes;
    this.otherSigns = others > 0 ? new RowMemory(others) : null;
  }

  /** Bytes of a row's int8 vector in memory. */
  get stride(): number {
    return this.vectors.stride;
  }

  get rows(): number {
    return this.firstSigns.rows;
  }

  /** Bytes of memory that the rows take. */
  get bytes(): number {
    const inMemory = this.vectors.rows + (this.saved?.resident.rows ?? 0);
    return inMemory * this.vectors.stride + this.rows * (this.signBytes + 4);
  }

  /** Begins with rows that are saved, whose sketches are added by `appendSketches` before anything else. */
  adopt(saved: SavedVectors): void {
    this.saved = saved;
  }

  /** Adds the sketches, one behind the other, of the next saved rows. They must begin at a multiple of four in their buffer. */
  appendSketches(sketches: Int8Array): void {
    const words = wordsOf(sketches);
    const rowWords = sketchBytesOf(this.dimensions) / 4;
    const first = this.rows;
    const rows = words.length / rowWords;
    this.growTo(first + rows);
    for (let row = 0; row < rows; row++) this.squares[first + row] = words[(row + 1) * rowWords - 1]!;
    this.appendSigns(words, rowWords);
  }

  /** Adds a row for each of these int8 vectors. */
  append(vectors: readonly Int8Array[]): void {
    const { stride } = this.vectors;
    for (let next = 0; next < vectors.length; ) {
      const rows = this.vectors.contiguous(vectors.length - next);
      const space = this.vectors.append(rows);
      for (let row = 0; row < rows; row++) space.set(vectors[next++]!, row * stride);
      this.derive(this.vectors.rows - rows, rows);
    }
  }

  /** Takes the next saved rows into memory, some milliseconds' worth. False when all are there. Throws DamagedVectors. */
  takeNext(): boolean {
    const { saved } = this;
    const taken = saved?.takeNext();
    if (!saved || !taken) return false;
    const squares = saved.resident.squares(taken.first, taken.isThere.length);
    for (let row = 0; row < squares.length; row++)
      if (taken.isThere[row] && squares[row] !== this.squares[taken.first + row]) throw new DamagedVectors();
    return true;
  }

  /** The query as rows are kept. */
  quantise(vector: Float32Array): Int8Array {
    const target = new Int8Array(this.vectors.stride);
    quantiseToInt8(vector, target);
    return target;
  }

  /**
   * The best `limit` rows of `intervals` that are not marked in `dead`, best first. Exact (as int8 vectors) up to
   * `exactLimit` rows, sieved by sign bits beyond. Yields every millisecond or so.
   */
  *nearest(query: Int8Array, intervals: readonly RowInterval[], dead: Uint8Array, limit: number): Steps<ScoredRow[]> {
    const rows = intervals.reduce((sum, { start, end }) => sum + end - start, 0);
    const promising = rows <= this.exactLimit ? intervals : yield* this.sieve(query, intervals, dead, rows, limit);
    const best = new Best(limit);
    yield* this.cosines(query, promising, dead, (row, cosine) => best.offer(row, cosine));
    return best.ranked();
  }

  /** The cosines of the query and the rows, in their order; NaN for one marked in `dead`. For a few hundred rows at most: it does not yield. */
  cosinesOf(query: Int8Array, rows: readonly number[], dead: Uint8Array): Float64Array {
    const found = new Map<number, number>();
    const steps = this.cosines(
      query,
      rows.map((row) => ({ start: row, end: row + 1 })),
      dead,
      (row, cosine) => found.set(row, cosine),
    );
    while (!steps.next().done);
    return Float64Array.from(rows, (row) => found.get(row) ?? NaN);
  }

  private *cosines(
    query: Int8Array,
    intervals: readonly RowInterval[],
    dead: Uint8Array,
    take: (row: number, cosine: number) => void,
  ): Steps<void> {
    const queryInverse = inverseLength(query.reduce((sum, value) => sum + value * value, 0));
    const { squares, saved } = this;
    const offer = (row: number, product: number): void =>
      take(row, product * inverseLength(squares[row]!) * queryInverse);
    const takeFrom =
      (offset: number): TakeBatch =>
      (list, products, count, base) => {
        for (let index = 0; index < count; index++) offer(offset + base + list[index]!, products[index]!);
      };
    // Those that are taken into memory meanwhile are still read.
    const [start, inMemory] = [saved?.rows ?? 0, saved?.resident.rows ?? 0];
    if (saved) {
      yield* saved.resident.dots(query, between(intervals, 0, inMemory), dead, takeFrom(0));
      const stored = between(intervals, inMemory, start);
      if (stored.length > 0) yield* this.dotsStored(saved, query, rowsOf(stored, inMemory, dead), offer);
    }
    const behind = between(intervals, start, this.rows);
    yield* this.vectors.dots(query, behind, dead.subarray(start), takeFrom(start));
  }

  /** Dot products with rows that lie in SQLite alone, each read and checked. Throws DamagedVectors. */
  private *dotsStored(
    saved: SavedVectors,
    query: Int8Array,
    rows: readonly number[],
    offer: (row: number, product: number) => void,
  ): Steps<void> {
    const most = Math.floor((4 * BATCH_ROWS) / this.signBytes);
    const scratch = (this.scratch ??= emptyRows(most, this.vectors.stride));
    const none = new Uint8Array(most);
    for (let from = 0; from < rows.length; from += most) {
      const batch: number[] = [];
      const asked = rows.slice(from, from + most);
      saved.read(asked, (at, vector) => {
        scratch.row(batch.length).set(vector);
        batch.push(asked[at]!);
      });
      const squares = scratch.squares(0, batch.length).slice();
      const signs = scratch.signs(0, batch.length, this.signBytes);
      batch.forEach((row, at) => this.check(row, signs.subarray(at * this.signBytes), squares[at]!));
      // Of one batch, which is over before anybody else is let in.
      for (const _ of scratch.dots(query, [{ start: 0, end: batch.length }], none, (list, products, count) => {
        for (let index = 0; index < count; index++) offer(batch[list[index]!]!, products[index]!);
      }));
      yield;
    }
  }

  /** Throws DamagedVectors unless the vector with these signs and this square is the row's. */
  private check(row: number, signs: Int8Array, square: number): void {
    const { firstSigns, otherSigns } = this;
    const others = otherSigns?.row(row);
    const same =
      square === this.squares[row] &&
      firstSigns.equals(row, signs) &&
      (!others || others.every((byte, at) => byte === signs[firstSigns.rowBytes + at]));
    if (!same) throw new DamagedVectors();
  }

  /** The rows of `intervals`, `count` of them, among which the nearest `limit` are. */
  private *sieve(
    query: Int8Array,
    intervals: readonly RowInterval[],
    dead: Uint8Array,
    count: number,
    limit: number,
  ): Steps<RowInterval[]> {
    const { firstSigns, otherSigns } = this;
    const second = Math.max(SECOND_LEAST, limit, Math.ceil(count * SECOND_SHARE));
    const first = otherSigns ? Math.max(FIRST_LEAST, second, Math.ceil(count * FIRST_SHARE)) : second;
    const tables = signTables(query, firstSigns.rowBytes);
    const { rows, distances } = yield* this.promising(tables, inOrder(intervals), dead, count, first);
    if (otherSigns === null || rows.length <= second) return inRowOrder(rows);
    const sketch = new Int8Array(sketchBytesOf(this.dimensions));
    writeSketch(query.subarray(0, this.dimensions), sketch);
    const others = yield* otherSigns.distances(sketch.subarray(firstSigns.rowBytes, this.signBytes), rows);
    const closest = new Closest(second, Math.ceil(tables.farthest / tables.perBit) + otherSigns.stride * 8);
    for (let at = 0; at < rows.length; at++)
      closest.offer(rows[at]!, Math.round(distances[at]! / tables.perBit) + others[at]!);
    return inRowOrder(closest.kept().rows);
  }

  /** The `wanted` rows or so of `count` that are least far from the query by their first sign bits, and how far. */
  private *promising(
    tables: SignTables,
    intervals: readonly RowInterval[],
    dead: Uint8Array,
    count: number,
    wanted: number,
  ): Steps<ReturnType<Closest["kept"]>> {
    if (count > 4 * Math.max(wanted, SAMPLES * SAMPLE_ROWS)) {
      const samples = samplesOf(intervals, Math.floor(count / SAMPLES));
      const sampled = samples.reduce((sum, { start, end }) => sum + end - start, 0);
      const sample = new Closest(Math.ceil((wanted / count) * sampled), tables.farthest);
      yield* this.firstSigns.sieve(tables, samples, dead, sample);
      const near = new Closest(wanted, Math.min(sample.limit, tables.farthest));
      yield* this.firstSigns.sieve(tables, intervals, dead, near);
      const kept = near.kept();
      // Where many rows are dead, or the sample was not like the rest, there may be too few.
      if (kept.rows.length >= wanted / 2) return kept;
    }
    const closest = new Closest(wanted, tables.farthest);
    yield* this.firstSigns.sieve(tables, intervals, dead, closest);
    return closest.kept();
  }

  /** Computes what belongs to rows of `vectors` that were just written: their squares and their sign bits. */
  private derive(first: number, count: number): void {
    const row = this.rows;
    this.growTo(row + count);
    this.squares.set(this.vectors.squares(first, count), row);
    const most = Math.floor((4 * BATCH_ROWS) / this.signBytes);
    for (let done = 0; done < count; done += most) {
      const rows = Math.min(most, count - done);
      const signs = this.vectors.signs(first + done, rows, this.signBytes);
      this.appendSigns(wordsOf(signs), this.signBytes / 4);
    }
  }

  /** Adds the sign bits with which rows of `rowWords` words begin. By words of four bytes: an array for each row takes five times as long. */
  private appendSigns(words: Int32Array, rowWords: number): void {
    const { firstSigns, otherSigns } = this;
    firstSigns.append(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), rowWords * 4);
    if (otherSigns === null) return;
    const [skipped, kept] = [firstSigns.rowBytes / 4, otherSigns.stride / 4];
    const rows = words.length / rowWords;
    for (let done = 0; done < rows; ) {
      const count = otherSigns.contiguous(rows - done);
      const others = wordsOf(otherSigns.append(count));
      for (let row = 0; row < count; row++) {
        const at = (done + row) * rowWords + skipped;
        for (let word = 0; word < kept; word++) others[row * kept + word] = words[at + word]!;
      }
      done += count;
    }
  }

  private growTo(rows: number): void {
    if (this.squares.length >= rows) return;
    const grown = new Int32Array(Math.max(rows, this.squares.length * 2));
    grown.set(this.squares);
    this.squares = grown;
  }
}

const wordsOf = (bytes: Int8Array): Int32Array => new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);

/** What lies from `low` up to, not including, `high`, counted from `low`. */
function between(intervals: readonly RowInterval[], low: number, high: number): RowInterval[] {
  return intervals
    .map(({ start, end }) => ({ start: Math.max(start, low) - low, end: Math.min(end, high) - low }))
    .filter(({ start, end }) => start < end);
}

/** The intervals, those first whose rows come first. */
function inOrder(intervals: readonly RowInterval[]): readonly RowInterval[] {
  const isOrdered = intervals.every(({ start }, at) => at === 0 || intervals[at - 1]!.end <= start);
  return isOrdered ? intervals : intervals.toSorted((left, right) => left.start - right.start);
}

/** A few rows at every `step`th place in the intervals. */
function samplesOf(intervals: readonly RowInterval[], step: number): RowInterval[] {
  const samples: RowInterval[] = [];
  let next = 0;
  for (const { start, end } of intervals) {
    for (; start + next < end; next += step) {
      const at = Math.max(start, start + next - ((start + next) % SAMPLE_ROWS));
      samples.push({ start: at, end: Math.min(end, at + SAMPLE_ROWS) });
    }
    next -= end - start;
  }
  return samples;
}

/** The rows of intervals that are counted from `offset`, dead ones left out. */
function rowsOf(intervals: readonly RowInterval[], offset: number, dead: Uint8Array): number[] {
  return intervals.flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, at) => offset + start + at).filter((row) => dead[row] === 0),
  );
}

function emptyRows(count: number, stride: number): RowMemory {
  const memory = new RowMemory(stride);
  while (memory.rows < count) memory.append(memory.contiguous(count - memory.rows));
  return memory;
}

/** In row order the exact comparison reads memory forwards. */
const inRowOrder = (rows: Uint32Array): RowInterval[] =>
  Array.from(rows.sort(), (row) => ({ start: row, end: row + 1 }));

const inverseLength = (square: number): number => (square === 0 ? 0 : 1 / Math.sqrt(square));
