/**
 * Vectors as the database keeps them: half precision, little endian, two bytes a dimension. Unit vectors lose less
 * than 0.001 of cosine similarity by it. Every machine Lectern runs on is little endian, so no byte is swapped.
 */

/** The bits of a number's exponent; all are set in what is not finite. */
const EXPONENT = 0x7c00;

/** A vector on its way into the database: whoever holds many of them holds them as they will be stored. */
export type Vector = Float32Array | Float16Array;

/** Throws RangeError when a component is not finite or beyond what half precision holds. */
export function encodeHalf(vector: Vector): Uint8Array {
  const { buffer } = new Float16Array(vector);
  const halves = new Uint16Array(buffer);
  // By their bits: reading halves as numbers takes thirty times as long.
  for (let at = 0; at < halves.length; at++)
    if ((halves[at]! & EXPONENT) === EXPONENT)
      throw new RangeError(`A vector holds ${vector[at]} where a small finite number belongs.`);
  return new Uint8Array(buffer);
}

/** Writes a stored vector into `target` from `offset` on. Throws RangeError when it does not have `dimensions` components. */
export function decodeHalfInto(target: Float32Array, offset: number, stored: Uint8Array, dimensions: number): void {
  if (stored.byteLength !== dimensions * 2) {
    throw new RangeError(`A stored vector has ${stored.byteLength / 2} dimensions instead of ${dimensions}.`);
  }
  const aligned = stored.byteOffset % 2 === 0 ? stored : stored.slice();
  target.set(new Float16Array(aligned.buffer, aligned.byteOffset, dimensions), offset);
}
