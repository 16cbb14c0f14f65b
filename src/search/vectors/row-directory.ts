/** Which row of the matrix holds which chunk. Rows are handed out in order of arrival; chunk ids need not arrive sorted. Pure. */
import type { ChunkRange } from "../../store/index.ts";

/** Rows from `start` up to, not including, `end`. */
export interface RowInterval {
  readonly start: number;
  readonly end: number;
}

/** Runs of consecutive chunk ids in consecutive rows, sorted by chunk id. A dataset that only grew is one run per file or fewer. */
export class RowDirectory {
  private readonly firstIds: number[] = [];
  private readonly lengths: number[] = [];
  private readonly firstRows: number[] = [];

  /** Records that chunks `firstId`, `firstId + 1`, … lie in rows `firstRow`, `firstRow + 1`, …; the ids must be new. */
  add(firstId: number, length: number, firstRow: number): void {
    if (length <= 0) return;
    const index = this.runAfter(firstId);
    const previous = index - 1;
    if (
      previous >= 0 &&
      this.firstIds[previous]! + this.lengths[previous]! === firstId &&
      this.firstRows[previous]! + this.lengths[previous]! === firstRow
    ) {
      this.lengths[previous]! += length;
      return;
    }
    this.firstIds.splice(index, 0, firstId);
    this.lengths.splice(index, 0, length);
    this.firstRows.splice(index, 0, firstRow);
  }

  /** The chunks that have a row, as ascending, disjoint ranges. */
  held(): ChunkRange[] {
    return this.firstIds.map((first, run) => ({ first, last: first + this.lengths[run]! - 1 }));
  }

  /** The chunk's row, or -1. */
  rowOf(chunkId: number): number {
    const run = this.runAfter(chunkId) - 1;
    if (run < 0) return -1;
    const offset = chunkId - this.firstIds[run]!;
    return offset < this.lengths[run]! ? this.firstRows[run]! + offset : -1;
  }

  /** The rows of every chunk in the ranges. Chunks that are not here are left out. */
  rowsWithin(ranges: Iterable<ChunkRange>): RowInterval[] {
    const intervals: RowInterval[] = [];
    for (const { first, last } of ranges) {
      for (
        let run = Math.max(0, this.runAfter(first) - 1);
        run < this.firstIds.length && this.firstIds[run]! <= last;
        run++
      ) {
        const from = Math.max(first, this.firstIds[run]!);
        const to = Math.min(last, this.firstIds[run]! + this.lengths[run]! - 1);
        if (from > to) continue;
        const start = this.firstRows[run]! + from - this.firstIds[run]!;
        intervals.push({ start, end: start + to - from + 1 });
      }
    }
    return intervals;
  }

  /** Index of the first run that begins after `chunkId`. */
  private runAfter(chunkId: number): number {
    let low = 0,
      high = this.firstIds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.firstIds[middle]! <= chunkId) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
