/**
 * Vectors as the database keeps them: half precision, little endian, two bytes a dimension. Unit vectors lose less
 * than 0.001 of cosine similarity by it. Every machine Lectern runs on is little endian, so no byte is swapped.
 */

/** Throws RangeError when a component is not finite or beyond what half precision holds. */
export function encodeHalf(vector: Float32Array): Uint8Array {
  const half = new Float16Array(vector);
  let sum = 0;
  for (const component of half) sum += component * component;
  if (!Number.isFinite(sum)) throw new RangeError("A vector has a component that is not a finite number.");
  return new Uint8Array(half.buffer);
}

/** Writes a stored vector into `target` from `offset` on. Throws RangeError when it does not have `dimensions` components. */
export function decodeHalfInto(target: Float32Array, offset: number, stored: Uint8Array, dimensions: number): void {
  if (stored.byteLength !== dimensions * 2) {
    throw new RangeError(`A stored vector has ${stored.byteLength / 2} dimensions instead of ${dimensions}.`);
  }
  const aligned = stored.byteOffset % 2 === 0 ? stored : stored.slice();
  target.set(new Float16Array(aligned.buffer, aligned.byteOffset, dimensions), offset);
}
