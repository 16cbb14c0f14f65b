/**
 * Whether a folder holds a group of embedded files as they were unpacked, so that code may be loaded from it.
 *
 * Every file must be one of this user's or root's, writable by nobody else, and have the SHA-256 that the build recorded. Hashing
 * a hundred megabytes takes up to half a second, at every start: so a record beside the files tells which inodes were found
 * right, and when they last changed. That time (ctime) is the kernel's: whoever writes a file, swaps it, or changes its owner or mode
 * moves it, and cannot set it back. The record itself must be this user's or root's and writable by nobody else, like the files: a
 * stranger who could have forged it could not have made it so.
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  type BigIntStats,
} from "node:fs";
import { join } from "node:path";
import type { EmbeddedGroup } from "./embedded.ts";

const RECORD = ".verified";
const BLOCK_BYTES = 1024 * 1024;
const OTHERS_MAY_WRITE = 0o022n;

/** Why the folder is not to be trusted, null when it is. With `everyByte` the record does not count. Does not throw. */
export function distrustOf(folder: string, { files }: EmbeddedGroup, everyByte = false): string | null {
  try {
    requireOurs(folder, lstatSync(folder, { bigint: true }), "directory");
    const lines = Object.entries(files).map(([name, file]) => {
      const path = join(folder, name);
      const found = lstatSync(path, { bigint: true });
      requireOurs(path, found, "file");
      if (Number(found.size) !== file.size) throw new Error(`${path} has another size`);
      return recordLine(name, found);
    });
    if (!everyByte && isRecorded(folder, lines)) return null;
    for (const [name, file] of Object.entries(files)) {
      if (sha256OfFile(join(folder, name)) !== file.sha256)
        throw new Error(`${join(folder, name)} has another content`);
    }
    record(folder, lines);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Makes files that were just written from the right bytes durable, and records them. */
export function recordFiles(folder: string, { files }: EmbeddedGroup): void {
  const lines = Object.keys(files).map((name) => {
    const path = join(folder, name);
    sync(path);
    return recordLine(name, lstatSync(path, { bigint: true }));
  });
  record(folder, lines);
}

/** SHA-256, hexadecimal. */
export const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

function requireOurs(path: string, found: BigIntStats, kind: "file" | "directory"): void {
  if (kind === "file" ? !found.isFile() : !found.isDirectory()) throw new Error(`${path} is no ${kind}`);
  if (found.uid !== 0n && Number(found.uid) !== process.geteuid?.()) throw new Error(`${path} belongs to another user`);
  if ((found.mode & OTHERS_MAY_WRITE) !== 0n) throw new Error(`${path} can be changed by other users`);
}

const recordLine = (name: string, { ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${name} ${ino} ${size} ${mtimeNs} ${ctimeNs}\n`;

function isRecorded(folder: string, lines: readonly string[]): boolean {
  const path = join(folder, RECORD);
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return false;
  requireOurs(path, found, "file");
  return readFileSync(path, "utf8") === lines.join("");
}

function record(folder: string, lines: readonly string[]): void {
  const temporary = join(folder, `${RECORD}-${crypto.randomUUID()}`);
  try {
    writeFileSync(temporary, lines.join(""), { mode: 0o400, flag: "wx" });
    renameSync(temporary, join(folder, RECORD));
  } catch {
    // A cache that root has filled and this user only reads: it is hashed at every start.
  }
}

/** Block by block: a server would keep what it reads at one go for its lifetime. */
function sha256OfFile(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const hasher = new Bun.CryptoHasher("sha256");
    const block = new Uint8Array(BLOCK_BYTES);
    for (;;) {
      const read = readSync(descriptor, block);
      if (read === 0) return hasher.digest("hex");
      hasher.update(block.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
