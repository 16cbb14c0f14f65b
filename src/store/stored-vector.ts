/**
 * Vectors as the database keeps them: ten bits a component, and one scale for all of them. Two unit vectors' cosine moves by less than
 * 0.0002 by it, a tenth of what lies between neighbours among a hundred thousand passages.
 *
 *   scale       float32, little endian: what a component of 1 stands for
 *   high bits   int8 for each component
 *   low bits    two for each component, those of the first in the lowest bits of the first byte
 *   padding     as much as makes the number of bytes odd
 *
 * Earlier versions kept half precision, two bytes a component: an even number of bytes, and still read. Every machine Lectern runs on is
 * little endian, so no byte is swapped.
 */

/** A vector on its way into the database. Whoever holds many of them may hold them in half precision, which is finer than what is stored. */
export type Vector = Float32Array | Float16Array;

const SCALE_BYTES = 4;
/** The largest component becomes this. */
const MOST = 511;

/** Bytes of a stored vector. */
export function storedBytesOf(dimensions: number): number {
  return (SCALE_BYTES + dimensions + Math.ceil(dimensions / 4)) | 1;
}

/** Throws RangeError when a component is not finite. */
export function encodeVector(vector: Vector): Uint8Array {
  // Reading halves one by one takes thirty times as long.
  const components = vector instanceof Float32Array ? vector : new Float32Array(vector);
  let largest = 0;
  // NaN where one of them is.
  for (let at = 0; at < components.length; at++) largest = Math.max(largest, Math.abs(components[at]!));
  if (!Number.isFinite(largest))
    throw new RangeError("A vector holds a component that is no finite number, and cannot be stored.");

  const stored = new Uint8Array(storedBytesOf(components.length));
  new DataView(stored.buffer).setFloat32(0, largest / MOST, true);
  const perScale = largest === 0 ? 0 : MOST / largest;
  const low = SCALE_BYTES + components.length;
  for (let at = 0; at < components.length; at++) {
    // Rounded as whole numbers, by what is cut off: the sum is never below nothing.
    const level = ((components[at]! * perScale + (MOST + 1.5)) | 0) - (MOST + 1);
    stored[SCALE_BYTES + at] = level >> 2;
    stored[low + (at >> 2)]! |= (level & 3) << ((at & 3) << 1);
  }
  return stored;
}

/** SQL: whether a row's vector is in half precision. */
export const IS_EARLIER_FORM = "length(vector) % 2 = 0";

/** The present form of a vector that is stored in half precision. */
export function encodeAnew(stored: Uint8Array): Uint8Array {
  const dimensions = stored.byteLength / 2;
  const vector = new Float32Array(dimensions);
  decodeHalf(vector, 0, stored, dimensions);
  return encodeVector(vector);
}

/** Writes a stored vector into `target` from `offset` on. Throws RangeError when it does not have `dimensions` components. */
export function decodeVectorInto(target: Float32Array, offset: number, stored: Uint8Array, dimensions: number): void {
  if (stored.byteLength === dimensions * 2) decodeHalf(target, offset, stored, dimensions);
  else if (stored.byteLength === storedBytesOf(dimensions)) decodeTenBits(target, offset, stored, dimensions);
  else throw new RangeError(`A stored vector of ${stored.byteLength} bytes does not have ${dimensions} dimensions.`);
}

function decodeTenBits(target: Float32Array, offset: number, stored: Uint8Array, dimensions: number): void {
  const scale = new DataView(stored.buffer, stored.byteOffset).getFloat32(0, true);
  const high = new Int8Array(stored.buffer, stored.byteOffset + SCALE_BYTES, dimensions);
  const low = SCALE_BYTES + dimensions;
  for (let at = 0; at < dimensions; at++)
    target[offset + at] = ((high[at]! << 2) | ((stored[low + (at >> 2)]! >> ((at & 3) << 1)) & 3)) * scale;
}

function decodeHalf(target: Float32Array, offset: number, stored: Uint8Array, dimensions: number): void {
  const aligned = stored.byteOffset % 2 === 0 ? stored : stored.slice();
  target.set(new Float16Array(aligned.buffer, aligned.byteOffset, dimensions), offset);
}
