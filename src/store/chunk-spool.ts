/**
 * Chunks of a large file between embedding and storing: on disk, so that their number costs no memory. The file holds pieces one after
 * the other, each behind its length; it is read once, inside the transaction that stores it, and belongs to whoever named its path.
 */
import { deserialize, serialize } from "bun:jsc";
import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import type { ChunkPiece } from "./write-requests.ts";

const LENGTH_BYTES = 4;

/** A piece of one file: whose it is stands with the file. */
export type SpooledPiece = Omit<ChunkPiece, "fileIndex">;

/** Writes pieces into a new file of mode 0600, or appends them to one that `spool` has made. Throws what the file system says. */
export async function spool(path: string, pieces: Iterable<SpooledPiece>, isNew: boolean): Promise<void> {
  const file = await open(path, isNew ? "wx" : "a", 0o600);
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(serialize(piece));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(bytes.length);
      await file.writev([length, bytes]);
    }
  } finally {
    await file.close();
  }
}

/** The pieces in their order, one at a time. Throws RangeError where the file is not as `spool` left it. */
export function* readSpool(path: string): Generator<SpooledPiece> {
  const file = openSync(path, "r");
  try {
    const length = Buffer.alloc(LENGTH_BYTES);
    while (readWhole(file, length, path)) {
      const bytes = Buffer.alloc(length.readUInt32LE());
      if (!readWhole(file, bytes, path)) throw cutOff(path);
      yield deserialize(bytes) as SpooledPiece;
    }
  } finally {
    closeSync(file);
  }
}

/** False at the end of the file. */
function readWhole(file: number, target: Buffer, path: string): boolean {
  let filled = 0;
  while (filled < target.length) {
    const read = readSync(file, target, filled, target.length - filled, null);
    if (read === 0 && filled === 0) return false;
    if (read === 0) throw cutOff(path);
    filled += read;
  }
  return true;
}

const cutOff = (path: string): RangeError => new RangeError(`The chunks that were laid by in ${path} are cut off.`);
