/** A vocabulary of a few pieces and a table of random rows, in the shape of the built-in model's. */
import { vocabularyOf } from "../../src/ranking/vocabulary.ts";

export const DIMENSIONS = 1536;
const GROUP = 32;

/** Numbers in 0-1 that are the same every time. */
export function draws(seed: number): () => number {
  let state = seed;
  return () => ((state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) >>> 0) / 2 ** 32;
}

export interface TinyTable {
  readonly vocabulary: ReturnType<typeof vocabularyOf>;
  readonly bytes: Uint8Array;
  /** The row of each token as numbers, in the model's order. */
  readonly rows: Float64Array[];
}

export function tinyTable(pieces: readonly string[], seed = 1): TinyTable {
  const draw = draws(seed);
  const bytes = new Uint8Array(pieces.length * (DIMENSIONS / 2 + (DIMENSIONS / GROUP) * 2));
  const scales = new Float16Array(bytes.buffer, (pieces.length * DIMENSIONS) / 2);
  const rows = pieces.map((_, token) => {
    const row = new Float64Array(DIMENSIONS);
    for (let group = 0; group < DIMENSIONS / GROUP; group++)
      scales[(token * DIMENSIONS) / GROUP + group] = 0.01 + draw() / 10;
    for (let at = 0; at < DIMENSIONS; at += 2) {
      const byte = Math.floor(draw() * 256);
      bytes[(token * DIMENSIONS + at) / 2] = byte;
      const scale = scales[(token * DIMENSIONS) / GROUP + Math.floor(at / GROUP)]!;
      row[at] = ((byte & 15) - 8) * scale;
      row[at + 1] = ((byte >> 4) - 8) * scale;
    }
    return row;
  });
  return { vocabulary: vocabularyOf(pieces), bytes, rows };
}
