/** Fits the map from similarity to score that a model's manifest carries, so that scores mean what the interface says. Pure. */

/** One result of a search, with what it was worth. */
export interface JudgedResult {
  readonly similarity: number;
  readonly isRight: boolean;
}

/** From each score on, this share of results is the right passage. */
const BANDS = [
  { score: 0.7, share: 0.5 },
  { score: 0.8, share: 0.75 },
  { score: 0.9, share: 0.9 },
] as const;
/** Least distance of two points, so that the map always rises. */
const STEP = 0.001;

/**
 * Points [similarity, score] for a manifest. A band begins where results of just that similarity are right as often as the band
 * promises, so that it keeps its promise whatever lies above it. A band that no result deserves begins beyond them all.
 */
export function fitCalibration(results: readonly JudgedResult[]): [number, number][] {
  const levels = risingShares(results);
  const starts = BANDS.map(
    ({ share }) =>
      levels.find((level) => level.share >= share)?.similarity ??
      Math.max(0, ...results.map(({ similarity }) => similarity)) + STEP,
  );
  const points: [number, number][] = [[0, 0]];
  BANDS.forEach(({ score }, band) => {
    const similarity = Math.min(1 - STEP * (BANDS.length - band), Math.max(starts[band]!, points.at(-1)![0] + STEP));
    points.push([Number(similarity.toFixed(4)), score]);
  });
  return [...points, [1, 1]];
}

/** How often results from each score on, up to the next, are right. */
export function bandShares(
  results: readonly JudgedResult[],
  score: (similarity: number) => number,
): { from: number; results: number; right: number }[] {
  return BANDS.toReversed().map(({ score: from }, band, all) => {
    const within = results.filter(
      ({ similarity }) => score(similarity) >= from && (band === 0 || score(similarity) < all[band - 1]!.score),
    );
    return {
      from,
      results: within.length,
      right: within.filter(({ isRight }) => isRight).length / Math.max(1, within.length),
    };
  });
}

/** Isotonic regression (pool adjacent violators): from each similarity on, how often results are right, never falling. */
function risingShares(results: readonly JudgedResult[]): { similarity: number; share: number }[] {
  const pools: { similarity: number; right: number; count: number }[] = [];
  for (const { similarity, isRight } of results.toSorted((left, right) => left.similarity - right.similarity)) {
    pools.push({ similarity, right: isRight ? 1 : 0, count: 1 });
    for (
      let last = pools.length - 1;
      last > 0 && pools[last - 1]!.right * pools[last]!.count >= pools[last]!.right * pools[last - 1]!.count;
      last--
    ) {
      const { right, count } = pools.pop()!;
      pools[last - 1]!.right += right;
      pools[last - 1]!.count += count;
    }
  }
  return pools.map(({ similarity, right, count }) => ({ similarity, share: right / count }));
}
