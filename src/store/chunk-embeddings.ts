/** Vectors and terms of chunks: always written and removed together. Each function runs inside its caller's transaction. */
import { between, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/bun-sqlite";
import { encodeHalf, type Vector } from "./half-precision.ts";
import { chunkTerms, vectors } from "./schema.ts";
import { encodeTermCounts } from "./term-counts.ts";

export interface ChunkEmbeddings {
  /** `chunk` as `indexedChunk` makes it. Throws RangeError when the vector or a term cannot be kept. */
  insert(chunk: number, vector: Vector, terms: Uint32Array): void;
  /** Removes those of all chunks from `first` to `last`. */
  remove(first: number, last: number): void;
}

/** Prepares the statements once for a connection. */
export function prepareChunkEmbeddings(db: ReturnType<typeof drizzle>): ChunkEmbeddings {
  const { placeholder } = sql;
  const insertVector = db.insert(vectors).values({ chunkId: placeholder("chunkId"), vector: placeholder("vector") }).prepare();
  const insertTerms = db.insert(chunkTerms).values({ chunkId: placeholder("chunkId"), terms: placeholder("terms") }).prepare();
  const deleteVectors = db.delete(vectors).where(between(vectors.chunkId, placeholder("first"), placeholder("last"))).prepare();
  const deleteTerms = db.delete(chunkTerms).where(between(chunkTerms.chunkId, placeholder("first"), placeholder("last"))).prepare();
  return {
    insert(chunk, vector, terms) {
      insertVector.run({ chunkId: chunk, vector: encodeHalf(vector) });
      insertTerms.run({ chunkId: chunk, terms: encodeTermCounts(terms) });
    },
    remove(first, last) {
      deleteVectors.run({ first, last });
      deleteTerms.run({ first, last });
    },
  };
}
