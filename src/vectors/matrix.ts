/**
 * The vectors of one dataset in memory, twice: as int8 for exact comparison and as sign bits for sieves.
 *
 * Few rows are compared exactly. Of many, the Hamming distance of the first sign bits picks the promising, that of all of them
 * the most promising, and only those are compared exactly: a twenty-fourth of the memory is read. (Sign random projections without
 * the projection: Charikar, "Similarity estimation techniques from rounding algorithms", 2002. Of the nearest ten of 400,000
 * real sentences, 99.8 of 100 lie among the twentieth that the first 512 bits pick, and all among the 1,024 nearest by 1,536 bits;
 * `bun run bench index` measures it.)
 */
import { Best } from "../indexing/best.ts";
import { Closest } from "./closest.ts";
import { quantiseToInt8 } from "./quantise.ts";
import type { RowInterval } from "./row-directory.ts";
import { BATCH_ROWS, RowMemory } from "./row-memory.ts";

/** Bytes of sign bits that every row is sieved by. */
const FIRST_BYTES = 64;
/** Bytes of the others: the kernel counts at most 31 registers. Longer vectors are sieved by what fits. */
const MOST_OTHER_BYTES = 31 * 16;
/** The first sieve keeps this many, or this share of all rows where that is more. */
const FIRST_LEAST = 8192;
const FIRST_SHARE = 0.05;
/** The second keeps this many, or this share. */
const SECOND_LEAST = 1024;
const SECOND_SHARE = 0.0015;

export interface ScoredRow {
  readonly row: number;
  /** Cosine of the int8 vectors: within about 0.001 of the exact one. */
  readonly score: number;
}

export class VectorMatrix {
  private readonly vectors: RowMemory;
  /** Sign bits: the first, by which every row is sieved, and the others, where there are more. */
  private readonly firstSigns: RowMemory;
  private readonly otherSigns: RowMemory | null;
  private inverseLengths = new Float32Array(1024);

  /** `exactLimit`: rows up to which all are compared exactly. */
  constructor(
    readonly dimensions: number,
    readonly exactLimit: number,
  ) {
    // Whole registers of sign bits, so whole 128 components.
    this.vectors = new RowMemory(Math.ceil(dimensions / 128) * 128);
    const bytes = this.vectors.stride / 8;
    this.firstSigns = new RowMemory(Math.min(bytes, FIRST_BYTES));
    this.otherSigns = bytes > FIRST_BYTES ? new RowMemory(Math.min(bytes - FIRST_BYTES, MOST_OTHER_BYTES)) : null;
  }

  private get signBytes(): number {
    return this.firstSigns.stride + (this.otherSigns?.stride ?? 0);
  }

  get rows(): number {
    return this.vectors.rows;
  }

  /** Bytes of memory that the rows take. */
  get bytes(): number {
    return this.rows * (this.vectors.stride + this.signBytes + 4);
  }

  /** Adds a row. */
  append(vector: Float32Array): void {
    quantiseToInt8(vector, this.vectors.append(1));
    this.derive(this.rows - 1, 1);
  }

  /** Adds `count` rows of vectors that are int8 already; `fill` writes one row of `dimensions` bytes each time it is called. */
  appendQuantised(count: number, fill: (row: Int8Array) => void): void {
    while (count > 0) {
      const rows = this.vectors.contiguous(count);
      const space = this.vectors.append(rows);
      for (let row = 0; row < rows; row++)
        fill(space.subarray(row * this.vectors.stride, row * this.vectors.stride + this.dimensions));
      this.derive(this.rows - rows, rows);
      count -= rows;
    }
  }

  /** A row's int8 vector. Valid until rows are added. */
  row(index: number): Int8Array {
    return this.vectors.row(index).subarray(0, this.dimensions);
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
  *nearest(
    query: Int8Array,
    intervals: readonly RowInterval[],
    dead: Uint8Array,
    limit: number,
  ): Generator<void, ScoredRow[]> {
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
  ): Generator<void> {
    const queryInverse = inverseLength(query.reduce((sum, value) => sum + value * value, 0));
    const { inverseLengths } = this;
    yield* this.vectors.dots(query, intervals, dead, (list, products, count, base) => {
      for (let index = 0; index < count; index++) {
        const row = base + list[index]!;
        take(row, products[index]! * inverseLengths[row]! * queryInverse);
      }
    });
  }

  /** The rows of `intervals`, `count` of them, among which the nearest `limit` are. */
  private *sieve(
    query: Int8Array,
    intervals: readonly RowInterval[],
    dead: Uint8Array,
    count: number,
    limit: number,
  ): Generator<void, RowInterval[]> {
    const { firstSigns, otherSigns } = this;
    const bits = this.vectors.signsOf(query, this.signBytes);
    const second = Math.max(SECOND_LEAST, limit, Math.ceil(count * SECOND_SHARE));
    const first = otherSigns ? Math.max(FIRST_LEAST, second, Math.ceil(count * FIRST_SHARE)) : second;
    const promising = new Closest(first, firstSigns.stride * 8);
    yield* firstSigns.sieve(bits.subarray(0, firstSigns.stride), intervals, dead, promising);
    const { rows, distances } = promising.kept();
    if (otherSigns === null || rows.length <= second) return inRowOrder(rows);
    const others = yield* otherSigns.distances(bits.subarray(firstSigns.stride), rows);
    const closest = new Closest(second, this.signBytes * 8);
    rows.forEach((row, at) => closest.offer(row, distances[at]! + others[at]!));
    return inRowOrder(closest.kept().rows);
  }

  /** Computes what belongs to int8 rows that were just written: their lengths and their sign bits. */
  private derive(first: number, count: number): void {
    if (this.inverseLengths.length < first + count) {
      const grown = new Float32Array(Math.max(first + count, this.inverseLengths.length * 2));
      grown.set(this.inverseLengths);
      this.inverseLengths = grown;
    }
    this.vectors
      .squares(first, count)
      .forEach((square, index) => (this.inverseLengths[first + index] = inverseLength(square)));
    const { firstSigns, otherSigns, signBytes } = this;
    const most = Math.floor((4 * BATCH_ROWS) / signBytes);
    for (let done = 0; done < count; ) {
      const rows = Math.min(most, count - done, firstSigns.contiguous(count), otherSigns?.contiguous(count) ?? count);
      const signs = this.vectors.signs(first + done, rows, signBytes);
      const [head, tail] = [firstSigns.append(rows), otherSigns?.append(rows)];
      for (let row = 0; row < rows; row++) {
        const bits = signs.subarray(row * signBytes, (row + 1) * signBytes);
        head.set(bits.subarray(0, firstSigns.stride), row * firstSigns.stride);
        if (otherSigns) tail!.set(bits.subarray(firstSigns.stride), row * otherSigns.stride);
      }
      done += rows;
    }
  }
}

/** In row order the exact comparison reads memory forwards. */
const inRowOrder = (rows: Uint32Array): RowInterval[] =>
  Array.from(rows.sort(), (row) => ({ start: row, end: row + 1 }));

const inverseLength = (square: number): number => (square === 0 ? 0 : 1 / Math.sqrt(square));
