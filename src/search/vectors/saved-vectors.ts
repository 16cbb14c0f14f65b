/** The int8 vectors of a checkpoint: read one by one where they lie in the file alone, and in memory once they have been taken there. */
import { blockSpace, type RowFileReader } from "./row-file.ts";
import { RowMemory } from "./row-memory.ts";

/** Files of vectors that nobody holds any more. */
const closing = new FinalizationRegistry<RowFileReader>((reader) => reader.close());

export class SavedVectors {
  /** Those in memory: the first ones. */
  readonly resident: RowMemory;
  private nextBlock = 0;
  private space: Int8Array | null = null;

  constructor(
    private readonly reader: RowFileReader,
    private readonly dimensions: number,
    stride: number,
  ) {
    this.resident = new RowMemory(stride);
    closing.register(this, reader);
  }

  get rows(): number {
    return this.reader.rows;
  }

  /** Takes the next few thousand into memory, some milliseconds. False when all are there. Throws when they are not what was written. */
  takeNext(): boolean {
    if (this.nextBlock >= this.reader.blocks) return false;
    this.space ??= blockSpace(this.dimensions);
    const block = this.reader.block(this.nextBlock, this.space);
    for (let at = 0; at < block.length; ) {
      const rows = this.resident.contiguous((block.length - at) / this.dimensions);
      const target = this.resident.append(rows);
      for (let row = 0; row < rows; row++, at += this.dimensions)
        target.set(block.subarray(at, at + this.dimensions), row * this.resident.stride);
    }
    this.nextBlock++;
    if (this.nextBlock === this.reader.blocks) this.space = null;
    return true;
  }

  /** Reads a row to the beginning of `target`; from the file unchecked. False when the file ends before. */
  read(row: number, target: Int8Array): boolean {
    if (row >= this.resident.rows) return this.reader.row(row, target);
    target.set(this.resident.row(row).subarray(0, this.dimensions));
    return true;
  }
}
