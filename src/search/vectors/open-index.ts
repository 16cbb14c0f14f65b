/** Brings a dataset's index into memory: from its checkpoint as far as that reaches, from SQLite for the rest. */
import type { ChunkRange, VectorReader } from "../../store/index.ts";
import { datasetFolder, readCheckpoint, removeOtherFiles } from "./checkpoint.ts";
import type { Checkpoint, SavedGraph } from "./checkpoint-file.ts";
import { DatasetIndex } from "./dataset-index.ts";
import { Graph } from "./graph.ts";
import type { IndexSettings } from "./types.ts";
import { wholeGraphFile } from "./saved-graph.ts";
import { blockSpace, RowFileReader } from "./row-file.ts";
import { SavedVectors } from "./saved-vectors.ts";
import { sketchBytesOf } from "./sketch.ts";

/** Vectors taken in between two pauses: a few milliseconds. */
const PAGE_VECTORS = 512;

interface Opening {
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
  readonly index: DatasetIndex;
  /** What of its checkpoint is not in memory yet; null: nothing. */
  readonly rest: { readonly vectors: SavedVectors; readonly folder: string; readonly graph: SavedGraph | null } | null;
}

/**
 * Opens the index of a dataset. What the checkpoint holds and SQLite does not know is dead; what SQLite knows beyond it is
 * read from there, and without a usable checkpoint that is everything. Nothing that the saved files are makes it fail. Of a checkpoint
 * only the sketches are read, so that a search need not wait for its vectors.
 */
export async function openDatasetIndex(
  datasetId: number,
  settings: IndexSettings,
  reader: VectorReader,
  opening: Opening,
): Promise<OpenedIndex> {
  const folder = datasetFolder(settings.dataDirectory, datasetId);
  const saved = opening.trusted ? await openFromCheckpoint(folder, settings, opening) : null;
  const index = saved?.index ?? new DatasetIndex(settings.dimensions, settings.exactLimit);
  const missing = index.reconcile(reader.ranges(datasetId));
  if (opening.tidy && opening.trusted)
    attempt(() => removeOtherFiles(folder, index.liveRows > 0 ? (saved?.checkpoint ?? null) : null), opening);
  for (const range of missing)
    await appendFromStore(index, datasetId, range, settings.dimensions, reader, opening.pause);
  return { index, rest: saved && { vectors: saved.vectors, folder, graph: saved.checkpoint.graph } };
}

interface Saved {
  readonly index: DatasetIndex;
  readonly vectors: SavedVectors;
  readonly checkpoint: Checkpoint;
}

/** null when there is no checkpoint, or its sketches are not, byte for byte, what was written. */
async function openFromCheckpoint(
  folder: string,
  settings: IndexSettings,
  { onDamage, pause }: Opening,
): Promise<Saved | null> {
  try {
    const checkpoint = readCheckpoint(folder, settings);
    return checkpoint && (await readSketches(folder, checkpoint, settings, pause));
  } catch (error) {
    onDamage((error as Error).message);
    return null;
  }
}

async function readSketches(
  folder: string,
  checkpoint: Checkpoint,
  { dimensions, exactLimit }: IndexSettings,
  pause: () => Promise<void>,
): Promise<Saved> {
  const index = new DatasetIndex(dimensions, exactLimit);
  const rows = checkpoint.chunkIds.length;
  const sketchBytes = sketchBytesOf(dimensions);
  const sketches = new RowFileReader(folder, checkpoint.sketches, rows, sketchBytes);
  try {
    const vectors = new SavedVectors(
      new RowFileReader(folder, checkpoint.vectors, rows, dimensions),
      dimensions,
      index.matrix.stride,
    );
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
  settings: IndexSettings,
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

async function appendFromStore(
  index: DatasetIndex,
  datasetId: number,
  range: ChunkRange,
  dimensions: number,
  reader: VectorReader,
  pause: () => Promise<void>,
): Promise<void> {
  for (let after = range.first - 1; after < range.last; ) {
    const { chunkIds, matrix } = reader.page(datasetId, after, Math.min(PAGE_VECTORS, range.last - after));
    if (chunkIds.length === 0) return;
    chunkIds.forEach((chunkId, position) =>
      index.append(chunkId, [matrix.subarray(position * dimensions, (position + 1) * dimensions)]),
    );
    after = chunkIds.at(-1)!;
    await pause();
  }
}
