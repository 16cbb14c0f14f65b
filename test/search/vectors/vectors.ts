/** Repeatable vectors for tests. */
import { quantiseToInt8 } from "../../../src/foundation/quantise.ts";

/** `count` vectors of unit length, the same for the same seed; with `clusters`, gathered around that many centres. */
export function unitVectors(count: number, dimensions: number, seed: number, clusters = 0): Float32Array[] {
  const centreOf = randomNumbers(seed);
  const centres = Array.from({ length: clusters }, () => Float32Array.from({ length: dimensions }, centreOf));
  const random = randomNumbers(seed * 7919 + count);
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor((random() + 0.5) * clusters)];
    return toUnitLength(
      Float32Array.from({ length: dimensions }, (_, index) => random() * (centre ? 0.9 : 1) + (centre?.[index] ?? 0)),
    );
  });
}

/** The vectors as they are stored and compared. */
export function quantised(vectors: readonly Float32Array[]): Int8Array[] {
  return vectors.map((vector) => {
    const target = new Int8Array(vector.length);
    quantiseToInt8(vector, target);
    return target;
  });
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

/** Numbers in -0.5 to 0.5 (xorshift32). */
function randomNumbers(seed: number): () => number {
  let state = (seed * 2654435761) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296 - 0.5;
  };
}
