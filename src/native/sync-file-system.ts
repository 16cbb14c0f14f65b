/** One flush for thousands of new files, where an fsync of each would take minutes. */
import { dlopen } from "bun:ffi";
import { closeSync, fsyncSync, openSync } from "node:fs";

/** Returns once everything written to the file system that holds a folder is on disk. Throws where the disk failed to take it. */
export function syncFileSystem(folder: string): void {
  const descriptor = openSync(folder, "r");
  const libc = dlopen("libc.so.6", { syncfs: { args: ["i32"], returns: "i32" } });
  try {
    if (libc.symbols.syncfs(descriptor) !== 0)
      throw new Error(`${folder} cannot be written: the disk reports an error.`);
    fsyncSync(descriptor);
  } finally {
    libc.close();
    closeSync(descriptor);
  }
}
