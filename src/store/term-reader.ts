/**
 * Reads chunks' terms in pages, each a statement of its own: no read stays open between them, so the write-ahead log can
 * be emptied while an index of any size is being built.
 */
import { prepareChunkRanges } from "./chunk-ranges.ts";
import { appendTermCounts } from "./chunk-tokens.ts";
import { documentsDatabasePath, openReading } from "./database.ts";
import type { TermReader } from "./types.ts";
import { appendUnorderedTerms } from "./term-counts.ts";

type StoredTerms = [chunkId: number, terms: Uint8Array, isOrdered: 0 | 1];

const ORDERED = "SELECT chunkId, tokens, 1 FROM chunkTokens WHERE chunkId BETWEEN ?1 AND ?2";
const UNORDERED = "SELECT chunkId, terms, 0 FROM chunkTerms WHERE chunkId BETWEEN ?1 AND ?2";

/** Opens a connection of its own, in whatever thread. The database must be there. `read` throws RangeError when what is stored is damaged. */
export function openTermReader(options: { dataDirectory: string }): TermReader {
  const database = openReading(documentsDatabasePath(options.dataDirectory));
  const rangesAbove = prepareChunkRanges(database);
  const anyUnordered = database.prepare<{ one: number }, []>("SELECT 1 AS one FROM chunkTerms LIMIT 1");
  const ofOne = database.prepare<unknown, [number, number, number]>(`${ORDERED} ORDER BY chunkId LIMIT ?3`);
  // One statement sees a chunk in just one of both tables, whenever it moves.
  const ofBoth = database.prepare<unknown, [number, number, number]>(
    `${ORDERED} UNION ALL ${UNORDERED} ORDER BY chunkId LIMIT ?3`,
  );
  let areAllOrdered = false;

  return {
    ranges: (datasetId) => rangesAbove(datasetId, 0, Number.MAX_SAFE_INTEGER),

    read({ first, last }, limit, target): number[] {
      // Nothing comes into the other table any more: once empty, always empty.
      areAllOrdered ||= anyUnordered.get() === null;
      const rows = (areAllOrdered ? ofOne : ofBoth).values(first, last, limit) as StoredTerms[];
      for (const [, encoded, isOrdered] of rows) {
        if (isOrdered === 1) appendTermCounts(target, encoded);
        else appendUnorderedTerms(target, encoded);
      }
      return rows.map(([chunkId]) => chunkId);
    },

    close: () => database.close(),
  };
}
