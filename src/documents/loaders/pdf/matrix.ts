/** Transformations of a plane, as PDF writes them: [a b c d e f]. */

export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** What `inner` does first and `outer` then. */
export function combined([a, b, c, d, e, f]: Matrix, [k, l, m, n, o, p]: Matrix): Matrix {
  return [a * k + c * l, b * k + d * l, a * m + c * n, b * m + d * n, a * o + c * p + e, b * o + d * p + f];
}

/** Null for one that flattens the plane. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | null {
  const size = a * d - b * c;
  if (!Number.isFinite(size) || Math.abs(size) < 1e-12) return null;
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
}

/** Six numbers of a list that may be of any kind; null where they are not there. */
export function matrixOf(value: unknown): Matrix | null {
  const numbers = ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value as ArrayLike<number>) : [];
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : null;
}
