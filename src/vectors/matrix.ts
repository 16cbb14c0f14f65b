/**
 * The vectors of one dataset in memory, twice: as int8 for exact comparison and as sign bits for a first sieve.
 *
 * Few rows are compared exactly. Of many, the Hamming distance of the sign bits picks the most promising, eight times
 * less memory to read, and only those are compared exactly. (Sign random projections without the projection: Charikar,
 * "Similarity estimation techniques from rounding algorithms", 2002. On the built-in model the nearest ten of 100,000
 * real passages lie among the sieve's best 1,024 in 99.95 of 100 cases; `bun run bench index` measures it.)
 */
import { Best } from "../indexing/best.ts";
import { Closest } from "./closest.ts";
import { quantiseToInt8 } from "./quantise.ts";
import type { RowInterval } from "./row-directory.ts";
import { BATCH_ROWS, RowMemory } from "./row-memory.ts";

/** Bits of the sieve: the kernel counts at most 31 registers. Longer vectors are sieved by their first 3,968 dimensions. */
const MOST_SIGN_BITS = 31 * 128;
/** The sieve keeps this many, or one row in a hundred where that is more. */
const SIEVE_LEAST = 1024;
const SIEVE_SHARE = 0.01;

export interface ScoredRow {
  readonly row: number;
  /** Cosine of the int8 vectors: within about 0.001 of the exact one. */
  readonly score: number;
}

export class VectorMatrix {
  private readonly vectors: RowMemory;
  private readonly signs: RowMemory;
  private inverseLengths = new Float32Array(1024);

  /** `exactLimit`: rows up to which all are compared exactly. */
  constructor(
    readonly dimensions: number,
    readonly exactLimit: number,
  ) {
    // Whole registers of sign bits, so whole 128 components.
    this.vectors = new RowMemory(Math.ceil(dimensions / 128) * 128);
    this.signs = new RowMemory(Math.min(this.vectors.stride, MOST_SIGN_BITS) / 8);
  }

  get rows(): number {
    return this.vectors.rows;
  }

  /** Bytes of memory that the rows take. */
  get bytes(): number {
    return this.rows * (this.vectors.stride + this.signs.stride + 4);
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
    const promising =
      rows <= this.exactLimit
        ? intervals
        : yield* this.sieve(query, intervals, dead, Math.max(SIEVE_LEAST, limit, rows * SIEVE_SHARE));
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

  private *sieve(
    query: Int8Array,
    intervals: readonly RowInterval[],
    dead: Uint8Array,
    limit: number,
  ): Generator<void, RowInterval[]> {
    const bits = this.vectors.signsOf(query, this.signs.stride);
    const closest = new Closest(Math.ceil(limit), this.signs.stride * 8);
    yield* this.signs.sieve(bits, intervals, dead, closest);
    // In row order the exact comparison reads memory forwards.
    return Array.from(closest.inOrder(), (row) => ({ start: row, end: row + 1 }));
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
    const most = Math.floor((4 * BATCH_ROWS) / this.signs.stride);
    for (let done = 0; done < count; ) {
      const rows = this.signs.contiguous(Math.min(most, count - done));
      this.signs.append(rows).set(this.vectors.signs(first + done, rows, this.signs.stride));
      done += rows;
    }
  }
}

const inverseLength = (square: number): number => (square === 0 ? 0 : 1 / Math.sqrt(square));
