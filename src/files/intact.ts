/** Stored bytes that are, to the last one, what was uploaded: nothing else is ever handed out. */
import { constants, type BigIntStats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { hashFile } from "./hash.ts";

/** What the store knows of a file's bytes. */
export interface ExpectedBytes {
  /** Bytes; null where that was never recorded. */
  readonly size: number | null;
  /** Hexadecimal; null for files stored before it was recorded. */
  readonly sha256: string | null;
}

/** Milliseconds for which a file that has not been touched since need not be read whole again: a player asks for many ranges. */
const TRUSTED_MILLISECONDS = 60_000;
/** Files remembered as whole. */
const MOST_REMEMBERED = 1000;

/** Path → what the file system said of the file when it was found whole, and when that was. Oldest first. */
const found = new Map<string, { readonly signature: string; readonly at: number }>();

class DamagedFile extends Error {}

/** Whether an error says that a stored file is not what was uploaded. */
export const isDamaged = (error: unknown): error is Error => error instanceof DamagedFile;

/**
 * Returns when all bytes at `path` are known to be right. Links are not followed. Throws an error that `isDamaged` knows when they are
 * not what was uploaded, ENOENT when nothing is there.
 */
export async function checkIntact(path: string, expected: ExpectedBytes): Promise<void> {
  const handle = await openRegular(path);
  try {
    const information = await handle.stat({ bigint: true });
    if (!information.isFile()) throw new DamagedFile(`${path} is not a file.`);
    if (expected.size !== null && information.size !== BigInt(expected.size))
      throw new DamagedFile(`${path} has ${information.size} bytes; ${expected.size} were uploaded.`);
    if (expected.sha256 !== null) await checkHash(handle, path, signatureOf(information), expected.sha256);
  } finally {
    await handle.close();
  }
}

async function openRegular(path: string): Promise<FileHandle> {
  try {
    // Without waiting: a pipe in a file's place would wait for its other end for ever.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") throw new DamagedFile(`${path} is a link.`);
    throw error;
  }
}

async function checkHash(handle: FileHandle, path: string, signature: string, sha256: string): Promise<void> {
  const known = found.get(path);
  if (
    known?.signature === `${signature} ${sha256}` &&
    Date.now() - known.at < TRUSTED_MILLISECONDS &&
    known.at <= Date.now()
  )
    return;
  found.delete(path);
  if ((await hashFile(handle)).sha256 !== sha256)
    throw new DamagedFile(`The bytes of ${path} are not those that were uploaded.`);
  found.set(path, { signature: `${signature} ${sha256}`, at: Date.now() });
  for (const oldest of found.keys()) {
    if (found.size <= MOST_REMEMBERED) break;
    found.delete(oldest);
  }
}

const signatureOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(" ");
