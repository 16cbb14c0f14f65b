/** Places of chunks in their files, from 0, as filters on `chunkIndex` ask for them. */
import { Turns } from "../foundation/turns.ts";
import { appendRange, joinRanges } from "./ranges.ts";
import type { ChunkRange, FilterValue, ValueRange } from "./types.ts";

export interface Positions {
  /** Of each file, given by the range of its chunks, the chunks at these positions. */
  within(files: readonly ChunkRange[]): Promise<ChunkRange[]>;
}

export const positionsOf = {
  values: (values: readonly FilterValue[]): Positions =>
    positions(
      values
        .filter((value): value is number => Number.isSafeInteger(value) && (value as number) >= 0)
        .map((value) => ({ first: value, last: value })),
    ),

  range({ gt, gte, lt, lte }: ValueRange): Positions {
    const bounds = [gt, gte, lt, lte];
    if (bounds.some((bound) => typeof bound === "string")) return positions([]);
    const [above, from, below, through] = bounds as (number | undefined)[];
    const first = Math.max(0, Math.ceil(from ?? 0), Math.floor(above ?? -1) + 1);
    const last = Math.min(Number.MAX_SAFE_INTEGER, Math.floor(through ?? Infinity), Math.ceil(below ?? Infinity) - 1);
    return positions(first <= last ? [{ first, last }] : []);
  },
};

function positions(unsorted: readonly ChunkRange[]): Positions {
  const wanted = joinRanges(unsorted);
  return {
    async within(files) {
      const turns = new Turns();
      const found: ChunkRange[] = [];
      for (const file of files) {
        if (turns.isOver) await turns.pause();
        for (const { first, last } of wanted) {
          if (file.first + first > file.last) break;
          appendRange(found, file.first + first, Math.min(file.last, file.first + last));
        }
      }
      return found;
    },
  };
}
