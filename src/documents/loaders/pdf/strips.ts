/** Empty strips that run down a page between what stands to their left and to their right. */
import type { Row } from "./run.ts";

/** From one edge of what stands there to the other. */
export interface Strip {
  readonly from: number;
  readonly to: number;
}

/** Strips that are looked at: no table that is read by people has more columns. */
const MOST_STRIPS = 100;

/** Where nothing stands in the row, its margins included. */
export function emptyStrips({ runs }: Row, narrowest: number): Strip[] {
  const strips: Strip[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const { left, right } of runs) {
    if (left - from >= narrowest) strips.push({ from, to: left });
    from = Math.max(from, right);
  }
  strips.push({ from, to: Number.POSITIVE_INFINITY });
  return strips;
}

/** What is in both lists, which are in order from left to right. */
export function commonStrips(some: readonly Strip[], others: readonly Strip[], narrowest: number): Strip[] {
  const both: Strip[] = [];
  for (let a = 0, b = 0; a < some.length && b < others.length; ) {
    const one = some[a]!;
    const other = others[b]!;
    const from = Math.max(one.from, other.from);
    const to = Math.min(one.to, other.to);
    if (to - from >= narrowest) both.push({ from, to });
    if (one.to < other.to) a += 1;
    else b += 1;
  }
  return both;
}

export function betweenText(strips: readonly Strip[]): Strip[] {
  return strips.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to)).slice(0, MOST_STRIPS);
}
