/** Vectors of int8, as they are stored and compared. Pure. */

const MOST = 127;

/**
 * Quantises a vector to int8 with its own scale, 127 / max|x|, so that all 255 levels are used whatever the vector's
 * spread. The scale itself is not needed afterwards: cosine does not change with length.
 *
 * `target` may be longer than `vector` (padding stays zero). A zero vector stays zero. Throws RangeError when a component is no finite number.
 */
export function quantiseToInt8(vector: ArrayLike<number>, target: Int8Array): void {
  let largest = 0;
  // NaN where one of them is.
  for (let index = 0; index < vector.length; index++) largest = Math.max(largest, Math.abs(vector[index]!));
  if (!Number.isFinite(largest)) throw new RangeError("a vector holds a component that is no finite number");
  const scale = largest === 0 ? 0 : MOST / largest;
  // Rounded by what is cut off of numbers above zero: three times as fast as Math.round.
  for (let index = 0; index < vector.length; index++)
    target[index] = ((vector[index]! * scale + (MOST + 0.5)) | 0) - MOST;
}
