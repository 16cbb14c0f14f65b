/**
 * A graph on disk: a graph file and a small `checkpoint` file that names it and vouches for every byte of it.
 *
 * Both are written beside their final names, synced and renamed, graph first: whatever moment the power goes, the
 * `checkpoint` that is found names a whole graph, or is refused, and then the graph is simply built again.
 */
import { closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GraphParameters } from "./graph.ts";

const FORMAT = 1;
const CHECKPOINT_FILE = "checkpoint";
/** The unit of checksumming; large enough to be fast, small enough to let searches in between. */
const BLOCK_BYTES = 8 * 1024 * 1024;
/** A USearch file begins with its matrix: rows and bytes per row as u32, then the vectors in slot order. */
const MATRIX_OFFSET = 8;

export interface CheckpointIdentity {
  readonly modelId: string;
  readonly dimensions: number;
  readonly parameters: GraphParameters;
}

export interface Checkpoint extends CheckpointIdentity {
  readonly format: number;
  readonly graphFile: string;
  readonly graphBytes: number;
  /** xxHash64 of each block of the graph file, in hexadecimal. */
  readonly blockHashes: readonly string[];
  /** The chunk of each slot of the graph. */
  readonly chunkIds: Float64Array;
}

type Header = Omit<Checkpoint, "chunkIds"> & { readonly chunkCount: number; readonly chunkIdsHash: string };

export const datasetFolder = (indexFolder: string, datasetId: number): string => join(indexFolder, String(datasetId));
export const graphPath = (folder: string, checkpoint: Checkpoint): string => join(folder, checkpoint.graphFile);

/**
 * Writes a graph and the checkpoint that names it, durably. `save` writes the graph to the path it is given.
 * Older graph files stay, since somebody may be reading them: `removeOtherGraphs` clears them.
 */
export function writeCheckpoint(folder: string, identity: CheckpointIdentity, chunkIds: Float64Array, save: (path: string) => void): Checkpoint {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const graphFile = `graph-${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}.usearch`;
  const temporaryGraph = join(folder, `${graphFile}.partial`);
  // Made before USearch opens it, so that it is private from its first byte.
  closeSync(openSync(temporaryGraph, "w", 0o600));
  save(temporaryGraph);
  syncFile(temporaryGraph);
  const { bytes, hashes } = hashFile(temporaryGraph);
  renameSync(temporaryGraph, join(folder, graphFile));

  const { modelId, dimensions, parameters } = identity;
  const checkpoint: Checkpoint = { format: FORMAT, modelId, dimensions, parameters, graphFile, graphBytes: bytes, blockHashes: hashes, chunkIds };
  const { chunkIds: _, ...rest } = checkpoint;
  const header: Header = { ...rest, chunkCount: chunkIds.length, chunkIdsHash: hashBytes(bytesOf(chunkIds)) };
  const temporary = join(folder, `${CHECKPOINT_FILE}.partial`);
  const descriptor = openSync(temporary, "w", 0o600);
  try {
    writeAll(descriptor, Buffer.from(`${JSON.stringify(header)}\n`));
    writeAll(descriptor, bytesOf(chunkIds));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, join(folder, CHECKPOINT_FILE));
  syncFile(folder);
  return checkpoint;
}

/**
 * Reads the dataset's checkpoint. null when there is none, or when it is of another format, model, size or build, or
 * damaged: each means that the graph is to be built anew. The graph file itself is checked by `readMatrix` or `graphIsWhole`.
 */
