/** The vector file of an index: int8 vectors, one behind the other, under a checksum for each block of rows. */
import { closeSync, fsyncSync, mkdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { BLOCK_ROWS, checksum, newVectorFile, type Checkpoint } from "./checkpoint-file.ts";
import { createSaved, openSaved, writeAt } from "./saved-file.ts";

/**
 * Hands `take` the rows of a checkpoint's vector file, block by block. Throws when the file is not, byte for byte, what was
 * written: then what was handed over before is right, and incomplete.
 */
export async function readRows(
  folder: string,
  checkpoint: Checkpoint,
  dimensions: number,
  take: (firstRow: number, vectors: Int8Array) => Promise<void>,
): Promise<void> {
  const descriptor = openSaved(join(folder, checkpoint.vectorFile));
  try {
    const block = new Int8Array(BLOCK_ROWS * dimensions);
    for (let firstRow = 0, index = 0; firstRow < checkpoint.chunkIds.length; firstRow += BLOCK_ROWS, index++) {
      const rows = Math.min(BLOCK_ROWS, checkpoint.chunkIds.length - firstRow);
      const vectors = block.subarray(0, rows * dimensions);
      readWhole(descriptor, vectors, firstRow * dimensions, checkpoint.vectorHashes[index]!);
      await take(firstRow, vectors);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Appends rows to a checkpoint's vector file, or to a new one. */
export class VectorFileWriter {
  readonly name: string;
  private readonly descriptor: number;
  private readonly hashes: string[];
  /** The rows of the last block, whole or not yet. */
  private readonly block: Int8Array;
  private blockRows: number;
  private rows: number;

  /** Throws when the checkpoint's last block is not what was written. */
  constructor(
    folder: string,
    base: Checkpoint | null,
    private readonly dimensions: number,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.name = base?.vectorFile ?? newVectorFile();
    const path = join(folder, this.name);
    this.descriptor = base ? openSaved(path, "write") : createSaved(path);
    this.block = new Int8Array(BLOCK_ROWS * dimensions);
    this.rows = base?.chunkIds.length ?? 0;
    this.blockRows = this.rows % BLOCK_ROWS;
    this.hashes = [...(base?.vectorHashes ?? [])];
    if (this.blockRows === 0) return;
    try {
      readWhole(
        this.descriptor,
        this.block.subarray(0, this.blockRows * dimensions),
        (this.rows - this.blockRows) * dimensions,
        this.hashes.pop()!,
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Appends whole rows. */
  append(vectors: Int8Array): void {
    writeAt(this.descriptor, vectors, this.rows * this.dimensions);
    for (let at = 0; at < vectors.length; ) {
      const length = Math.min(vectors.length - at, (BLOCK_ROWS - this.blockRows) * this.dimensions);
      this.block.set(vectors.subarray(at, at + length), this.blockRows * this.dimensions);
      this.blockRows += length / this.dimensions;
      at += length;
      if (this.blockRows < BLOCK_ROWS) continue;
      this.hashes.push(checksum(this.block));
      this.blockRows = 0;
    }
    this.rows += vectors.length / this.dimensions;
  }

  /** The rows from `first` on, `count` of them. */
  read(first: number, count: number): Int8Array {
    const vectors = new Int8Array(count * this.dimensions);
    readSync(this.descriptor, vectors, 0, vectors.length, first * this.dimensions);
    return vectors;
  }

  /** Makes everything appended durable and returns the checksums that a checkpoint needs. */
  finish(): string[] {
    fsyncSync(this.descriptor);
    return this.blockRows === 0
      ? this.hashes
      : [...this.hashes, checksum(this.block.subarray(0, this.blockRows * this.dimensions))];
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Fills `target` from `position` on. Throws when the file ends before or holds something else. */
function readWhole(descriptor: number, target: Int8Array, position: number, expected: string): void {
  const read = readSync(descriptor, target, 0, target.length, position);
  if (read !== target.length || checksum(target) !== expected) throw new Error("the saved vectors are damaged");
}
