/** Brings a dataset's index into memory: from its checkpoint as far as that reaches, from SQLite for the rest. */
import { join } from "node:path";
import type { VectorReader } from "../store/index.ts";
import { datasetFolder, graphPath, readCheckpoint, readMatrix, removeOtherGraphs, type Checkpoint } from "./checkpoint.ts";
import { DatasetIndex } from "./dataset-index.ts";
import { Graph } from "./graph.ts";
import type { IndexSettings } from "./protocol.ts";
import type { ChunkRange } from "./ranges.ts";

/** Vectors read from SQLite at a time: a few milliseconds. */
const PAGE_VECTORS = 1000;

export const indexFolder = (dataDirectory: string): string => join(dataDirectory, "indexes");

/**
 * Opens the index of a dataset. Whatever the checkpoint holds that SQLite does not know is dead, whatever SQLite knows
 * beyond it is read from there; without a usable checkpoint that is everything. `pause` is awaited between slices of work.
 */
export async function openDatasetIndex(datasetId: number, settings: IndexSettings, reader: VectorReader, pause: () => Promise<void>): Promise<DatasetIndex> {
  const folder = datasetFolder(indexFolder(settings.dataDirectory), datasetId);
  const checkpoint = readCheckpoint(folder, settings);
  const index = (checkpoint && (await openFromCheckpoint(folder, checkpoint, settings, pause))) ?? new DatasetIndex(settings.dimensions, settings.exactLimit);
  removeOtherGraphs(folder, index.graphRows > 0 ? checkpoint : null);

  for (const range of index.reconcile(reader.ranges(datasetId))) await appendFromStore(index, datasetId, range, settings.dimensions, reader, pause);
  return index;
}

/** null when the graph file is not, byte for byte, what was written. */
async function openFromCheckpoint(folder: string, checkpoint: Checkpoint, settings: IndexSettings, pause: () => Promise<void>): Promise<DatasetIndex | null> {
  const matrix = readMatrix(folder, checkpoint);
  if (!matrix) return null;
  try {
    const index = new DatasetIndex(settings.dimensions, settings.exactLimit);
    for (let start = 0; start < checkpoint.chunkIds.length; start += PAGE_VECTORS) {
      index.appendQuantised(checkpoint.chunkIds.subarray(start, start + PAGE_VECTORS), (row) => matrix.next(row));
      await pause();
    }
    if (!matrix.finish()) return null;
    index.attachGraph(openGraph(folder, checkpoint, settings), checkpoint.chunkIds.length);
    return index;
  } finally {
    matrix.close();
  }
}

/** Maps the checkpoint's graph for searching. Its file must have been found whole. */
export function openGraph(folder: string, checkpoint: Checkpoint, settings: IndexSettings): Graph {
  return Graph.view(graphPath(folder, checkpoint), settings.dimensions, settings.parameters, settings.searchExpansion);
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
