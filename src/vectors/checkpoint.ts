/**
 * An index on disk, so that opening a dataset need not read every vector from SQLite:
 *
 *   vectors-….int8    the int8 vectors of the rows, one behind the other; only ever appended to
 *   graph-….usearch   an HNSW graph over the first rows, where the dataset is large enough for one
 *   checkpoint        names the two, how far each is valid, which chunks the rows hold, and a checksum of every block
 *
 * `checkpoint` is written last, beside its final name, synced and renamed. Whatever moment the power goes, the one that is
 * found vouches for whole files or is refused; then the index is made again from SQLite. What a file holds beyond what the
 * checkpoint says counts for nothing.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GraphParameters } from "./graph.ts";

const FORMAT = 2;
const CHECKPOINT_FILE = "checkpoint";
/** Rows under one checksum. */
const BLOCK_ROWS = 4096;
/** Bytes of a graph file under one checksum. */
const BLOCK_BYTES = 8 * 1024 * 1024;

/** What a checkpoint must agree with to be of use. */
export interface CheckpointIdentity {
  readonly modelId: string;
  readonly dimensions: number;
  readonly parameters: GraphParameters;
}

export interface Checkpoint {
  readonly vectorFile: string;
  /** xxHash64 of each BLOCK_ROWS rows, the last block perhaps shorter. */
  readonly vectorHashes: readonly string[];
  readonly graph: SavedGraph | null;
  /** The chunk of each row. */
  readonly chunkIds: Float64Array;
}

export interface SavedGraph {
  readonly file: string;
  readonly bytes: number;
  /** xxHash64 of each BLOCK_BYTES. */
  readonly hashes: readonly string[];
  /** It covers the rows before this one. */
  readonly rows: number;
}

interface Header extends CheckpointIdentity {
  readonly format: number;
  readonly vectorFile: string;
  readonly vectorHashes: readonly string[];
  readonly graph: SavedGraph | null;
  readonly rows: number;
  readonly chunkIdsHash: string;
}

export const indexFolder = (dataDirectory: string): string => join(dataDirectory, "indexes");
export const datasetFolder = (dataDirectory: string, datasetId: number): string => join(indexFolder(dataDirectory), String(datasetId));

/**
 * The dataset's checkpoint. null when there is none, or when it is of another format, model or build, or damaged: each means
 * that the index is to be made anew. The files it names are checked by `readRows` and `isWhole`.
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
    ids.byteLength === header.rows * 8 &&
    hash(ids) === header.chunkIdsHash;
  if (!usable) return null;
  const { connectivity, expansionAdd } = header.parameters;
  const sameGraph = connectivity === identity.parameters.connectivity && expansionAdd === identity.parameters.expansionAdd;
  return { vectorFile: header.vectorFile, vectorHashes: header.vectorHashes, graph: sameGraph ? header.graph : null, chunkIds: new Float64Array(ids.buffer) };
}

/** Makes `checkpoint` the one that is found, durably. Files that only its predecessor named stay: see `removeOtherFiles`. */
export function writeCheckpoint(folder: string, identity: CheckpointIdentity, checkpoint: Checkpoint): void {
  const { modelId, dimensions, parameters } = identity;
  const { vectorFile, vectorHashes, graph, chunkIds } = checkpoint;
  const ids = new Uint8Array(chunkIds.buffer, chunkIds.byteOffset, chunkIds.byteLength);
  const header: Header = { format: FORMAT, modelId, dimensions, parameters, vectorFile, vectorHashes, graph, rows: chunkIds.length, chunkIdsHash: hash(ids) };
  const temporary = join(folder, `${CHECKPOINT_FILE}.partial`);
  const descriptor = openSync(temporary, "w", 0o600);
  try {
    writeAt(descriptor, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ids]), 0);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, join(folder, CHECKPOINT_FILE));
  syncPath(folder);
}

/** Hands `take` the rows of a checkpoint's vector file, block by block. False when the file is not, byte for byte, what was written. */
export async function readRows(folder: string, checkpoint: Checkpoint, dimensions: number, take: (firstRow: number, vectors: Int8Array) => Promise<void>): Promise<boolean> {
  const path = join(folder, checkpoint.vectorFile);
  if (!existsSync(path)) return false;
  const descriptor = openSync(path, "r");
  try {
    const block = new Int8Array(BLOCK_ROWS * dimensions);
    for (let firstRow = 0, index = 0; firstRow < checkpoint.chunkIds.length; firstRow += BLOCK_ROWS, index++) {
      const rows = Math.min(BLOCK_ROWS, checkpoint.chunkIds.length - firstRow);
      const vectors = block.subarray(0, rows * dimensions);
      if (readSync(descriptor, vectors, 0, vectors.length, firstRow * dimensions) !== vectors.length) return false;
      if (hash(vectors) !== checkpoint.vectorHashes[index]) return false;
      await take(firstRow, vectors);
    }
    return true;
  } finally {
    closeSync(descriptor);
  }
}

