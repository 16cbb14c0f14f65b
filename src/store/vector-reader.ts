/**
 * Reads vectors in pages, each a statement of its own: no read stays open between them, so the write-ahead log can be
 * emptied while an index of any size is being built.
 */
import { prepareChunkRanges } from "./chunk-ranges.ts";
import { documentsDatabasePath, openReading } from "./database.ts";
import { decodeVector } from "./stored-vector.ts";
import type { VectorPage, VectorReader } from "./types.ts";

type StoredVector = [chunkId: number, vector: Uint8Array];

/** Opens a connection of its own, in whatever thread. The database must be there. `page` and `read` throw RangeError when stored vectors have other dimensions. */
export function openVectorReader(options: { dataDirectory: string; dimensions: number }): VectorReader {
  const { dimensions } = options;
  const database = openReading(documentsDatabasePath(options.dataDirectory));
  const rangesAbove = prepareChunkRanges(database);
  const vectorsOfRange = database.prepare<unknown, [number, number, number]>(
    "SELECT chunkId, vector FROM vectors WHERE chunkId BETWEEN ? AND ? ORDER BY chunkId LIMIT ?",
  );

  /** In a transaction, so that a delete in between cannot make a page look like the end. */
  const readPage = database.transaction((datasetId: number, after: number, limit: number): StoredVector[] => {
    const rows: StoredVector[] = [];
    // Every file has a chunk, so as many files as vectors are wanted are always enough.
    for (const { first, last } of rangesAbove(datasetId, after, limit)) {
      const missing = limit - rows.length;
      if (missing <= 0) break;
      for (const row of vectorsOfRange.values(Math.max(first, after + 1), last, missing) as StoredVector[])
        rows.push(row);
    }
    return rows;
  });

  return {
    ranges: (datasetId) => rangesAbove(datasetId, 0, Number.MAX_SAFE_INTEGER),

    page(datasetId, after, limit): VectorPage {
      const rows = readPage(datasetId, after, limit);
      return {
        chunkIds: rows.map(([chunkId]) => chunkId),
        vectors: rows.map(([, stored]) => decodeVector(stored, dimensions)),
      };
    },

    read(chunkIds, take) {
      // A statement for each run of neighbours: one for each chunk takes five times as long.
      for (let start = 0, end = 0; start < chunkIds.length; start = end) {
        const first = chunkIds[start]!;
        for (end = start + 1; end < chunkIds.length && chunkIds[end] === first + (end - start); ) end++;
        for (const [chunkId, stored] of vectorsOfRange.values(first, chunkIds[end - 1]!, end - start) as StoredVector[])
          take(start + (chunkId - first), decodeVector(stored, dimensions));
      }
    },

    close: () => database.close(),
  };
}
