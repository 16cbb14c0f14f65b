/** Brings a dataset's index into memory: from its checkpoint as far as that reaches, from SQLite for the rest. */
import type { ChunkRange, VectorReader } from "../../store/index.ts";
import { datasetFolder, readCheckpoint, removeOtherFiles } from "./checkpoint.ts";
import type { Checkpoint, SavedGraph } from "./checkpoint-file.ts";
import { VectorIndex } from "./vector-index.ts";
import { Graph } from "./graph.ts";
import type { SearchSettings } from "../types.ts";
import type { Fellows } from "./sieve-together.ts";
import { wholeGraphFile } from "./saved-graph.ts";
import { blockSpace, RowFileReader } from "./row-file.ts";
import { SavedVectors } from "./saved-vectors.ts";
import { sketchBytesOf } from "./sketch.ts";

/** Vectors taken in between two pauses: a few milliseconds. */
const PAGE_VECTORS = 512;

interface Opening {
  /** Threads that may help with searches. */
  readonly fellows: Fellows;
  /** Whether what is saved may be used. */
  readonly trusted: boolean;
  /** Remove files that no checkpoint names; not while one is being written. */
  readonly tidy: boolean;
  /** Told why what is saved cannot be used, or not be tidied. */
  readonly onDamage: (reason: string) => void;
  /** Awaited between slices of work. */
  readonly pause: () => Promise<void>;
}

export interface OpenedIndex {
  readonly index: VectorIndex;
  /** What of its checkpoint is not in memory yet; null: nothing. */
  readonly rest: { readonly vectors: SavedVectors; readonly folder: string; readonly graph: SavedGraph | null } | null;
}

/**
 * Opens the index of a dataset. What the checkpoint holds and SQLite does not know is dead; what SQLite knows beyond it is
 * read from there, and without a usable checkpoint that is everything. Nothing that the saved files are makes it fail. Of a checkpoint
 * only the sketches are read, so that a search need not wait for its vectors.
 */
export async function openVectorIndex(
  datasetId: number,
  settings: SearchSettings,
  reader: VectorReader,
  opening: Opening,
): Promise<OpenedIndex> {
  const folder = datasetFolder(settings.dataDirectory, datasetId);
  const saved = opening.trusted ? await openFromCheckpoint(folder, settings, reader, opening) : null;
  const index = saved?.index ?? new VectorIndex(settings.dimensions, settings.exactLimit, opening.fellows);
  const missing = index.reconcile(reader.ranges(datasetId));
  if (opening.tidy && opening.trusted)
    attempt(() => removeOtherFiles(folder, index.liveRows > 0 ? (saved?.checkpoint ?? null) : null), opening);
  for (const range of missing)
    for (let next = range.first; next <= range.last; await opening.pause())
      next = 1 + appendPage(index, datasetId, { first: next, last: range.last }, reader);
  return { index, rest: saved && { vectors: saved.vectors, folder, graph: saved.checkpoint.graph } };
}

interface Saved {
  readonly index: VectorIndex;
  readonly vectors: SavedVectors;
  readonly checkpoint: Checkpoint;
}

/** null when there is no checkpoint, or its sketches are not, byte for byte, what was written. */
async function openFromCheckpoint(
  folder: string,
  settings: SearchSettings,
  reader: VectorReader,
  opening: Opening,
): Promise<Saved | null> {
  try {
    const checkpoint = readCheckpoint(folder, settings);
    return checkpoint && (await readSketches(folder, checkpoint, settings, reader, opening));
  } catch (error) {
    opening.onDamage((error as Error).message);
    return null;
  }
}

async function readSketches(
  folder: string,
  checkpoint: Checkpoint,
  { dimensions, exactLimit }: SearchSettings,
  reader: VectorReader,
  { fellows, pause }: Opening,
): Promise<Saved> {
  const index = new VectorIndex(dimensions, exactLimit, fellows);
  const rows = checkpoint.chunkIds.length;
  const sketchBytes = sketchBytesOf(dimensions);
  const sketches = new RowFileReader(folder, checkpoint.sketches, rows, sketchBytes);
  try {
    const vectors = new SavedVectors(reader, checkpoint.chunkIds, index.matrix.stride);
    index.matrix.adopt(vectors);
    const space = blockSpace(sketchBytes);
    for (let block = 0; block < sketches.blocks; block++) {
      index.matrix.appendSketches(sketches.block(block, space));
      await pause();
    }
    index.beginWith(checkpoint.chunkIds);
    return { index, vectors, checkpoint };
  } finally {
    sketches.close();
  }
}

/** Maps a saved graph for searching. Throws when its file is not, byte for byte, what was written, or holds other rows than the checkpoint says. */
export async function viewGraph(
  folder: string,
  saved: SavedGraph,
  settings: SearchSettings,
  pause: () => Promise<void>,
): Promise<Graph> {
  const path = await wholeGraphFile(folder, saved, pause);
  const graph = Graph.view(path, settings.dimensions, settings.parameters, settings.searchExpansion);
  if (graph.size !== saved.rows) throw new Error(`the saved graph holds ${graph.size} rows, not ${saved.rows}`);
  return graph;
}

/** False when it failed, which is told. */
function attempt(work: () => void, { onDamage }: Pick<Opening, "onDamage">): boolean {
  try {
    work();
    return true;
  } catch (error) {
    onDamage((error as Error).message);
    return false;
  }
}

/** Takes in the next vectors of a range that SQLite holds, some milliseconds' worth, and returns the chunk up to which all are there. */
export function appendPage(
  index: VectorIndex,
  datasetId: number,
  { first, last }: ChunkRange,
  reader: VectorReader,
): number {
  const { chunkIds, vectors } = reader.page(datasetId, first - 1, Math.min(PAGE_VECTORS, last - first + 1));
  index.append(chunkIds, vectors);
  return chunkIds.at(-1) ?? last;
}
