/**
 * Rows of equal length in WebAssembly memory, and the kernels that compare a query with any of them.
 *
 * Rows lie in segments, each with a memory of its own, so that a dataset may outgrow one memory's 4 GiB.
 */
import { readFileSync } from "node:fs";
import type { RowInterval } from "./row-directory.ts";
import { growTo, PAGE_BYTES } from "./wasm-memory.ts";
import scanPath from "./scan.wasm" with { type: "file" };

/** Rows compared by one call of a kernel: a millisecond or less. */
export const BATCH_ROWS = 8192;
const SEGMENT_BYTES = 512 * 1024 * 1024;

interface Kernels {
  readonly memory: WebAssembly.Memory;
  dots(query: number, rows: number, stride: number, list: number, count: number, out: number): void;
  distances(query: number, rows: number, stride: number, list: number, count: number, out: number): void;
  squares(row: number, stride: number, count: number, out: number): void;
  signs(row: number, stride: number, count: number, bytes: number, out: number): void;
}

/** Takes the results of one batch: `results[i]` belongs to row `base + rows[i]`, for `i` below `count`. */
export type TakeBatch = (rows: Uint32Array, results: Int32Array, count: number, base: number) => void;

let compiled: WebAssembly.Module | undefined;
const scanModule = (): WebAssembly.Module => (compiled ??= new WebAssembly.Module(readFileSync(scanPath)));

/** One memory: the query, a list of rows, their results, then the rows. */
class Segment {
  readonly kernels = new WebAssembly.Instance(scanModule()).exports as unknown as Kernels;
  readonly listAddress: number;
  readonly outAddress: number;
  readonly rowsAddress: number;
  list = new Uint32Array(0);
  out = new Int32Array(0);
  bytes = new Int8Array(0);

  constructor(readonly stride: number) {
    this.listAddress = stride;
    this.outAddress = this.listAddress + 4 * BATCH_ROWS;
    this.rowsAddress = Math.ceil((this.outAddress + 4 * BATCH_ROWS) / PAGE_BYTES) * PAGE_BYTES;
    this.reserve(0);
  }

  /** Makes room for `rows` rows. */
  reserve(rows: number): void {
    const { memory } = this.kernels;
    growTo(memory, this.rowsAddress + rows * this.stride, this.rowsAddress + SEGMENT_BYTES);
    const { buffer } = memory;
    if (this.bytes.buffer === buffer) return;
    // Growing detaches the views.
    this.bytes = new Int8Array(buffer);
    this.list = new Uint32Array(buffer, this.listAddress, BATCH_ROWS);
    this.out = new Int32Array(buffer, this.outAddress, BATCH_ROWS);
  }
}

export class RowMemory {
  private readonly segmentRows: number;
  private readonly segments: Segment[] = [];
  private count = 0;

  /** `stride`: bytes of a row, a multiple of 16. */
  constructor(readonly stride: number) {
    this.segmentRows = Math.floor(SEGMENT_BYTES / stride);
  }

  get rows(): number {
    return this.count;
  }

  /** How many of `wanted` new rows fit behind one another; at least one. */
  contiguous(wanted: number): number {
    return Math.min(wanted, this.segmentRows - (this.count % this.segmentRows), BATCH_ROWS);
  }

  /** Adds `rows` rows, no more than `contiguous` allows, and gives their zeroed bytes to be filled at once. */
  append(rows: number): Int8Array {
    const first = this.count;
    const segment = (this.segments[Math.floor(first / this.segmentRows)] ??= new Segment(this.stride));
    const local = first % this.segmentRows;
    segment.reserve(local + rows);
    this.count += rows;
    const start = segment.rowsAddress + local * this.stride;
    return segment.bytes.subarray(start, start + rows * this.stride);
  }

  /** A row's bytes. Valid until rows are added. */
  row(index: number): Int8Array {
    const segment = this.segments[Math.floor(index / this.segmentRows)]!;
    const start = segment.rowsAddress + (index % this.segmentRows) * this.stride;
    return segment.bytes.subarray(start, start + this.stride);
  }

  /** Squared lengths of the int8 rows from `first` on; they must have been appended together. Valid until the next call. */
  squares(first: number, rows: number): Int32Array {
    const segment = this.segments[Math.floor(first / this.segmentRows)]!;
    segment.kernels.squares(
      segment.rowsAddress + (first % this.segmentRows) * this.stride,
      this.stride,
      rows,
      segment.outAddress,
    );
    return segment.out.subarray(0, rows);
  }

  /** Sign bits of int8 rows, `bytes` bytes a row; the same conditions. `rows × bytes` must not exceed 4 × BATCH_ROWS. */
  signs(first: number, rows: number, bytes: number): Int8Array {
    const segment = this.segments[Math.floor(first / this.segmentRows)]!;
    segment.kernels.signs(
      segment.rowsAddress + (first % this.segmentRows) * this.stride,
      this.stride,
      rows,
      bytes,
      segment.outAddress,
    );
    return segment.bytes.subarray(segment.outAddress, segment.outAddress + rows * bytes);
  }

  /**
   * Takes the dot product of the query and every row of `intervals` that is not marked in `dead`. Hands over the results in
   * batches of about a millisecond and yields between them, so that other work may be let in.
   */
  *dots(query: Int8Array, intervals: Iterable<RowInterval>, dead: Uint8Array, take: TakeBatch): Generator<undefined> {
    // The list is kept outside the segment until it is complete: another comparison may run between two batches.
    const rows = new Uint32Array(BATCH_ROWS);
    let segmentIndex = 0,
      batch = 0;
    const run = () => {
      if (batch === 0) return;
      const segment = this.segments[segmentIndex]!;
      segment.bytes.set(query, 0);
      segment.list.set(batch === BATCH_ROWS ? rows : rows.subarray(0, batch));
      segment.kernels.dots(0, segment.rowsAddress, this.stride, segment.listAddress, batch, segment.outAddress);
      take(segment.list, segment.out, batch, segmentIndex * this.segmentRows);
      batch = 0;
    };
    for (const { start, end } of intervals) {
      for (let row = start; row < end; ) {
        const home = Math.floor(row / this.segmentRows);
        if (home !== segmentIndex || batch === BATCH_ROWS) {
          run();
          yield;
          segmentIndex = home;
        }
        const base = home * this.segmentRows;
        const stop = Math.min(end, base + this.segmentRows, row + BATCH_ROWS - batch);
        for (; row < stop; row++) if (dead[row] === 0) rows[batch++] = row - base;
      }
    }
    run();
  }

  /** In how many bits each of the rows, in their order, differs from the query. Yields every few thousand rows. */
  *distances(query: Int8Array, rows: Uint32Array): Generator<undefined, Uint32Array> {
    const distances = new Uint32Array(rows.length);
    for (let from = 0, to = 0; from < rows.length; from = to) {
      const home = Math.floor(rows[from]! / this.segmentRows);
      const base = home * this.segmentRows;
      const segment = this.segments[home]!;
      const most = Math.min(rows.length, from + BATCH_ROWS);
      for (; to < most && rows[to]! >= base && rows[to]! < base + this.segmentRows; to++)
        segment.list[to - from] = rows[to]! - base;
      segment.bytes.set(query, 0);
      const { kernels, listAddress, outAddress, rowsAddress, out } = segment;
      kernels.distances(0, rowsAddress, this.stride, listAddress, to - from, outAddress);
      distances.set(out.subarray(0, to - from), from);
      yield;
    }
    return distances;
  }
}