/** Appends rows to a checkpoint's vector file, or to a new one. */
export class VectorFileWriter {
  readonly name: string;
  private readonly descriptor: number;
  private readonly hashes: string[];
  /** The rows of the last block, whole or not yet. */
  private readonly block: Int8Array;
  private blockRows: number;
  private rows: number;

  /** Throws when the checkpoint's last block is not what was written. */
  constructor(folder: string, base: Checkpoint | null, private readonly dimensions: number) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.name = base?.vectorFile ?? `vectors-${newGeneration()}.int8`;
    this.descriptor = openSync(join(folder, this.name), base ? "r+" : "wx+", 0o600);
    this.block = new Int8Array(BLOCK_ROWS * dimensions);
    this.rows = base?.chunkIds.length ?? 0;
    this.blockRows = this.rows % BLOCK_ROWS;
    this.hashes = [...(base?.vectorHashes ?? [])];
    if (this.blockRows === 0) return;
    const present = this.block.subarray(0, this.blockRows * dimensions);
    readSync(this.descriptor, present, 0, present.length, (this.rows - this.blockRows) * dimensions);
    if (hash(present) !== this.hashes.pop()) {
      this.close();
      throw new Error("the saved vectors are damaged");
    }
  }

  /** Appends whole rows. */
  append(vectors: Int8Array): void {
    writeAt(this.descriptor, vectors, this.rows * this.dimensions);
    for (let at = 0; at < vectors.length; ) {
      const length = Math.min(vectors.length - at, (BLOCK_ROWS - this.blockRows) * this.dimensions);
      this.block.set(vectors.subarray(at, at + length), this.blockRows * this.dimensions);
      this.blockRows += length / this.dimensions;
      at += length;
      if (this.blockRows < BLOCK_ROWS) continue;
      this.hashes.push(hash(this.block));
      this.blockRows = 0;
    }
    this.rows += vectors.length / this.dimensions;
  }

  /** The rows from `first` on, `count` of them. */
  read(first: number, count: number): Int8Array {
    const vectors = new Int8Array(count * this.dimensions);
    readSync(this.descriptor, vectors, 0, vectors.length, first * this.dimensions);
    return vectors;
  }

  /** Makes everything appended durable and returns the checksums that a checkpoint needs. */
  finish(): string[] {
    fsyncSync(this.descriptor);
    return this.blockRows === 0 ? this.hashes : [...this.hashes, hash(this.block.subarray(0, this.blockRows * this.dimensions))];
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Saves a graph under a new name, durably. `save` writes it to the path it is given. */
export function saveGraph(folder: string, rows: number, save: (path: string) => void): SavedGraph {
  const file = `graph-${newGeneration()}.usearch`;
  const path = join(folder, file);
  // Made before USearch opens it, so that it is private from its first byte.
  closeSync(openSync(path, "wx", 0o600));
  save(path);
  syncPath(path);
  return { file, ...hashFile(path), rows };
}

/** Whether every byte of the graph file is the one that was written. USearch itself does not look, and damage crashes it. */
export function isWhole(folder: string, graph: SavedGraph): boolean {
  const path = join(folder, graph.file);
  if (!existsSync(path)) return false;
  const { bytes, hashes } = hashFile(path);
  return bytes === graph.bytes && hashes.every((one, index) => one === graph.hashes[index]);
}

/** Deletes every file of the folder that the checkpoint does not name; with null all of them. */
export function removeOtherFiles(folder: string, checkpoint: Checkpoint | null): void {
  if (!existsSync(folder)) return;
  if (checkpoint === null) {
    rmSync(folder, { recursive: true });
    syncPath(dirname(folder));
    return;
  }
  const kept = [CHECKPOINT_FILE, checkpoint.vectorFile, checkpoint.graph?.file];
  for (const name of readdirSync(folder)) if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

function hashFile(path: string): { bytes: number; hashes: string[] } {
  const descriptor = openSync(path, "r");
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    const hashes: string[] = [];
    for (let bytes = 0; ; ) {
      const read = readSync(descriptor, block, 0, BLOCK_BYTES, bytes);
      if (read === 0) return { bytes, hashes };
      hashes.push(hash(block.subarray(0, read)));
      bytes += read;
    }
  } finally {
    closeSync(descriptor);
  }
}

function writeAt(descriptor: number, bytes: Uint8Array | Int8Array, position: number): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const newGeneration = (): string => `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;
const hash = (bytes: Uint8Array | Int8Array): string => Bun.hash.xxHash64(bytes).toString(16);
