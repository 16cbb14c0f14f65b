/** Which chunks are read, and how cosines of another model are made comparable. */
import { expect, test } from "bun:test";
import { withTypicalCosines } from "../../src/operations/ranking.ts";
import { chooseCandidates } from "../../src/ranking/candidates.ts";

const candidate = (chunkId: number, cosine: number, overlap: number) => ({ chunkId, cosine, overlap });

test("as many as may be read: all of them", () => {
  const all = [candidate(1, 0.1, 0), candidate(2, 0.9, 0.9)];
  expect(chooseCandidates(all, 2)).toEqual(all);
});

test("of more, those that stand high by meaning alone or by meaning and words together", () => {
  const wordy = Array.from({ length: 5 }, (_, at) => candidate(10 + at, 0, 0.9 - at / 10));
  const near = Array.from({ length: 5 }, (_, at) => candidate(20 + at, 0.4 - at / 100, 0));
  const chosen = chooseCandidates([...wordy, ...near], 4).map(({ chunkId }) => chunkId);
  expect(chosen.sort()).toEqual([10, 11, 20, 21]);
});

test("beside them the few that a gloss finds best, which displace none", () => {
  const own = Array.from({ length: 4 }, (_, at) => candidate(at, 0.5, 0.5 - at / 10));
  const translated = Array.from({ length: 12 }, (_, at) => ({
    ...candidate(20 + at, 0.1, 0),
    translated: (at + 1) / 20,
  }));
  const chosen = chooseCandidates([...own.map((one) => ({ ...one, translated: 0.01 })), ...translated], 4);
  expect(chosen.map(({ chunkId }) => chunkId)).toEqual([0, 1, 2, 3, 31, 30, 29, 28, 27, 26, 25, 24]);
});

test("another model's cosines keep their order and their distances, and take the usual mean and deviation", () => {
  const own = [0.81, 0.8, 0.79, 0.72].map((cosine, at) => candidate(at, cosine, 0.1 * at));
  const moved = withTypicalCosines(own, { mean: 0.3, deviation: 0.1 }).map(({ cosine }) => cosine);
  expect(moved.reduce((sum, cosine) => sum + cosine, 0) / 4).toBeCloseTo(0.3, 9);
  expect(moved).toEqual(moved.toSorted((left, right) => right - left));
  expect((moved[0]! - moved[1]!) / (moved[2]! - moved[3]!)).toBeCloseTo(1 / 7, 9);
  expect(withTypicalCosines([candidate(1, 0.5, 0)], { mean: 0.3, deviation: 0.1 })[0]!.cosine).toBe(0.3);
  expect(withTypicalCosines([], { mean: 0.3, deviation: 0.1 })).toEqual([]);
});
