/**
 * The first sign bits of every row, sixteen rows interleaved, so that one instruction compares sixteen: what every row of a large
 * search is sieved by. (As codes lie in: André et al., "Cache locality is not enough: high-performance nearest neighbor search with
 * product quantization fast scan", 2015.)
 *
 * Blocks lie in segments, each with a memory of its own that all threads which sieve share.
 */
import { readFileSync } from "node:fs";
import type { Closest } from "./closest.ts";
import type { RowInterval } from "./row-directory.ts";
import sievePath from "./sieve.wasm" with { type: "file" };
import { TABLE_ENTRIES, type SignTables } from "./sign-tables.ts";

/** Rows of a block. */
const BLOCK_ROWS = 16;
/** Rows sieved by one call of the kernel: a tenth of a millisecond. */
const BATCH_ROWS = 8192;
/** Rows sieved before others are let in. */
const SLICE_ROWS = 65_536;
const SEGMENT_ROWS = 1_048_576;
const PAGE_BYTES = 65_536;
/** Most bytes of a row: 96 are more than any row has. */
const MOST_BYTES = 96;
/** Blocks between two wanted ones that are sieved as well rather than begun anew behind them. */
const NEAR_BLOCKS = 2;

/** Where the tables of a question, the kernel's spill and the pairs that it writes lie. */
const TABLES = 0;
const SPILL = MOST_BYTES * 2 * TABLE_ENTRIES;
const PAIRS = SPILL + 32;
const BLOCKS = Math.ceil((PAIRS + BATCH_ROWS * 8) / PAGE_BYTES) * PAGE_BYTES;

interface Kernels {
  sieve(
    tables: number,
    block: number,
    bytes: number,
    blocks: number,
    limit: number,
    spill: number,
    out: number,
  ): number;
  interleave(from: number, stride: number, bytes: number, count: number, blocks: number, row: number): void;
}

let compiled: WebAssembly.Module | undefined;
const sieveModule = (): WebAssembly.Module => (compiled ??= new WebAssembly.Module(readFileSync(sievePath)));

class Segment {
  private readonly memory: WebAssembly.Memory;
  readonly kernels: Kernels;
  bytes = new Uint8Array();
  pairs = new Uint32Array();

  constructor(private readonly rowBytes: number) {
    const most = BLOCKS + SEGMENT_ROWS * rowBytes;
    this.memory = new WebAssembly.Memory({
      initial: BLOCKS / PAGE_BYTES,
      maximum: Math.ceil(most / PAGE_BYTES),
      shared: true,
    });
    this.kernels = new WebAssembly.Instance(sieveModule(), { rows: { memory: this.memory } })
      .exports as unknown as Kernels;
  }

  /** Makes room for `rows` rows; memory grows by at least half. */
  reserve(rows: number): void {
    const needed = BLOCKS + Math.ceil(rows / BLOCK_ROWS) * BLOCK_ROWS * this.rowBytes;
    const present = this.memory.buffer.byteLength;
    if (needed > present) {
      const wanted = Math.max(needed, Math.min(Math.ceil(present * 1.5), BLOCKS + SEGMENT_ROWS * this.rowBytes));
      this.memory.grow(Math.ceil((wanted - present) / PAGE_BYTES));
    }
    if (this.bytes.buffer === this.memory.buffer) return;
    this.bytes = new Uint8Array(this.memory.buffer);
    this.pairs = new Uint32Array(this.memory.buffer, PAIRS, BATCH_ROWS * 2);
  }
}

export class SignBlocks {
  private readonly segments: Segment[] = [];
  private count = 0;

  /** `rowBytes`: bytes of a row that are kept here, a multiple of 16. */
  constructor(readonly rowBytes: number) {}

  get rows(): number {
    return this.count;
  }

  /** Adds the first bytes of strings of sign bits, which begin `stride` bytes apart. */
  append(signs: Uint8Array, stride: number): void {
    const most = Math.floor((BATCH_ROWS * 8) / stride);
    for (let at = 0; at < signs.length; ) {
      const local = this.count % SEGMENT_ROWS;
      const rows = Math.min(most, (signs.length - at) / stride, SEGMENT_ROWS - local);
      const segment = (this.segments[Math.floor(this.count / SEGMENT_ROWS)] ??= new Segment(this.rowBytes));
      segment.reserve(local + rows);
      segment.bytes.set(signs.subarray(at, at + rows * stride), PAIRS);
      segment.kernels.interleave(PAIRS, stride, this.rowBytes, rows, BLOCKS, local);
      this.count += rows;
      at += rows * stride;
    }
  }

  /** Whether a row's sign bits begin as `signs` do. */
  equals(row: number, signs: Int8Array): boolean {
    const { bytes } = this.segments[Math.floor(row / SEGMENT_ROWS)]!;
    const local = row % SEGMENT_ROWS;
    const start = BLOCKS + (local - (local % BLOCK_ROWS)) * this.rowBytes + (local % BLOCK_ROWS);
    for (let at = 0; at < this.rowBytes; at++) if (bytes[start + at * BLOCK_ROWS] !== (signs[at]! & 0xff)) return false;
    return true;
  }

  /**
   * Offers `closest` every row of `intervals`, which ascend, that is not marked in `dead`, with its distance by `tables`. What is too far
   * is left out by the kernel already. Yields every half millisecond or so.
   */
  *sieve(
    { entries }: SignTables,
    intervals: readonly RowInterval[],
    dead: Uint8Array,
    closest: Closest,
  ): Generator<void> {
    let untilPause = SLICE_ROWS;
    let next = 0;
    let prepared: Segment | null = null;
    for (const { start, end } of this.blocksOf(intervals)) {
      for (let first = start; first < end; ) {
        const segment = this.segments[Math.floor(first / SEGMENT_ROWS)]!;
        if (prepared !== segment) segment.bytes.set(entries, TABLES);
        prepared = segment;
        const { kernels, pairs } = segment;
        const local = first % SEGMENT_ROWS;
        const rows = Math.min(end - first, BATCH_ROWS, SEGMENT_ROWS - local);
        const address = BLOCKS + local * this.rowBytes;
        const found = kernels.sieve(TABLES, address, this.rowBytes, rows / BLOCK_ROWS, closest.limit, SPILL, PAIRS);
        for (let pair = 0; pair < 2 * found; pair += 2) {
          const row = first + pairs[pair]!;
          while (next < intervals.length && intervals[next]!.end <= row) next++;
          if (next < intervals.length && row >= intervals[next]!.start && dead[row] === 0)
            closest.offer(row, pairs[pair + 1]!);
        }
        first += rows;
        untilPause -= rows;
        if (untilPause > 0) continue;
        untilPause = SLICE_ROWS;
        yield;
        // Another question's tables may lie there now.
        prepared = null;
      }
    }
  }

  /** Whole blocks that hold the intervals' rows. */
  private *blocksOf(intervals: readonly RowInterval[]): Generator<RowInterval> {
    let [start, end] = [0, 0];
    for (const interval of intervals) {
      const first = interval.start - (interval.start % BLOCK_ROWS);
      if (first > end + NEAR_BLOCKS * BLOCK_ROWS) {
        if (end > start) yield { start, end };
        start = first;
      } else if (end === start) start = first;
      end = Math.max(end, Math.ceil(interval.end / BLOCK_ROWS) * BLOCK_ROWS);
    }
    if (end > start) yield { start, end };
  }
}
