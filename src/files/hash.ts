/** SHA-256 of files, in slices between which other work is let in. */
import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";

/** Hashed in about a millisecond. */
const SLICE_BYTES = 256 * 1024;

/** Hexadecimal, with the bytes that were read: from the file's beginning to its end. */
export async function hashFile(handle: FileHandle): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  const slice = Buffer.allocUnsafe(SLICE_BYTES);
  for (let size = 0; ; ) {
    const { bytesRead } = await handle.read(slice, 0, SLICE_BYTES, size);
    if (bytesRead === 0) return { sha256: hash.digest("hex"), size };
    hash.update(slice.subarray(0, bytesRead));
    size += bytesRead;
  }
}

/** The same of the file at a path. */
export async function hashFileAt(path: string): Promise<{ sha256: string; size: number }> {
  const handle = await open(path, "r");
  try {
    return await hashFile(handle);
  } finally {
    await handle.close();
  }
}
