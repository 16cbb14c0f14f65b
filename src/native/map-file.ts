/** Maps a file into memory for reading, so that only the pages that are looked at take memory, shared with whoever else maps them. */
import { closeSync, fstatSync, openSync } from "node:fs";

const PROT_READ = 1;
const MAP_SHARED = 1;

/**
 * The bytes of a file, for as long as the process lives. They must not be written to. Bun's own `mmap` wants to write, and so cannot open a
 * file that its owner may only read. Throws what opening throws, and an Error when the file is empty or cannot be mapped.
 */
export async function mapFile(path: string): Promise<Uint8Array> {
  const { dlopen, toArrayBuffer } = await import("bun:ffi");
  const libc = dlopen("libc.so.6", { mmap: { args: ["ptr", "usize", "i32", "i32", "i32", "i64"], returns: "ptr" } });
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const address = libc.symbols.mmap(null, BigInt(size), PROT_READ, MAP_SHARED, file, 0n);
    // MAP_FAILED is the highest address.
    if (address === null || Number(address) < 0 || Number(address) >= 2 ** 63)
      throw new Error(`${path} cannot be mapped into memory`);
    return new Uint8Array(toArrayBuffer(address, 0, size));
  } finally {
    closeSync(file);
    libc.close();
  }
}
