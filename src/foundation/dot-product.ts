/** How alike two vectors are. Pure. */

/** Dot product of two vectors of the same dimensions: their cosine where both are of unit length. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  // Four sums, so that the additions do not wait for one another.
  let a = 0,
    b = 0,
    c = 0,
    d = 0;
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