export function readCheckpoint(folder: string, identity: CheckpointIdentity): Checkpoint | null {
  const path = join(folder, CHECKPOINT_FILE);
  if (!existsSync(path)) return null;
  const content = readFileSync(path);
  const headerEnd = content.indexOf(0x0a);
  if (headerEnd < 0) return null;
  let header: Header;
  try {
    header = JSON.parse(content.toString("utf8", 0, headerEnd)) as Header;
  } catch {
    return null;
  }
  const ids = new Uint8Array(content.subarray(headerEnd + 1));
  const usable =
    header.format === FORMAT &&
    header.modelId === identity.modelId &&
    header.dimensions === identity.dimensions &&
    header.parameters.connectivity === identity.parameters.connectivity &&
    header.parameters.expansionAdd === identity.parameters.expansionAdd &&
    /^graph-[a-z0-9-]+\.usearch$/.test(header.graphFile) &&
    ids.byteLength === header.chunkCount * 8 &&
    hashBytes(ids) === header.chunkIdsHash;
  if (!usable) return null;
  const { chunkCount: _count, chunkIdsHash: _hash, ...rest } = header;
  return { ...rest, chunkIds: new Float64Array(ids.buffer) };
}

/** Hands over the int8 vectors of a graph file, one after another as they lie in it, while its checksums are compared. */
export interface MatrixReader {
  /** Fills `space` with the next vectors; its length must be a multiple of the dimensions. */
  next(space: Int8Array): void;
  /** Reads what is left. False when any byte of the file differs from what was written. */
  finish(): boolean;
  close(): void;
}

/** Opens the graph file for one pass. null when it is missing or of another size or shape than the checkpoint says. */
export function readMatrix(folder: string, checkpoint: Checkpoint): MatrixReader | null {
  const path = graphPath(folder, checkpoint);
  if (!existsSync(path)) return null;
  const descriptor = openSync(path, "r");
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, checkpoint.graphBytes));
  let blockIndex = -1, available = 0, consumed = 0, whole = true;
  const nextBlock = (): boolean => {
    available = readSync(descriptor, block, 0, block.length, ++blockIndex * BLOCK_BYTES);
    consumed = 0;
    if (available === 0) return false;
    if (hashBytes(block.subarray(0, available)) !== checkpoint.blockHashes[blockIndex]) whole = false;
    return true;
  };
  const fitting = fstatSync(descriptor).size === checkpoint.graphBytes && nextBlock() &&
    block.readUInt32LE(0) === checkpoint.chunkIds.length && block.readUInt32LE(4) === checkpoint.dimensions;
  if (!fitting) {
    closeSync(descriptor);
    return null;
  }
  consumed = MATRIX_OFFSET;
  return {
    next(space) {
      for (let written = 0; written < space.length; ) {
        if (consumed === available && !nextBlock()) throw new Error("the graph file ended early");
        const length = Math.min(space.length - written, available - consumed);
        space.set(block.subarray(consumed, consumed + length), written);
        consumed += length;
        written += length;
      }
    },
    finish() {
      while (nextBlock()) continue;
      return whole && blockIndex === checkpoint.blockHashes.length;
    },
    close: () => closeSync(descriptor),
  };
}

/** Whether every byte of the graph file is the one that was written. */
export function graphIsWhole(folder: string, checkpoint: Checkpoint): boolean {
  const path = graphPath(folder, checkpoint);
  if (!existsSync(path)) return false;
  const { bytes, hashes } = hashFile(path);
  return bytes === checkpoint.graphBytes && hashes.every((hash, index) => hash === checkpoint.blockHashes[index]);
}

/** Deletes every graph file but the checkpoint's, and whatever a crash left half-written. */
export function removeOtherGraphs(folder: string, checkpoint: Checkpoint | null): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name !== CHECKPOINT_FILE && name !== checkpoint?.graphFile) rmSync(join(folder, name), { force: true });
  }
}

/** Deletes everything kept for a dataset. */
export function removeCheckpoint(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  if (existsSync(dirname(folder))) syncFile(dirname(folder));
}

function hashFile(path: string): { bytes: number; hashes: string[] } {
  const descriptor = openSync(path, "r");
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    const hashes: string[] = [];
    let bytes = 0;
    for (;;) {
      const read = readSync(descriptor, block, 0, BLOCK_BYTES, bytes);
      if (read === 0) return { bytes, hashes };
      hashes.push(hashBytes(block.subarray(0, read)));
      bytes += read;
    }
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

function syncFile(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const bytesOf = (ids: Float64Array): Uint8Array => new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength);
const hashBytes = (bytes: Uint8Array): string => Bun.hash.xxHash64(bytes).toString(16);
