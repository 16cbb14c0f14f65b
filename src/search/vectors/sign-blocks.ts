/**
 * The first sign bits of every row, sixteen rows interleaved, so that one instruction compares sixteen: what every row of a large
 * search is sieved by. (As codes lie in: André et al., "Cache locality is not enough: high-performance nearest neighbor search with
 * product quantization fast scan", 2015.)
 *
 * Blocks lie in segments, each with a memory of its own that all search threads share.
 */
import type { Steps } from "../slices.ts";
import type { Closest } from "./closest.ts";
import type { RowInterval } from "./row-directory.ts";
import { BATCH_NUMBERS, sieveBatches, type BatchSieve } from "./sieve-batches.ts";
import { Fellows } from "./sieve-together.ts";
import { BATCH_ROWS, BLOCK_ROWS, blocksAddress, SieveView } from "./sieve-view.ts";
import type { SignTables } from "./sign-tables.ts";
import { growTo, PAGE_BYTES } from "./wasm-memory.ts";

const SEGMENT_ROWS = 1_048_576;
/** Blocks between two wanted ones that are sieved as well rather than begun anew behind them. */
const NEAR_BLOCKS = 2;

class Segment {
  readonly number: number;
  readonly memory: WebAssembly.Memory;
  readonly view: SieveView;

  constructor(
    private readonly rowBytes: number,
    private readonly fellows: Fellows,
  ) {
    const { blocks } = this;
    this.memory = new WebAssembly.Memory({
      initial: blocks / PAGE_BYTES,
      maximum: Math.ceil((blocks + SEGMENT_ROWS * rowBytes) / PAGE_BYTES),
      shared: true,
    });
    this.number = fellows.number(this);
    this.view = new SieveView(this.memory, rowBytes, fellows.place);
  }

  /** Makes room for `rows` rows. */
  reserve(rows: number): void {
    const { blocks, rowBytes } = this;
    const needed = blocks + Math.ceil(rows / BLOCK_ROWS) * BLOCK_ROWS * rowBytes;
    growTo(this.memory, needed, blocks + SEGMENT_ROWS * rowBytes);
  }

  /** Whether a row begins as `signs` do. */
  equals(row: number, signs: Int8Array): boolean {
    const start = this.blocks + (row - (row % BLOCK_ROWS)) * this.rowBytes + (row % BLOCK_ROWS);
    const bytes = new Int8Array(this.memory.buffer, start);
    for (let at = 0; at < this.rowBytes; at++) if (bytes[at * BLOCK_ROWS] !== signs[at]) return false;
    return true;
  }

  /** Where the blocks begin. */
  private get blocks(): number {
    return blocksAddress(this.fellows.place.threads);
  }
}

export class SignBlocks {
  private readonly segments: Segment[] = [];
  private count = 0;

  /** `rowBytes`: bytes of a row that are kept here, a multiple of 16. `fellows`: threads that may help. */
  constructor(
    readonly rowBytes: number,
    readonly fellows: Fellows = new Fellows(),
  ) {}

  get rows(): number {
    return this.count;
  }

  /** Adds the first bytes of strings of sign bits, which begin `stride` bytes apart. */
  append(signs: Uint8Array, stride: number): void {
    for (let at = 0; at < signs.length; ) {
      const local = this.count % SEGMENT_ROWS;
      const rows = Math.min(SieveView.fitting(stride), (signs.length - at) / stride, SEGMENT_ROWS - local);
      const segment = (this.segments[Math.floor(this.count / SEGMENT_ROWS)] ??= new Segment(
        this.rowBytes,
        this.fellows,
      ));
      segment.reserve(local + rows);
      segment.view.write(signs.subarray(at, at + rows * stride), stride, local);
      this.count += rows;
      at += rows * stride;
    }
  }

  /** Whether a row's sign bits begin as `signs` do. */
  equals(row: number, signs: Int8Array): boolean {
    return this.segments[Math.floor(row / SEGMENT_ROWS)]!.equals(row % SEGMENT_ROWS, signs);
  }

  /**
   * Offers `closest` every row of `intervals`, which ascend, that is not marked in `dead`, with its distance by `tables`. What is too far
   * is left out by the kernel already. Yields every half millisecond or so, and waits for those who help.
   */
  *sieve({ entries }: SignTables, intervals: readonly RowInterval[], dead: Uint8Array, closest: Closest): Steps<void> {
    const batches = this.batchesOf(intervals);
    const shared = this.fellows.ask(entries, closest.limit, batches, this.rowBytes, this.segments);
    const wanted = wantedRows(intervals, dead, closest);
    const sieve: BatchSieve = {
      entries,
      batches,
      get limit() {
        return closest.limit;
      },
      viewOf: (segment) => this.segments.find(({ number }) => number === segment)!.view,
      take: wanted,
    };
    if (shared === null) return yield* sieveBatches(sieve, Array(batches.length / BATCH_NUMBERS).keys());
    yield* sieveBatches(sieve, shared.taken());
    let rest: Awaited<ReturnType<typeof shared.finish>> | undefined;
    yield shared.finish().then((finished) => (rest = finished));
    for (const near of rest!.found) wanted(near, near.length / 2, 0);
    yield* sieveBatches(sieve, rest!.left);
  }

  /** The whole blocks that hold the intervals' rows, in batches for one call of the kernel each. */
  private batchesOf(intervals: readonly RowInterval[]): Uint32Array {
    const batches: number[] = [];
    const add = (start: number, end: number): void => {
      for (let first = start; first < end; ) {
        const local = first % SEGMENT_ROWS;
        const rows = Math.min(end - first, BATCH_ROWS, SEGMENT_ROWS - local);
        batches.push(this.segments[Math.floor(first / SEGMENT_ROWS)]!.number, local, rows, first);
        first += rows;
      }
    };
    let [start, end] = [0, 0];
    for (const interval of intervals) {
      if (interval.start >= interval.end) continue;
      const first = interval.start - (interval.start % BLOCK_ROWS);
      if (first > end + NEAR_BLOCKS * BLOCK_ROWS) {
        add(start, end);
        start = first;
      } else if (end === start) start = first;
      end = Math.max(end, Math.ceil(interval.end / BLOCK_ROWS) * BLOCK_ROWS);
    }
    add(start, end);
    return Uint32Array.from(batches);
  }
}

/** Offers pairs of row, counted from `first`, and distance: those rows that lie in the intervals and are not dead. */
function wantedRows(intervals: readonly RowInterval[], dead: Uint8Array, closest: Closest) {
  let next = 0;
  return (pairs: Uint32Array, count: number, first: number): void => {
    for (let pair = 0; pair < 2 * count; pair += 2) {
      const row = first + pairs[pair]!;
      // Whoever helped has other rows than those before.
      if (next === intervals.length || row < intervals[next]!.start) next = firstReaching(intervals, row);
      while (next < intervals.length && intervals[next]!.end <= row) next++;
      if (next < intervals.length && row >= intervals[next]!.start && dead[row] === 0)
        closest.offer(row, pairs[pair + 1]!);
    }
  };
}

/** The first interval that does not end before the row. */
function firstReaching(intervals: readonly RowInterval[], row: number): number {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (intervals[middle]!.end <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}
