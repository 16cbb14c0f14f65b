/** Reads chunks' tokens in their order, for whoever reads a search's candidates word by word. */
import { tokensInOrder } from "./chunk-tokens.ts";
import { documentsDatabasePath, openReading } from "./database.ts";
import type { TokenReader } from "./types.ts";

/** Opens a connection of its own, in whatever thread. The database must be there. `tokens` throws RangeError when what is stored is damaged. */
export function openTokenReader(options: { dataDirectory: string }): TokenReader {
  const database = openReading(documentsDatabasePath(options.dataDirectory));
  const oneChunk = database.prepare<{ tokens: Uint8Array }, [number]>(
    "SELECT tokens FROM chunkTokens WHERE chunkId = ?",
  );
  const anyUnordered = database.prepare<{ one: number }, []>("SELECT 1 AS one FROM chunkTerms LIMIT 1");
  // In one transaction, which spares each row the locks that a read takes.
  const readAll = database.transaction((chunkIds: readonly number[]) =>
    chunkIds.map((chunkId) => oneChunk.get(chunkId)),
  );

  return {
    tokens: (chunkIds) => readAll(chunkIds).map((row) => (row ? tokensInOrder(row.tokens) : null)),
    isWhole: () => anyUnordered.get() === null,
    close: () => database.close(),
  };
}
