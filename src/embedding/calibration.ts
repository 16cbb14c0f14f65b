/** Cosine → score in 0-1, by the points of a model's manifest. */

/**
 * Makes the map through `points` [cosine, score] (both strictly rising, as the manifest's check guarantees), linear
 * between them and level beyond the ends; without points the cosine itself, clamped to 0-1. The map never decreases.
 */
export function scoreMap(points: ReadonlyArray<readonly [number, number]> | undefined): (cosine: number) => number {
  if (!points) return (cosine) => Math.min(1, Math.max(0, cosine));
  const first = points[0] as readonly [number, number];
  const last = points[points.length - 1] as readonly [number, number];
  return (cosine) => {
    if (cosine <= first[0]) return first[1];
    if (cosine >= last[0]) return last[1];
    const at = points.findIndex((point) => point[0] > cosine);
    const [fromCosine, fromScore] = points[at - 1] as readonly [number, number];
    const [toCosine, toScore] = points[at] as readonly [number, number];
    return fromScore + ((cosine - fromCosine) / (toCosine - fromCosine)) * (toScore - fromScore);
  };
}
