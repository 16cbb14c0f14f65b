/** The graph file of an index. USearch does not look whether it is whole, and damage crashes it: so it is checked before. */
import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { BLOCK_BYTES, checksum, newGraphFile, type SavedGraph } from "./checkpoint-file.ts";
import { createSaved, openSaved, syncPath } from "../saved-file.ts";

/** Saves a graph under a new name, durably. `save` writes it to the path it is given. */
export async function saveGraph(
  folder: string,
  rows: number,
  save: (path: string) => void,
  pause: () => Promise<void>,
): Promise<SavedGraph> {
  const file = newGraphFile();
  const path = join(folder, file);
  // Made before USearch opens it, so that it is private from its first byte.
  closeSync(createSaved(path));
  save(path);
  syncPath(path);
  return { file, ...(await hashFile(path, pause)), rows };
}

/** The graph's path, after every byte was found to be the one that was written. Throws when one is not. `pause` is awaited between slices of work. */
export async function wholeGraphFile(folder: string, graph: SavedGraph, pause: () => Promise<void>): Promise<string> {
  const path = join(folder, graph.file);
  const { bytes, hashes } = await hashFile(path, pause, graph.bytes);
  if (bytes !== graph.bytes || hashes.some((hash, index) => hash !== graph.hashes[index]))
    throw new Error("the saved graph is damaged");
  return path;
}

/** With `expected`, a file of another length is not read. */
async function hashFile(
  path: string,
  pause: () => Promise<void>,
  expected?: number,
): Promise<{ bytes: number; hashes: string[] }> {
  const descriptor = openSaved(path);
  try {
    const { size } = fstatSync(descriptor);
    const hashes: string[] = [];
    if (expected !== undefined && size !== expected) return { bytes: size, hashes };
    const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size));
    for (let bytes = 0; ; ) {
      const read = readSync(descriptor, block, 0, block.length, bytes);
      if (read === 0) return { bytes, hashes };
      hashes.push(checksum(block.subarray(0, read)));
      bytes += read;
      await pause();
    }
  } finally {
    closeSync(descriptor);
  }
}
