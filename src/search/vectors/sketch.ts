/**
 * What a search needs of every row before it looks at vectors: its sign bits and its squared length. Together they also tell whether
 * a vector that is read later is the one they were made of: whatever bit of a component changes, its square or its sign does. Pure.
 */

/** Bytes of sign bits that every row is sieved by. */
const FIRST_BYTES = 48;
/** Bytes of the others, no more than the kernel counts. */
const MOST_OTHER_BYTES = 31 * 16;
/** Sign bits of a vector: whole registers, so whole 128 components, and not without end. */
const MOST_SIGN_BYTES = 64 + MOST_OTHER_BYTES;

/** Bytes of sign bits of a row. */
export const signBytesOf = (dimensions: number): number => Math.min(Math.ceil(dimensions / 128) * 16, MOST_SIGN_BYTES);

/** Bytes of those that every row is sieved by: the first ones. */
export const firstSignBytesOf = (dimensions: number): number =>
  Math.max(Math.min(signBytesOf(dimensions), FIRST_BYTES), signBytesOf(dimensions) - MOST_OTHER_BYTES);

/** Bytes of a sketch as it is saved: the sign bits, then the squared length as a little-endian number of 32 bits. */
export const sketchBytesOf = (dimensions: number): number => signBytesOf(dimensions) + 4;

/** Writes the sketch of an int8 vector: a bit is set where a component is positive. */
export function writeSketch(vector: Int8Array, target: Int8Array): void {
  const signBytes = signBytesOf(vector.length);
  target.fill(0, 0, signBytes);
  let square = 0;
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at]!;
    square += value * value;
    if (value > 0 && at >> 3 < signBytes) target[at >> 3]! |= 1 << (at & 7);
  }
  new DataView(target.buffer, target.byteOffset).setInt32(signBytes, square, true);
}
