/** int8 vectors, which the index searches. The exact ones stay in SQLite. Pure. */

/**
 * Quantises a vector to int8 with its own scale, 127 / max|x|, so that all 255 levels are used whatever the vector's
 * spread. The scale itself is not needed afterwards: cosine does not change with length.
 *
 * `target` may be longer than `vector` (padding stays zero). A zero vector stays zero.
 */
export function quantiseToInt8(vector: ArrayLike<number>, target: Int8Array): void {
  let largest = 0;
  for (let index = 0; index < vector.length; index++) largest = Math.max(largest, Math.abs(vector[index]!));
  const scale = largest === 0 ? 0 : 127 / largest;
  for (let index = 0; index < vector.length; index++) target[index] = Math.round(vector[index]! * scale);
}

/** Dot product of two vectors of the same dimensions: their cosine where both are of unit length. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  // Four sums, so that the additions do not wait for one another.
  let a = 0, b = 0, c = 0, d = 0;
  const whole = left.length & ~3;
  for (let index = 0; index < whole; index += 4) {
    a += left[index]! * right[index]!;
    b += left[index + 1]! * right[index + 1]!;
    c += left[index + 2]! * right[index + 2]!;
    d += left[index + 3]! * right[index + 3]!;
  }
  for (let index = whole; index < left.length; index++) a += left[index]! * right[index]!;
  return a + b + c + d;
}
