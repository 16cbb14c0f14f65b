/** Fitting scores to judged results: bands hold what they promise, whatever the results. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bandShares, fitCalibration } from "../../bench/quality/calibration.ts";
import { scoreMap } from "../../src/embedding/calibration.ts";
import { parseManifest } from "../../src/embedding/manifest.ts";
import { readManifest } from "../../src/embedding/model-folder.ts";

describe("the fitted map", () => {
  test("gives each band results that are right as often as it promises", () => {
    // The share of right ones rises with the similarity.
    const results = Array.from({ length: 20_000 }, (_, index) => ({
      similarity: index / 20_000,
      isRight: ((index * 7919) % 20_000) / 20_000 < index / 20_000,
    }));
    const points = fitCalibration(results);
    const [best, good, fair] = bandShares(results, scoreMap(points));
    expect(best!.right).toBeGreaterThan(0.9);
    expect(good!.right).toBeGreaterThan(0.75);
    expect(fair!.right).toBeGreaterThan(0.5);
    expect(points[1]![0]).toBeCloseTo(0.5, 1);
    expect(points[3]![0]).toBeCloseTo(0.9, 1);
  });

  test("promises nothing where nothing was right", () => {
    const results = Array.from({ length: 100 }, (_, index) => ({ similarity: index / 200, isRight: false }));
    expect(bandShares(results, scoreMap(fitCalibration(results))).map(({ results: count }) => count)).toEqual([
      0, 0, 0,
    ]);
  });

  test("is one that a manifest may carry, whatever the results", async () => {
    const manifest = await readManifest(null);
    const result = fc.record({ similarity: fc.double({ min: 0, max: 1, noNaN: true }), isRight: fc.boolean() });
    fc.assert(
      fc.property(fc.array(result, { maxLength: 60 }), (results) => {
        const search = { ...manifest.search, calibration: fitCalibration(results) };
        expect(parseManifest(JSON.stringify({ ...manifest, search }), "fitted").search.calibration).toEqual(
          search.calibration,
        );
      }),
    );
  });
});
