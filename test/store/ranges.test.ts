/** Range arithmetic agrees with arithmetic on sets. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChunkRange } from "../../src/store/index.ts";
import { appendRange, intersectRanges, joinRanges } from "../../src/store/ranges.ts";

const idSet = fc.uniqueArray(fc.integer({ min: 1, max: 60 })).map((ids) => ids.sort((a, b) => a - b));

function rangesOf(ids: readonly number[]): ChunkRange[] {
  const ranges: ChunkRange[] = [];
  for (const id of ids) appendRange(ranges, id, id);
  return ranges;
}

const idsOf = (ranges: readonly ChunkRange[]) =>
  ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));

test("appending joins neighbours and loses nothing", () => {
  fc.assert(
    fc.property(idSet, (ids) => {
      const ranges = rangesOf(ids);
      expect(idsOf(ranges)).toEqual(ids);
      ranges.slice(1).forEach(({ first }, i) => expect(first).toBeGreaterThan(ranges[i]!.last + 1));
    }),
  );
});

test("joining ranges in whatever order gives what appending them in order does", () => {
  fc.assert(
    fc.property(idSet, fc.func(fc.integer()), (ids, rank) => {
      const shuffled = ids.map((id) => ({ first: id, last: id })).sort((left, right) => rank(left) - rank(right));
      expect(joinRanges(shuffled)).toEqual(rangesOf(ids));
    }),
  );
});

test("an intersection holds what both hold, in order", () => {
  fc.assert(
    fc.property(idSet, idSet, (left, right) => {
      expect(idsOf(intersectRanges(rangesOf(left), rangesOf(right)))).toEqual(left.filter((id) => right.includes(id)));
    }),
  );
});
