/** Similarity → score in 0-1, by the points of a model's manifest. */
import type { Calibration } from "./manifest.ts";

/**
 * Makes the map through `points` [similarity, score] (both strictly rising, as the manifest's check guarantees), linear
 * between them and level beyond the ends; without points the similarity itself, clamped to 0-1. The map never decreases.
 */
export function scoreMap(points: Calibration | undefined): (similarity: number) => number {
  if (!points) return (similarity) => Math.min(1, Math.max(0, similarity));
  const first = points[0] as readonly [number, number];
  const last = points[points.length - 1] as readonly [number, number];
  return (similarity) => {
    if (similarity <= first[0]) return first[1];
    if (similarity >= last[0]) return last[1];
    const at = points.findIndex((point) => point[0] > similarity);
    const [fromSimilarity, fromScore] = points[at - 1] as readonly [number, number];
    const [toSimilarity, toScore] = points[at] as readonly [number, number];
    return fromScore + ((similarity - fromSimilarity) / (toSimilarity - fromSimilarity)) * (toScore - fromScore);
  };
}
