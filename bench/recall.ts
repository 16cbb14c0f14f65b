/** Recall of the served results against an exact search over the stored vectors. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { dotProduct } from "../src/foundation/dot-product.ts";
import { openEmbedder, type Embedder } from "../src/embedding/index.ts";
import { openVectorReader } from "../src/store/index.ts";
import type { BenchServer, SearchHit } from "./server.ts";

const TOP = 10;

/** Every vector of the server's one dataset, and which file each belongs to. Heavy: 6 KB a chunk. */
export class ExactSearch {
  private readonly vectors: Float32Array[] = [];
  private readonly chunkIds: number[] = [];
  private readonly fileRow = new Map<number, { fileId: string; firstChunkId: number; number: number }>();
  private readonly chunkOf = new Map<string, number>();
  /** By chunk: a number for its text. Chunks of one text are one result. */
  private readonly textOf = new Map<number, number>();

  private constructor(private readonly embedder: Embedder) {}

  static async open(server: BenchServer): Promise<ExactSearch> {
    const exact = new ExactSearch(await openEmbedder({ modelDirectory: null, threads: 1, maxQueuedTexts: 100_000 }));
    const { dimensions } = exact.embedder.manifest;
    const database = new Database(join(server.directory, "lectern.db"), { readonly: true });
    for (const row of database
      .query("SELECT fileId, firstChunkId, chunkCount, extraMeta, datasetId FROM files")
      .all() as { fileId: string; firstChunkId: number; chunkCount: number; extraMeta: string }[]) {
      const file = {
        fileId: row.fileId,
        firstChunkId: row.firstChunkId,
        number: (JSON.parse(row.extraMeta) as { number: number }).number,
      };
      exact.chunkOf.set(row.fileId, row.firstChunkId);
      for (let chunk = 0; chunk < row.chunkCount; chunk++) exact.fileRow.set(row.firstChunkId + chunk, file);
    }
    const datasetId = (database.query("SELECT id FROM datasets LIMIT 1").get() as { id: number }).id;
    const numbers = new Map<string, number>();
    for (const { id, text } of database
      .query<{ id: number; text: string }, []>("SELECT id, text FROM chunks")
      .iterate()) {
      if (!numbers.has(text)) numbers.set(text, numbers.size);
      exact.textOf.set(id, numbers.get(text)!);
    }
    database.close();
    const reader = openVectorReader({ dataDirectory: server.directory, dimensions });
    for (let after = 0; ; ) {
      const { chunkIds, vectors } = reader.page(datasetId, after, 5000);
      if (chunkIds.length === 0) break;
      chunkIds.forEach((chunkId, index) => {
        exact.chunkIds.push(chunkId);
        exact.vectors.push(toUnitLength(vectors[index]!));
      });
      after = chunkIds.at(-1)!;
    }
    reader.close();
    return exact;
  }

  /**
   * Part of the exact ten nearest texts that `served` holds, over all questions, among the files whose number is meant.
   * A served result that ties with the tenth, to float precision, counts.
   */
  async recall(
    questions: readonly string[],
    served: readonly SearchHit[][],
    isMeant = (_number: number) => true,
  ): Promise<number> {
    const queries = await this.embedder.embed(questions, "query", "search");
    let found = 0,
      wanted = 0;
    queries.forEach((query, index) => {
      const scores: [number, number][] = [];
      this.vectors.forEach((vector, row) => {
        const chunkId = this.chunkIds[row]!;
        if (isMeant(this.fileRow.get(chunkId)!.number)) scores.push([dotProduct(query, vector), chunkId]);
      });
      scores.sort((left, right) => right[0] - left[0]);
      const cosineOf = new Map(scores.map(([cosine, chunkId]) => [chunkId, cosine]));
      const nearest = new Map<number, number>();
      for (const [cosine, chunkId] of scores) {
        if (nearest.size === TOP) break;
        const text = this.textOf.get(chunkId)!;
        if (!nearest.has(text)) nearest.set(text, cosine);
      }
      const least = Math.min(...nearest.values());
      wanted += nearest.size;
      found += served[index]!.filter(
        ({ metadata }) =>
          (cosineOf.get(this.chunkOf.get(metadata.fileId)! + metadata.chunkIndex) ?? -1) >= least - 1e-6,
      ).length;
    });
    return found / wanted;
  }

  /** Milliseconds of one comparison of a question with every vector in plain JavaScript: the baseline of search times. */
  async scanMilliseconds(question: string): Promise<number> {
    const [query] = await this.embedder.embed([question], "query", "search");
    const started = performance.now();
    let best = -1;
    for (const vector of this.vectors) best = Math.max(best, dotProduct(query!, vector));
    return best >= -1 ? performance.now() - started : NaN;
  }

  close(): Promise<void> {
    return this.embedder.close();
  }
}

function toUnitLength(stored: Int8Array): Float32Array {
  const length = Math.sqrt(stored.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(stored, (value) => value / length);
}
