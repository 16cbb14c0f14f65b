/** Token ids → the graph's inputs, and the graph's output → one unit vector per text. Pure. */

import { fail } from "../errors.ts";
import type { ModelManifest } from "./manifest.ts";

/** A batch of texts as rows of equal length; both arrays are `rows × columns`. */
export interface TokenMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly ids: BigInt64Array;
  /** 1 for a token, 0 for padding. */
  readonly mask: BigInt64Array;
}

/** Lays texts' ids in rows as long as the longest of them, at least 1, padded on the side that the model was made for. */
export function toTokenMatrix(texts: ReadonlyArray<readonly number[]>, padding: ModelManifest["padding"]): TokenMatrix {
  const rows = texts.length;
  const columns = Math.max(1, ...texts.map((ids) => ids.length));
  const ids = new BigInt64Array(rows * columns).fill(BigInt(padding.tokenId));
  const mask = new BigInt64Array(rows * columns);
  texts.forEach((text, row) => {
    const start = row * columns + (padding.side === "left" ? columns - text.length : 0);
    for (let at = 0; at < text.length; at += 1) ids[start + at] = BigInt(text[at] as number);
    mask.fill(1n, start, start + text.length);
  });
  return { rows, columns, ids, mask };
}

/** Position of each token in its text, from 0; padding has 0. */
export function positionIds({ rows, columns, mask }: TokenMatrix): BigInt64Array {
  const positions = new BigInt64Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    let next = 0n;
    for (let at = row * columns; at < (row + 1) * columns; at += 1) if (mask[at] === 1n) positions[at] = next++;
  }
  return positions;
}

/**
 * Writes one vector per text into `target`, which holds `rows × dimensions` numbers.
 *
 * `output` is the graph's: `rows × dimensions` with pooling "none", else `rows × columns × dimensions`. A text without
 * tokens has no meaning to find: it gets the first axis. Throws INTERNAL when a vector is not finite, or is not of unit
 * length although the manifest says that the graph makes it so.
 */
export function poolInto(target: Float32Array, output: Float32Array, matrix: TokenMatrix, manifest: ModelManifest): void {
  const { dimensions, pooling, normalise } = manifest;
  for (let row = 0; row < matrix.rows; row += 1) {
    const vector = target.subarray(row * dimensions, (row + 1) * dimensions);
    const tokens = tokenColumns(matrix, row);
    if (tokens.length === 0) {
      vector.fill(0);
      vector[0] = 1;
      continue;
    }
    const columnAt = (column: number) => {
      const start = (row * matrix.columns + column) * dimensions;
      return output.subarray(start, start + dimensions);
    };
    if (pooling === "none") vector.set(output.subarray(row * dimensions, (row + 1) * dimensions));
    else if (pooling === "cls") vector.set(columnAt(tokens[0] as number));
    else if (pooling === "last") vector.set(columnAt(tokens[tokens.length - 1] as number));
    else setToMean(vector, tokens.map(columnAt));
    finish(vector, normalise);
  }
}

function tokenColumns({ columns, mask }: TokenMatrix, row: number): number[] {
  const found: number[] = [];
  for (let column = 0; column < columns; column += 1) if (mask[row * columns + column] === 1n) found.push(column);
  return found;
}

function setToMean(vector: Float32Array, tokens: readonly Float32Array[]): void {
  for (let at = 0; at < vector.length; at += 1) {
    let sum = 0;
    for (const token of tokens) sum += token[at] as number;
    vector[at] = sum / tokens.length;
  }
}

/** What single precision and quantised graphs may leave of a unit vector's length. */
const LENGTH_TOLERANCE = 1e-3;

function finish(vector: Float32Array, normalise: boolean): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) throw fail("INTERNAL", {}, undefined, new Error("the model made a vector that has no direction"));
  if (normalise) {
    for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] as number) / length;
  } else if (Math.abs(length - 1) > LENGTH_TOLERANCE) {
    throw fail("INTERNAL", {}, undefined, new Error(`the model made a vector of length ${length}; its manifest should say "normalise": true`));
  }
}
