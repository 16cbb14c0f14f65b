/** Brings a dataset's index into memory: from its checkpoint as far as that reaches, from SQLite for the rest. */
import type { ChunkRange, VectorReader } from "../store/index.ts";
import { datasetFolder, readCheckpoint, removeOtherFiles, writeCheckpoint } from "./checkpoint.ts";
import type { Checkpoint, SavedGraph } from "./checkpoint-file.ts";
import { DatasetIndex } from "./dataset-index.ts";
import { Graph } from "./graph.ts";
import type { IndexSettings } from "./types.ts";
import { wholeGraphFile } from "./saved-graph.ts";
import { readRows } from "./saved-rows.ts";

/** Vectors taken in between two pauses: a few milliseconds. */
const PAGE_VECTORS = 512;

interface Opening {
  /** Remove files that no checkpoint names; not while one is being written. */
  readonly tidy: boolean;
  /** Told why what is saved cannot be used, or not be tidied. */
  readonly onDamage: (reason: string) => void;
  /** Awaited between slices of work. */
  readonly pause: () => Promise<void>;
}

/**
 * Opens the index of a dataset. What the checkpoint holds and SQLite does not know is dead; what SQLite knows beyond it is
 * read from there, and without a usable checkpoint that is everything. Nothing that the saved files are makes it fail.
 */
export async function openDatasetIndex(
  datasetId: number,
  settings: IndexSettings,
  reader: VectorReader,
  opening: Opening,
): Promise<DatasetIndex> {
  const folder = datasetFolder(settings.dataDirectory, datasetId);
  const saved = await openFromCheckpoint(folder, settings, opening);
  const index = saved?.index ?? new DatasetIndex(settings.dimensions, settings.exactLimit);
  const missing = index.reconcile(reader.ranges(datasetId));
  if (opening.tidy) attempt(() => tidyUp(folder, settings, index.liveRows > 0 ? saved : null), opening);
  for (const range of missing)
    await appendFromStore(index, datasetId, range, settings.dimensions, reader, opening.pause);
  return index;
}

interface Saved {
  readonly index: DatasetIndex;
  readonly checkpoint: Checkpoint;
  /** Whether the checkpoint names a graph that cannot be used. */
  readonly graphIsLost: boolean;
}

/** null when there is no checkpoint, or its vectors are not, byte for byte, what was written. A damaged graph alone is done without. */
async function openFromCheckpoint(
  folder: string,
  settings: IndexSettings,
  { onDamage, pause }: Opening,
): Promise<Saved | null> {
  try {
    const checkpoint = readCheckpoint(folder, settings);
    if (checkpoint === null) return null;
    const index = await readSavedRows(folder, checkpoint, settings, pause);
    const { graph } = checkpoint;
    if (graph === null) return { index, checkpoint, graphIsLost: false };
    const graphIsLost = !attempt(() => index.attachGraph(viewGraph(folder, graph, settings), graph.rows), { onDamage });
    return { index, checkpoint, graphIsLost };
  } catch (error) {
    onDamage((error as Error).message);
    return null;
  }
}

async function readSavedRows(
  folder: string,
  checkpoint: Checkpoint,
  settings: IndexSettings,
  pause: () => Promise<void>,
): Promise<DatasetIndex> {
  const index = new DatasetIndex(settings.dimensions, settings.exactLimit);
  await readRows(folder, checkpoint, settings.dimensions, async (firstRow, vectors) => {
    const rows = vectors.length / settings.dimensions;
    for (let start = 0; start < rows; start += PAGE_VECTORS) {
      const end = Math.min(rows, start + PAGE_VECTORS);
      let row = start;
      index.appendQuantised(checkpoint.chunkIds.subarray(firstRow + start, firstRow + end), (space) => {
        space.set(vectors.subarray(row * settings.dimensions, ++row * settings.dimensions));
      });
      await pause();
    }
  });
  index.markSaved(checkpoint.chunkIds.length);
  return index;
}

/** Maps a saved graph for searching. Throws when its file is not, byte for byte, what was written, or holds other rows than the checkpoint says. */
export function viewGraph(folder: string, saved: SavedGraph, settings: IndexSettings): Graph {
  const graph = Graph.view(
    wholeGraphFile(folder, saved),
    settings.dimensions,
    settings.parameters,
    settings.searchExpansion,
  );
  if (graph.size !== saved.rows) throw new Error(`the saved graph holds ${graph.size} rows, not ${saved.rows}`);
  return graph;
}

/** Leaves what of the saved index is of use, so that the next checkpoint is built upon that. */
function tidyUp(folder: string, settings: IndexSettings, saved: Saved | null): void {
  const useful = saved?.graphIsLost ? { ...saved.checkpoint, graph: null } : (saved?.checkpoint ?? null);
  if (useful && saved?.graphIsLost) writeCheckpoint(folder, settings, useful);
  removeOtherFiles(folder, useful);
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
