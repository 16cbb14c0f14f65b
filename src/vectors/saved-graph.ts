/** The graph file of an index. USearch does not look whether it is whole, and damage crashes it: so it is checked before. */
import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { BLOCK_BYTES, checksum, newGraphFile, type SavedGraph } from "./checkpoint-file.ts";
import { createSaved, openSaved, syncPath } from "./saved-file.ts";

/** Saves a graph under a new name, durably. `save` writes it to the path it is given. */
export function saveGraph(folder: string, rows: number, save: (path: string) => void): SavedGraph {
  const file = newGraphFile();
  const path = join(folder, file);
  // Made before USearch opens it, so that it is private from its first byte.
  closeSync(createSaved(path));
  save(path);
  syncPath(path);
  return { file, ...hashFile(path), rows };
}

/** The graph's path, after every byte was found to be the one that was written. Throws when one is not. */
export function wholeGraphFile(folder: string, graph: SavedGraph): string {
  const path = join(folder, graph.file);
  const { bytes, hashes } = hashFile(path, graph.bytes);
  if (bytes !== graph.bytes || hashes.some((hash, index) => hash !== graph.hashes[index]))
    throw new Error("the saved graph is damaged");
  return path;
}

/** With `expected`, a file of another length is not read. */
function hashFile(path: string, expected?: number): { bytes: number; hashes: string[] } {
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
    }
  } finally {
    closeSync(descriptor);
  }
}
