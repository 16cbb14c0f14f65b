/** The similarity that joins what a chunk means with the words it shares with the question. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { joinedSimilarity } from "../../src/ranking/joined-similarity.ts";

const share = () => fc.double({ min: 0, max: 1, noNaN: true });

test("lies in 0-1, and more of either evidence never counts for less", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1, max: 1, noNaN: true }),
      share(),
      share(),
      share(),
      (cosine, overlap, more, weight) => {
        const joined = joinedSimilarity(cosine, overlap, weight);
        expect(joined).toBeGreaterThanOrEqual(0);
        expect(joined).toBeLessThanOrEqual(1);
        expect(joinedSimilarity(Math.min(1, cosine + more), overlap, weight)).toBeGreaterThanOrEqual(joined);
        expect(joinedSimilarity(cosine, Math.min(1, overlap + more), weight)).toBeGreaterThanOrEqual(joined);
      },
    ),
  );
});

test.each([
  ["a few common words do not outweigh the meaning", { cosine: 0.1, overlap: 0.25 }, { cosine: 0.4, overlap: 0 }],
  ["most of the question's words do", { cosine: 0.4, overlap: 0 }, { cosine: 0.1, overlap: 0.6 }],
])("with vectors at 0.3, %s", (_what, less, more) => {
  expect(joinedSimilarity(less.cosine, less.overlap, 0.3)).toBeLessThan(
    joinedSimilarity(more.cosine, more.overlap, 0.3),
  );
});
