/**
 * What there is of a large file between two steps of its upload: on disk, so that its size costs no memory. A spool holds pieces one after
 * the other, each behind its length, and belongs to whoever named its path.
 */
import { deserialize, serialize } from "bun:jsc";
import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { letOthersIn } from "../foundation/let-others-in.ts";
import { toStorageError } from "./reserve-file.ts";

const LENGTH_BYTES = 4;

/** Writes pieces into a new file of mode 0600, or appends them to one that `spool` has made. Throws INSUFFICIENT_STORAGE. */
export async function spool(path: string, pieces: Iterable<unknown>, isNew: boolean): Promise<void> {
  try {
    await append(path, pieces, isNew ? "wx" : "a");
  } catch (error) {
    throw toStorageError(error);
  }
}

async function append(path: string, pieces: Iterable<unknown>, flag: "wx" | "a"): Promise<void> {
  const file = await open(path, flag, 0o600);
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(serialize(piece));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(bytes.length);
      await file.writev([length, bytes]);
      await letOthersIn();
    }
  } finally {
    await file.close();
  }
}

/**
 * The pieces in their order, each read when it is asked for; more may be appended meanwhile. Throws RangeError where the file is not as
 * `spool` left it.
 */
export function* readSpool<Piece>(path: string): Generator<Piece> {
  const file = openSync(path, "r");
  try {
    const length = Buffer.alloc(LENGTH_BYTES);
    while (readWhole(file, length, path)) {
      const bytes = Buffer.alloc(length.readUInt32LE());
      if (!readWhole(file, bytes, path)) throw cutOff(path);
      yield deserialize(bytes) as Piece;
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

const cutOff = (path: string): RangeError => new RangeError(`What was laid by in ${path} is cut off.`);
