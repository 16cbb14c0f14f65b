/**
 * The steps by which a dataset's vectors and terms are replaced by another model's (generations.ts says how they lie beside
 * each other). Each runs inside a transaction that its caller opens and commits: a crash between two of them loses nothing, and
 * the next start goes on behind the last one.
 */
import type { Database } from "bun:sqlite";
import { unpackIds } from "../foundation/id-lists.ts";
import type { ChunkEmbeddings } from "./chunk-embeddings.ts";
import { GENERATIONS, indexedChunk } from "./generations.ts";
import type {
  AddEmbeddingsRequest,
  BeginReembeddingRequest,
  RemoveDiscardedRequest,
  SwitchGenerationRequest,
} from "./write-requests.ts";

export type GenerationWrites = ReturnType<typeof prepareGenerationWrites>;

/** Prepares the statements once for a connection. */
export function prepareGenerationWrites(database: Database, embeddings: ChunkEmbeddings) {
  const live = database.query<{ modelId: string; generation: number; fileCount: number }, [number]>(
    "SELECT modelId, generation, fileCount FROM datasets WHERE id = ?",
  );
  const underWay = database.query<{ modelId: string; generation: number; throughChunkId: number }, [number]>(
    "SELECT modelId, generation, throughChunkId FROM reembeddings WHERE datasetId = ?",
  );
  const allOf = database.query<{ generation: number }, [number]>(
    "SELECT generation FROM datasets WHERE id = ?1 UNION SELECT generation FROM reembeddings WHERE datasetId = ?1 UNION SELECT generation FROM discardedGenerations WHERE datasetId = ?1",
  );
  const insertReembedding = database.query(
    "INSERT INTO reembeddings (datasetId, generation, modelId) VALUES (?, ?, ?)",
  );
  const deleteReembedding = database.query("DELETE FROM reembeddings WHERE datasetId = ?");
  const advance = database.query("UPDATE reembeddings SET throughChunkId = ? WHERE datasetId = ?");
  const insertDiscarded = database.query("INSERT INTO discardedGenerations (datasetId, generation) VALUES (?, ?)");
  const makeLive = database.query("UPDATE datasets SET modelId = ?, generation = ? WHERE id = ?");
  const isInDataset = database.query<{ one: number }, [number, number]>(
    "SELECT 1 AS one FROM chunks JOIN files ON files.id = chunks.fileRow WHERE chunks.id = ? AND files.datasetId = ?",
  );
  // Ids ascend, so that the newest file holds the highest.
  const lastChunk = database.query<{ last: number }, [number]>(
    "SELECT firstChunkId + chunkCount - 1 AS last FROM files WHERE datasetId = ? ORDER BY id DESC LIMIT 1",
  );
  const oldestDiscarded = database.query<{ datasetId: number; generation: number; throughChunkId: number }, []>(
    "SELECT datasetId, generation, throughChunkId FROM discardedGenerations LIMIT 1",
  );
  const nextFile = database.query<{ first: number; last: number }, [number, number]>(
    "SELECT firstChunkId AS first, firstChunkId + chunkCount - 1 AS last FROM files WHERE datasetId = ?1 AND firstChunkId + chunkCount - 1 > ?2 ORDER BY id LIMIT 1",
  );
  const noteRemoved = database.query(
    "UPDATE discardedGenerations SET throughChunkId = ?3 WHERE datasetId = ?1 AND generation = ?2",
  );
  const forgetDiscarded = database.query("DELETE FROM discardedGenerations WHERE datasetId = ? AND generation = ?");
  const forgetAllDiscarded = database.query("DELETE FROM discardedGenerations WHERE datasetId = ?");

  /** Every generation of the dataset of which vectors may be stored. */
  const generationsOf = (datasetId: number): number[] => allOf.all(datasetId).map(({ generation }) => generation);

  function unusedGeneration(datasetId: number): number {
    const used = new Set(generationsOf(datasetId));
    for (let generation = 0; generation < GENERATIONS; generation++) if (!used.has(generation)) return generation;
    throw new RangeError(`Dataset ${datasetId} has no generation left.`);
  }

  /** Gives up the generation that is being made, if there is one. */
  function cancel(datasetId: number): void {
    const begun = underWay.get(datasetId);
    if (!begun) return;
    deleteReembedding.run(datasetId);
    insertDiscarded.run(datasetId, begun.generation);
  }

  return {
    generationsOf,

    /**
     * Begins, or goes on where a process left off; what was begun for another model is given up. Nothing to do for a dataset without
     * files, or for the live generation's own model.
     */
    begin({ datasetId, modelId }: BeginReembeddingRequest): void {
      const dataset = live.get(datasetId);
      if (!dataset || underWay.get(datasetId)?.modelId === modelId) return;
      cancel(datasetId);
      if (dataset.modelId !== modelId && dataset.fileCount > 0)
        insertReembedding.run(datasetId, unusedGeneration(datasetId), modelId);
    },

    /** Stores the next chunks' vectors and terms; chunks deleted meanwhile are left out. Ignored when their generation was given up. */
    add({ datasetId, generation, chunkIds, vectors, terms, throughChunkId }: AddEmbeddingsRequest): void {
      if (underWay.get(datasetId)?.generation !== generation) return;
      const dimensions = vectors.length / chunkIds.length;
      const termsOf = unpackIds(terms);
      chunkIds.forEach((chunkId, row) => {
        if (isInDataset.get(chunkId, datasetId))
          embeddings.insert(
            indexedChunk(chunkId, generation),
            vectors.subarray(row * dimensions, (row + 1) * dimensions),
            termsOf[row]!,
          );
      });
      advance.run(throughChunkId, datasetId);
    },

    /** Makes the generation live when it has every chunk, one stored a moment ago included; else does nothing. Returns whether it did. */
    makeLive({ datasetId, generation }: SwitchGenerationRequest): boolean {
      const [dataset, next] = [live.get(datasetId), underWay.get(datasetId)];
      if (!dataset || next?.generation !== generation || (lastChunk.get(datasetId)?.last ?? 0) > next.throughChunkId)
        return false;
      makeLive.run(next.modelId, generation, datasetId);
      deleteReembedding.run(datasetId);
      insertDiscarded.run(datasetId, dataset.generation);
      return true;
    },

    /** A dataset without files becomes another model's at once. Returns its new generation: indexes of the old one hold nothing of use. */
    takeOver(datasetId: number, modelId: string): number {
      cancel(datasetId);
      const before = live.get(datasetId)!.generation;
      const generation = unusedGeneration(datasetId);
      makeLive.run(modelId, generation, datasetId);
      insertDiscarded.run(datasetId, before);
      return generation;
    },

    /** Removes vectors and terms of at most `limit` chunks of a discarded generation. Returns whether there may be more. */
    removeDiscarded({ limit }: RemoveDiscardedRequest): boolean {
      const discarded = oldestDiscarded.get();
      if (!discarded) return false;
      const { datasetId, generation } = discarded;
      let through = discarded.throughChunkId;
      for (let left = limit; left > 0; ) {
        const file = nextFile.get(datasetId, through);
        if (!file) {
          forgetDiscarded.run(datasetId, generation);
          return true;
        }
        const first = Math.max(file.first, through + 1);
        through = Math.min(file.last, first + left - 1);
        embeddings.remove(indexedChunk(first, generation), indexedChunk(through, generation));
        left -= through - first + 1;
      }
      noteRemoved.run(datasetId, generation, through);
      return true;
    },

    /** Forgets a dataset whose row is deleted. */
    forget(datasetId: number): void {
      deleteReembedding.run(datasetId);
      forgetAllDiscarded.run(datasetId);
    },
  };
}
