/** Scores: through the manifest's points, in 0-1, never against the order of the cosines. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { scoreMap } from "../../src/embedding/calibration.ts";
import { readManifest } from "../../src/embedding/model-folder.ts";

test("without points the score is the cosine, clamped", () => {
  const score = scoreMap(undefined);
  expect([-0.5, 0, 0.4, 1, 1.0000001].map(score)).toEqual([0, 0, 0.4, 1, 1]);
});

test("points are hit exactly and joined by straight lines", () => {
  const score = scoreMap([
    [0, 0.1],
    [0.5, 0.7],
    [1, 1],
  ]);
  expect([-1, 0, 0.25, 0.5, 0.75, 1, 2].map((cosine) => Number(score(cosine).toFixed(6)))).toEqual([
    0.1, 0.1, 0.4, 0.7, 0.85, 1, 1,
  ]);
});

test("the built-in model's score never decreases and stays in 0-1", async () => {
  const score = scoreMap((await readManifest(null)).calibration);
  const cosines = fc.double({ min: -1.01, max: 1.01, noNaN: true });
  fc.assert(
    fc.property(cosines, cosines, (a, b) => {
      const [low, high] = [score(Math.min(a, b)), score(Math.max(a, b))];
      expect(low).toBeLessThanOrEqual(high);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
    }),
  );
});
