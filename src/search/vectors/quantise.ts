/** int8 vectors, which the index searches. Finer ones stay in SQLite. Pure. */

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
