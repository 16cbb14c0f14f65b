/** Which chunks a dataset holds in a generation, for readers that build indexes. */
import type { Database } from "bun:sqlite";
import { chunkOfIndexed, datasetOfIndex, indexedChunk } from "./generations.ts";
import type { ChunkRange } from "./types.ts";
import { appendRange } from "./ranges.ts";

/** The chunks above `after` of the oldest `maxFiles` files of an index that have some, as ascending, disjoint, merged ranges. */
export type ChunkRanges = (index: number, after: number, maxFiles: number) => ChunkRange[];

/**
 * Prepares the lookup, in numbers as indexes know them. A generation that is being made reaches only as far as its vectors;
 * one that is neither live nor being made holds nothing.
 */
export function prepareChunkRanges(database: Database): ChunkRanges {
  const reachOfGeneration = database.prepare<{ reach: number | null }, [number, number]>(
    `SELECT CASE WHEN generation = ?2 THEN ${Number.MAX_SAFE_INTEGER}
       ELSE (SELECT throughChunkId FROM reembeddings WHERE datasetId = ?1 AND generation = ?2) END AS reach
     FROM datasets WHERE id = ?1`,
  );
  const rangesOfFiles = database.prepare<unknown, [number, number, number, number]>(
    "SELECT firstChunkId, firstChunkId + chunkCount - 1 FROM files WHERE datasetId = ?1 AND firstChunkId + chunkCount - 1 > ?2 AND firstChunkId <= ?3 ORDER BY id LIMIT ?4",
  );
  return (index, after, maxFiles) => {
    const { datasetId, generation } = datasetOfIndex(index);
    const reach = reachOfGeneration.get(datasetId, generation)?.reach ?? 0;
    const ranges: ChunkRange[] = [];
    for (const [first, last] of rangesOfFiles.values(datasetId, chunkOfIndexed(after), reach, maxFiles) as [
      number,
      number,
    ][]) {
      appendRange(ranges, indexedChunk(first, generation), indexedChunk(Math.min(last, reach), generation));
    }
    return ranges;
  };
}
