/** The vectors of a checkpoint's rows: read one by one where they lie in SQLite alone, and in memory once they have been taken there. */
import type { VectorReader } from "../../store/index.ts";
import { RowMemory } from "./row-memory.ts";

/** Rows taken into memory between two pauses: some milliseconds. */
const ROWS_AT_A_TIME = 4096;

export class SavedVectors {
  /** Those in memory: the first ones. */
  readonly resident: RowMemory;

  /** `chunkIds`: the chunk of each row. `stride`: bytes of a row in memory. */
  constructor(
    private readonly reader: VectorReader,
    private readonly chunkIds: Float64Array,
    stride: number,
  ) {
    this.resident = new RowMemory(stride);
  }

  get rows(): number {
    return this.chunkIds.length;
  }

  /**
   * Takes the next rows into memory, and returns the first of them and which of them are there; a row whose chunk is no longer stored
   * stays zero. null when all rows are in memory.
   */
  takeNext(): { readonly first: number; readonly isThere: Uint8Array } | null {
    const { resident } = this;
    const first = resident.rows;
    if (first >= this.rows) return null;
    const count = resident.contiguous(Math.min(ROWS_AT_A_TIME, this.rows - first));
    const isThere = new Uint8Array(count);
    const vectors: Int8Array[] = [];
    this.reader.read(this.chunkIds.subarray(first, first + count), (at, vector) => (vectors[at] = vector));
    // Rows begin when everything is read: what cannot be read leaves none behind.
    const target = resident.append(count);
    vectors.forEach((vector, at) => {
      target.set(vector, at * resident.stride);
      isThere[at] = 1;
    });
    return { first, isThere };
  }

  /** Hands over the vectors of rows, by their place in `rows`; one whose chunk is no longer stored is left out. */
  read(rows: readonly number[], take: (at: number, vector: Int8Array) => void): void {
    this.reader.read(
      rows.map((row) => this.chunkIds[row]!),
      take,
    );
  }
}
