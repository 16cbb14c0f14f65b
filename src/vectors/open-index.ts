/** Brings a dataset's index into memory: from its checkpoint as far as that reaches, from SQLite for the rest. */
import { join } from "node:path";
import type { ChunkRange, VectorReader } from "../store/index.ts";
import { datasetFolder, isWhole, readCheckpoint, readRows, removeOtherFiles, type Checkpoint } from "./checkpoint.ts";
import { DatasetIndex } from "./dataset-index.ts";
import { Graph } from "./graph.ts";
import type { IndexSettings } from "./protocol.ts";

/** Vectors taken in between two pauses: a few milliseconds. */
const PAGE_VECTORS = 512;

/**
 * Opens the index of a dataset. What the checkpoint holds and SQLite does not know is dead; what SQLite knows beyond it is
 * read from there, and without a usable checkpoint that is everything. `pause` is awaited between slices of work.
 * `tidy`: remove files that no checkpoint names; not while one is being written.
 */
export async function openDatasetIndex(datasetId: number, settings: IndexSettings, reader: VectorReader, tidy: boolean, pause: () => Promise<void>): Promise<DatasetIndex> {
  const folder = datasetFolder(settings.dataDirectory, datasetId);
  const checkpoint = readCheckpoint(folder, settings);
  const saved = checkpoint && (await openFromCheckpoint(folder, checkpoint, settings, pause));
  const index = saved ?? new DatasetIndex(settings.dimensions, settings.exactLimit);
  const missing = index.reconcile(reader.ranges(datasetId));
  if (tidy) removeOtherFiles(folder, saved && index.liveRows > 0 ? checkpoint : null);
  for (const range of missing) await appendFromStore(index, datasetId, range, settings.dimensions, reader, pause);
  return index;
}

/** null when the saved vectors are not, byte for byte, what was written. A damaged graph alone is done without. */
async function openFromCheckpoint(folder: string, checkpoint: Checkpoint, settings: IndexSettings, pause: () => Promise<void>): Promise<DatasetIndex | null> {
  const index = new DatasetIndex(settings.dimensions, settings.exactLimit);
  const whole = await readRows(folder, checkpoint, settings.dimensions, async (firstRow, vectors) => {
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
  if (!whole) return null;
  index.markSaved(checkpoint.chunkIds.length);
  if (checkpoint.graph && isWhole(folder, checkpoint.graph)) index.attachGraph(viewGraph(folder, checkpoint.graph.file, settings), checkpoint.graph.rows);
  return index;
}

/** Maps a graph file, found whole, for searching. */
export function viewGraph(folder: string, file: string, settings: IndexSettings): Graph {
  return Graph.view(join(folder, file), settings.dimensions, settings.parameters, settings.searchExpansion);
}

async function appendFromStore(index: DatasetIndex, datasetId: number, range: ChunkRange, dimensions: number, reader: VectorReader, pause: () => Promise<void>): Promise<void> {
  for (let after = range.first - 1; after < range.last; ) {
    const { chunkIds, matrix } = reader.page(datasetId, after, Math.min(PAGE_VECTORS, range.last - after));
    if (chunkIds.length === 0) return;
    chunkIds.forEach((chunkId, position) => index.append(chunkId, [matrix.subarray(position * dimensions, (position + 1) * dimensions)]));
    after = chunkIds.at(-1)!;
    await pause();
  }
}
