/**
 * Reads chunks' terms in pages, each a statement of its own: no read stays open between them, so the write-ahead log can
 * be emptied while an index of any size is being built.
 */
import { prepareChunkRanges } from "./chunk-ranges.ts";
import { documentsDatabasePath, openReading } from "./database.ts";
import type { TermReader } from "./index.ts";

type StoredTerms = [chunkId: number, terms: Uint8Array];

/** Opens a connection of its own, in whatever thread. The database must be there. `read` throws RangeError when what is stored is damaged. */
export function openTermReader(options: { dataDirectory: string }): TermReader {
  const database = openReading(documentsDatabasePath(options.dataDirectory));
  const rangesAbove = prepareChunkRanges(database);
  const termsOfRange = database.prepare<unknown, [number, number, number]>(
    "SELECT chunkId, terms FROM chunkTerms WHERE chunkId BETWEEN ? AND ? ORDER BY chunkId LIMIT ?",
  );

  return {
    ranges: (datasetId) => rangesAbove(datasetId, 0, Number.MAX_SAFE_INTEGER),

    read({ first, last }, limit, target): number[] {
      const rows = termsOfRange.values(first, last, limit) as StoredTerms[];
      for (const [, encoded] of rows) target.append(encoded);
      return rows.map(([chunkId]) => chunkId);
    },

    close: () => database.close(),
  };
}
