/**
 * An index on disk, so that opening a dataset need not read every vector from SQLite:
 *
 *   sketches-….bits   what a search needs of every row: sign bits and squared length (sketch.ts); only ever appended to (row-file.ts)
 *   graph-….usearch   an HNSW graph over the first rows, where the dataset is large enough for one (saved-graph.ts)
 *   checkpoint        names these, how far each is valid, which chunks the rows hold, and a checksum of every block
 *
 * `checkpoint` is written last, beside its final name, synced and renamed. Whatever moment the power goes, and whatever becomes
 * of the disk, the one that is found vouches for whole files or is refused; then the index is made again from SQLite. What a
 * file holds beyond what the checkpoint says counts for nothing.
 */
import { closeSync, fsyncSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeCheckpoint, encodeCheckpoint, type Checkpoint, type CheckpointIdentity } from "./checkpoint-file.ts";
import { createSaved, openSaved, syncPath, writeAt } from "../saved-file.ts";

const CHECKPOINT_FILE = "checkpoint";

export const indexFolder = (dataDirectory: string): string => join(dataDirectory, "indexes");
export const datasetFolder = (dataDirectory: string, datasetId: number): string =>
  join(indexFolder(dataDirectory), String(datasetId));

/** The checkpoint of a folder, whatever model it is of; null when there is none, or one of another format. Throws when it is damaged or cannot be read. */
export function readAnyCheckpoint(folder: string): { identity: CheckpointIdentity; checkpoint: Checkpoint } | null {
  const path = join(folder, CHECKPOINT_FILE);
  if (!exists(path)) return null;
  const descriptor = openSaved(path);
  try {
    return decodeCheckpoint(readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The dataset's checkpoint. null when there is none, or when it is of another format, model or build: the index is to be made
 * anew. Throws when it is damaged or cannot be read. The files it names are checked by whoever reads them.
 */
export function readCheckpoint(
  folder: string,
  { modelId, dimensions, parameters }: CheckpointIdentity,
): Checkpoint | null {
  const read = readAnyCheckpoint(folder);
  if (read === null || read.identity.modelId !== modelId || read.identity.dimensions !== dimensions) return null;
  const { connectivity, expansionAdd } = read.identity.parameters;
  const sameGraph = connectivity === parameters.connectivity && expansionAdd === parameters.expansionAdd;
  return sameGraph ? read.checkpoint : { ...read.checkpoint, graph: null };
}

/** Makes `checkpoint` the one that is found, durably. Files that only its predecessor named stay: see `removeOtherFiles`. */
export function writeCheckpoint(folder: string, identity: CheckpointIdentity, checkpoint: Checkpoint): void {
  const path = join(folder, CHECKPOINT_FILE);
  const temporary = `${path}.partial`;
  rmSync(temporary, { recursive: true, force: true });
  const descriptor = createSaved(temporary);
  try {
    writeAt(descriptor, encodeCheckpoint(identity, checkpoint), 0);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  // A file takes the place of everything but a folder.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true });
  renameSync(temporary, path);
  syncPath(folder);
}

/** Deletes every file of the folder that the checkpoint does not name; with null the folder itself. */
export function removeOtherFiles(folder: string, checkpoint: Checkpoint | null): void {
  if (!exists(folder)) return;
  if (checkpoint === null) {
    rmSync(folder, { recursive: true });
    syncPath(dirname(folder));
    return;
  }
  const kept = [CHECKPOINT_FILE, checkpoint.sketches.file, checkpoint.graph?.file];
  for (const name of readdirSync(folder))
    if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Whether anything has this name, a link to nowhere included. Throws when that cannot be told. */
export const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
