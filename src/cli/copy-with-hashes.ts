/** Copies large files while hashing them, with progress, so that they appear whole or not at all. */
import { createHash } from "node:crypto";
import { mkdir, open, rename, rm, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { flush } from "../files/durable.ts";
import { startByteProgress } from "./progress.ts";

const PIECE_BYTES = 4 << 20;

/** SHA-256 by file name. */
export type Hashes = Record<string, string>;

/**
 * Copies files into the new folder `target`, which gets its name once `accept` has approved the copy and its hashes. Whatever
 * fails, nothing of it stays. Throws OPERATION_FAILED when the disk has no room.
 */
export async function copyWithHashes(
  files: readonly string[],
  bytes: number,
  target: string,
  accept: (copy: string, hashes: Hashes) => Promise<void>,
): Promise<Hashes> {
  const models = dirname(target);
  const { bavail, bsize } = await statfs(models);
  if (bytes > bavail * bsize)
    throw fail("OPERATION_FAILED", {
      reason: `The model has ${gigabytes(bytes)}, and ${models} has room for ${gigabytes(bavail * bsize)}.`,
    });
  const aside = join(models, `.${crypto.randomUUID()}.partial`);
  await mkdir(aside, { mode: 0o700 });
  const progress = startByteProgress(bytes);
  try {
    const hashes: Hashes = {};
    for (const file of files)
      hashes[basename(file)] = await readThrough(file, join(aside, basename(file)), progress.advance);
    progress.finish();
    await accept(aside, hashes);
    await flush(aside);
    await rename(aside, target);
    await flush(models);
    return hashes;
  } catch (error) {
    progress.finish();
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

/** The SHA-256 of files, with progress. */
export async function hashFiles(files: readonly string[], bytes: number): Promise<Hashes> {
  const progress = startByteProgress(bytes);
  const hashes: Hashes = {};
  for (const file of files) hashes[basename(file)] = await readThrough(file, null, progress.advance);
  progress.finish();
  return hashes;
}

export const gigabytes = (bytes: number): string =>
  bytes < 1e8 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** Reads a file to its end, copies it where a copy is wanted, and returns its SHA-256. */
async function readThrough(path: string, copy: string | null, advance: (bytes: number) => void): Promise<string> {
  const hash = createHash("sha256");
  const source = await open(path, "r");
  const target = copy === null ? null : await open(copy, "wx", 0o600);
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await source.read(piece, 0, piece.length, null);
      if (bytesRead === 0) break;
      const read = piece.subarray(0, bytesRead);
      hash.update(read);
      await target?.writeFile(read);
      advance(bytesRead);
    }
    await target?.sync();
    return hash.digest("hex");
  } finally {
    await source.close();
    await target?.close();
  }
}
