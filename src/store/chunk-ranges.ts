/** Which chunks a dataset holds, for readers that build indexes. */
import type { Database } from "bun:sqlite";
import type { ChunkRange } from "./index.ts";
import { appendRange } from "./ranges.ts";

/** Prepares the chunk ids above `after` of a dataset's oldest `maxFiles` files that have some, as ascending, disjoint, merged ranges. */
export function prepareChunkRanges(database: Database): (datasetId: number, after: number, maxFiles: number) => ChunkRange[] {
  const rangesOfFiles = database.prepare<unknown, [number, number, number]>(
    "SELECT firstChunkId, firstChunkId + chunkCount - 1 FROM files WHERE datasetId = ? AND firstChunkId + chunkCount - 1 > ? ORDER BY id LIMIT ?",
  );
  return (datasetId, after, maxFiles) => {
    const ranges: ChunkRange[] = [];
    for (const [first, last] of rangesOfFiles.values(datasetId, after, maxFiles) as [number, number][]) appendRange(ranges, first, last);
    return ranges;
  };
}
