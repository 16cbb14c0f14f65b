/** The main thread's side: sends requests to the lexical Worker. */
import { packRanges } from "../indexing/packed-ranges.ts";
import { WorkerRequests } from "../indexing/requests.ts";
import { startOwnWorker } from "../native/index.ts";
import type { ChunkRange } from "../store/index.ts";
import type { LexicalAnswer } from "./dataset-index.ts";
import type { LexicalIndexes, LexicalIndexOptions, LexicalQuestion } from "./index.ts";
import type { LexicalRequest, LexicalStatistics } from "./protocol.ts";

export class LexicalClient implements LexicalIndexes {
  private readonly worker = new WorkerRequests<LexicalRequest>(startOwnWorker("src/lexical/worker.ts"));
  private closing: Promise<void> | null = null;

  private constructor() {}

  static async open(options: LexicalIndexOptions): Promise<LexicalClient> {
    const client = new LexicalClient();
    await client.worker.open({ type: "open", options });
    return client;
  }

  async search({
    datasetId,
    question,
    count,
    within,
  }: {
    datasetId: number;
    question: LexicalQuestion;
    count: number;
    within?: readonly ChunkRange[] | undefined;
  }): Promise<LexicalAnswer> {
    return (await this.worker.send({
      type: "search",
      datasetId,
      question,
      count,
      within: within ? packRanges(within) : null,
    })) as LexicalAnswer;
  }

  async scores(request: {
    datasetId: number;
    question: LexicalQuestion;
    chunkIds: readonly number[];
  }): Promise<Float64Array> {
    return (await this.worker.send({ type: "scores", ...request })) as Float64Array;
  }

  async add({ datasetId, range }: { datasetId: number; range: ChunkRange }): Promise<void> {
    await this.worker.send({ type: "add", datasetId, range: packRanges([range]) });
  }

  async remove({ datasetId, ranges }: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void> {
    await this.worker.send({ type: "remove", datasetId, ranges: packRanges(ranges) });
  }

  async warm(datasetId: number): Promise<void> {
    await this.worker.send({ type: "warm", datasetId });
  }

  async statistics(): Promise<LexicalStatistics> {
    return (await this.worker.send({ type: "statistics" })) as LexicalStatistics;
  }

  close(): Promise<void> {
    return (this.closing ??= this.worker.close({ type: "close" }));
  }
}
