/** Opens, writes and syncs the files of an index. What lies in their place and is no file (a folder, a pipe, a link) is refused, and never waited for. */
import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";

/** A link is not followed, and a pipe that nobody writes opens at once. */
const CAUTIOUSLY = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a file that is there, for reading or for both. Throws when it is no file or cannot be opened. */
export function openSaved(path: string, access: "read" | "write" = "read"): number {
  const descriptor = openSync(path, CAUTIOUSLY | (access === "read" ? constants.O_RDONLY : constants.O_RDWR));
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`${path} is no file`);
}

/** Makes a new file, private to its owner, for reading and writing. Throws when something has its name. */
export function createSaved(path: string): number {
  return openSync(path, "wx+", 0o600);
}

export function writeAt(descriptor: number, bytes: Uint8Array | Int8Array, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

/** Makes what a file or folder holds durable. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
