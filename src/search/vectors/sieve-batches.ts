/** Sieves batches of rows, in whichever thread. */
import type { Steps } from "../slices.ts";
import type { SieveView } from "./sieve-view.ts";

/** Rows sieved before others are let in. */
const SLICE_ROWS = 65_536;
/** Numbers of a batch: its segment, its first row there, its rows, and the number of its first row among all. */
export const BATCH_NUMBERS = 4;

/** What batches are sieved by. */
export interface BatchSieve {
  /** Of the question's tables. */
  readonly entries: Uint8Array;
  readonly batches: Uint32Array;
  /** Nearer than this is near, whenever it is looked at. */
  readonly limit: number;
  /** By a segment's number. */
  viewOf(segment: number): SieveView;
  /** Told of `count` near rows: pairs of row, counted from `first`, and distance, valid for so long. */
  take(pairs: Uint32Array, count: number, first: number): void;
}

/** Does the batches that are `taken`, by their numbers. Yields every half millisecond or so. */
export function* sieveBatches(sieve: BatchSieve, taken: Iterable<number>): Steps<void> {
  let untilPause = SLICE_ROWS;
  let prepared: SieveView | null = null;
  for (const batch of taken) {
    const at = batch * BATCH_NUMBERS;
    const [segment, start, rows, first] = sieve.batches.subarray(at, at + BATCH_NUMBERS);
    const view = sieve.viewOf(segment!);
    if (prepared !== view) view.prepare(sieve.entries);
    prepared = view;
    sieve.take(view.pairs, view.sieve(start!, rows!, sieve.limit), first!);
    untilPause -= rows!;
    if (untilPause > 0) continue;
    untilPause = SLICE_ROWS;
    yield;
    // Another question's tables may lie there now.
    prepared = null;
  }
}
