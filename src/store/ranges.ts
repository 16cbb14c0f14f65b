/** Arithmetic on sets of chunk ids, held as ascending, disjoint ranges with both ends included. */
import type { ChunkRange } from "./types.ts";

/** Adds a range at the end of `ranges`, which it must not precede, joining it with the last where they touch. Changes `ranges`. */
export function appendRange(ranges: ChunkRange[], first: number, last: number): void {
  const previous = ranges.at(-1);
  // Replaced, not changed: the previous object may be shared with an older list.
  if (previous && first <= previous.last + 1)
    ranges[ranges.length - 1] = { first: previous.first, last: Math.max(previous.last, last) };
  else ranges.push({ first, last });
}

/** The same chunks as any ranges name, in whatever order. */
export function joinRanges(ranges: readonly ChunkRange[]): ChunkRange[] {
  const joined: ChunkRange[] = [];
  for (const { first, last } of ranges.toSorted((left, right) => left.first - right.first))
    appendRange(joined, first, last);
  return joined;
}

/** What lies in both sets. */
export function intersectRanges(left: readonly ChunkRange[], right: readonly ChunkRange[]): ChunkRange[] {
  const common: ChunkRange[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const a = left[i]!;
    const b = right[j]!;
    const first = Math.max(a.first, b.first);
    const last = Math.min(a.last, b.last);
    if (first <= last) appendRange(common, first, last);
    if (a.last < b.last) i++;
    else j++;
  }
  return common;
}

/** What lies in `ranges` and not in `others`. */
export function withoutRanges(ranges: readonly ChunkRange[], others: readonly ChunkRange[]): ChunkRange[] {
  const left: ChunkRange[] = [];
  let at = 0;
  for (const { first, last } of ranges) {
    let next = first;
    while (at < others.length && others[at]!.last < first) at++;
    for (let other = at; other < others.length && others[other]!.first <= last; other++) {
      if (others[other]!.first > next) left.push({ first: next, last: others[other]!.first - 1 });
      next = others[other]!.last + 1;
    }
    if (next <= last) left.push({ first: next, last });
  }
  return left;
}
