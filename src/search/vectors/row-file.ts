/** Files of rows of equal length, one behind the other, under a checksum for each block of rows. */
import { closeSync, fsyncSync, mkdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { BLOCK_ROWS, checksum, type RowFile } from "./checkpoint-file.ts";
import { createSaved, openSaved, writeAt } from "../saved-file.ts";

/** Reads the first `rows` rows of a file, block by block. */
export class RowFileReader {
  private readonly descriptor: number;

  /** Throws when it is no file or cannot be opened. */
  constructor(
    folder: string,
    private readonly saved: RowFile,
    readonly rows: number,
    private readonly rowBytes: number,
  ) {
    this.descriptor = openSaved(join(folder, saved.file));
  }

  get blocks(): number {
    return this.saved.hashes.length;
  }

  /** The rows of a block. Valid until the next is read into the same `space`, which has room for BLOCK_ROWS rows. Throws when they are not, byte for byte, what was written. */
  block(index: number, space: Int8Array): Int8Array {
    const first = index * BLOCK_ROWS;
    const target = space.subarray(0, Math.min(BLOCK_ROWS, this.rows - first) * this.rowBytes);
    readWhole(this.descriptor, target, first * this.rowBytes, this.saved.hashes[index]!);
    return target;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Room for one block. */
export const blockSpace = (rowBytes: number): Int8Array => new Int8Array(BLOCK_ROWS * rowBytes);

/** Appends rows to a saved file, or to a new one. */
export class RowFileWriter {
  private readonly descriptor: number;
  private readonly hashes: string[];
  /** The rows of the last block, whole or not yet. */
  private readonly block: Int8Array;
  private blockRows: number;

  /** `base`: the file and how many rows of it count; null: a new one is made. Throws when the last block of it is not what was written. */
  constructor(
    folder: string,
    readonly name: string,
    base: { readonly saved: RowFile; readonly rows: number } | null,
    private readonly rowBytes: number,
    private rows = base?.rows ?? 0,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, name);
    this.descriptor = base ? openSaved(path, "write") : createSaved(path);
    this.block = blockSpace(rowBytes);
    this.blockRows = rows % BLOCK_ROWS;
    this.hashes = [...(base?.saved.hashes ?? [])];
    if (this.blockRows === 0) return;
    try {
      const begun = this.block.subarray(0, this.blockRows * rowBytes);
      readWhole(this.descriptor, begun, (rows - this.blockRows) * rowBytes, this.hashes.pop()!);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Appends whole rows. */
  append(bytes: Int8Array): void {
    writeAt(this.descriptor, bytes, this.rows * this.rowBytes);
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(bytes.length - at, (BLOCK_ROWS - this.blockRows) * this.rowBytes);
      this.block.set(bytes.subarray(at, at + length), this.blockRows * this.rowBytes);
      this.blockRows += length / this.rowBytes;
      at += length;
      if (this.blockRows < BLOCK_ROWS) continue;
      this.hashes.push(checksum(this.block));
      this.blockRows = 0;
    }
    this.rows += bytes.length / this.rowBytes;
  }

  /** Makes everything appended durable and returns what a checkpoint says of the file. */
  finish(): RowFile {
    fsyncSync(this.descriptor);
    const last = this.block.subarray(0, this.blockRows * this.rowBytes);
    return { file: this.name, hashes: this.blockRows === 0 ? this.hashes : [...this.hashes, checksum(last)] };
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Fills `target` from `position` on. Throws when the file ends before or holds something else. */
function readWhole(descriptor: number, target: Int8Array, position: number, expected: string): void {
  const read = readSync(descriptor, target, 0, target.length, position);
  if (read !== target.length || checksum(target) !== expected) throw new Error("the saved sketches are damaged");
}
