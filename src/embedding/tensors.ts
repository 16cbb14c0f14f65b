/** Token ids → the graph's inputs, and the graph's output → one unit vector per text. Pure. */

import { fail } from "../foundation/errors.ts";
import type { ModelManifest } from "./manifest.ts";

/** A batch of texts as rows of equal length; both arrays are `rows × columns`. */
export interface TokenMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly ids: BigInt64Array;
  /** 1 for a token, 0 for padding. */
  readonly mask: BigInt64Array;
  /** Columns of each row that hold tokens: from the first number up to, not including, the second. */
  readonly spans: ReadonlyArray<readonly [number, number]>;
}

/** Lays texts' ids in rows as long as the longest of them, at least 1, padded on the side that the model was made for. */
export function toTokenMatrix(texts: ReadonlyArray<readonly number[]>, padding: ModelManifest["padding"]): TokenMatrix {
  const rows = texts.length;
  const columns = Math.max(1, ...texts.map((ids) => ids.length));
  const ids = new BigInt64Array(rows * columns).fill(BigInt(padding.tokenId));
  const mask = new BigInt64Array(rows * columns);
  const spans = texts.map((text, row): [number, number] => {
    const first = padding.side === "left" ? columns - text.length : 0;
    for (let at = 0; at < text.length; at += 1) ids[row * columns + first + at] = BigInt(text[at] as number);
    mask.fill(1n, row * columns + first, row * columns + first + text.length);
    return [first, first + text.length];
  });
  return { rows, columns, ids, mask, spans };
}

/** Position of each token in its text, from 0; padding has 0. */
export function positionIds({ rows, columns, spans }: TokenMatrix): BigInt64Array {
  const positions = new BigInt64Array(rows * columns);
  spans.forEach(([first, end], row) => {
    for (let column = first; column < end; column += 1) positions[row * columns + column] = BigInt(column - first);
  });
  return positions;
}

/**
 * Writes one vector per text into `target`, which holds `rows × dimensions` numbers.
 *
 * `output` is the graph's: `rows × dimensions` with pooling "none", else `rows × columns × dimensions`. A text without
 * tokens, or whose vector is nothing, has no meaning to find: it gets the first axis. Throws INTERNAL when a vector is
 * not finite, or is not of unit length although the manifest says that the graph makes it so.
 */
export function poolInto(
  target: Float32Array,
  output: Float32Array,
  matrix: Pick<TokenMatrix, "columns" | "spans">,
  manifest: ModelManifest,
): void {
  const { dimensions, pooling, normalise } = manifest;
  matrix.spans.forEach(([first, end], row) => {
    const vector = target.subarray(row * dimensions, (row + 1) * dimensions);
    if (first === end) {
      vector.fill(0);
      vector[0] = 1;
      return;
    }
    const vectorAt = (place: number) => output.subarray(place * dimensions, (place + 1) * dimensions);
    const start = row * matrix.columns;
    if (pooling === "none") vector.set(vectorAt(row));
    else if (pooling === "cls") vector.set(vectorAt(start + first));
    else if (pooling === "last") vector.set(vectorAt(start + end - 1));
    else setToMean(vector, output.subarray((start + first) * dimensions, (start + end) * dimensions));
    finish(vector, normalise);
  });
}

/** `tokens` are vectors laid end to end. */
function setToMean(vector: Float32Array, tokens: Float32Array): void {
  vector.fill(0);
  for (let at = 0; at < tokens.length; at += 1) {
    const axis = at % vector.length;
    vector[axis] = (vector[axis] as number) + (tokens[at] as number);
  }
  const count = tokens.length / vector.length;
  for (let axis = 0; axis < vector.length; axis += 1) vector[axis] = (vector[axis] as number) / count;
}

/** What single precision and quantised graphs may leave of a unit vector's length. */
const LENGTH_TOLERANCE = 1e-3;

function finish(vector: Float32Array, normalise: boolean): void {
  let squares = 0;
  // By place: going through an array's values one by one takes ten times as long.
  for (let at = 0; at < vector.length; at += 1) squares += (vector[at] as number) * (vector[at] as number);
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length))
    throw fail("INTERNAL", {}, undefined, new Error("the model made a vector that is not finite"));
  if (length === 0) {
    vector[0] = 1;
  } else if (normalise) {
    for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] as number) / length;
  } else if (Math.abs(length - 1) > LENGTH_TOLERANCE) {
    throw fail(
      "INTERNAL",
      {},
      undefined,
      new Error(`the model made a vector of length ${length}; its manifest should say "normalise": true`),
    );
  }
}
