/** Vectors and terms of chunks: always written and removed together. Each function runs inside its caller's transaction. */
import { between, eq, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/bun-sqlite";
import { encodeChunkTokens } from "./chunk-tokens.ts";
import { encodeVector, type Vector } from "./stored-vector.ts";
import { chunkTerms, chunkTokens, vectors } from "./schema.ts";

export interface ChunkEmbeddings {
  /** `chunk` as `indexedChunk` makes it. Throws RangeError when the vector or a term cannot be kept. */
  insert(chunk: number, vector: Vector, terms: Uint32Array): void;
  /** Stores a chunk's terms in place of those whose order is not known. A chunk that has none of them is left as it is. */
  order(chunk: number, terms: Uint32Array): void;
  /** Removes those of all chunks from `first` to `last`. */
  remove(first: number, last: number): void;
}

/** Prepares the statements once for a connection. */
export function prepareChunkEmbeddings(db: ReturnType<typeof drizzle>): ChunkEmbeddings {
  const { placeholder } = sql;
  const insertVector = db
    .insert(vectors)
    .values({ chunkId: placeholder("chunkId"), vector: placeholder("vector") })
    .prepare();
  const insertTokens = db
    .insert(chunkTokens)
    .values({ chunkId: placeholder("chunkId"), tokens: placeholder("tokens") })
    .prepare();
  const deleteVectors = db
    .delete(vectors)
    .where(between(vectors.chunkId, placeholder("first"), placeholder("last")))
    .prepare();
  const deleteTokens = db
    .delete(chunkTokens)
    .where(between(chunkTokens.chunkId, placeholder("first"), placeholder("last")))
    .prepare();
  const deleteTerms = db
    .delete(chunkTerms)
    .where(between(chunkTerms.chunkId, placeholder("first"), placeholder("last")))
    .prepare();
  const takeUnordered = db
    .delete(chunkTerms)
    .where(eq(chunkTerms.chunkId, placeholder("chunkId")))
    .returning({ chunkId: chunkTerms.chunkId })
    .prepare();
  return {
    insert(chunk, vector, terms) {
      insertVector.run({ chunkId: chunk, vector: encodeVector(vector) });
      insertTokens.run({ chunkId: chunk, tokens: encodeChunkTokens(terms) });
    },
    order(chunk, terms) {
      if (takeUnordered.all({ chunkId: chunk }).length > 0)
        insertTokens.run({ chunkId: chunk, tokens: encodeChunkTokens(terms) });
    },
    remove(first, last) {
      deleteVectors.run({ first, last });
      deleteTokens.run({ first, last });
      deleteTerms.run({ first, last });
    },
  };
}
