/** The main thread's side: sends requests to the ranking Worker. */
import { WorkerRequests } from "../indexing/requests.ts";
import { startOwnWorker } from "../native/index.ts";
import type { Candidate, Question, QuestionReading, RankedCandidate, Ranking, RankingOptions } from "./index.ts";
import type { RankingRequest, RankingTraits } from "./protocol.ts";

export class RankingClient implements Ranking {
  readonly floor: number;
  readonly typicalCosine: Ranking["typicalCosine"];
  private closing: Promise<void> | null = null;

  private constructor(
    private readonly worker: WorkerRequests<RankingRequest>,
    { floor, typicalCosine }: RankingTraits,
  ) {
    this.floor = floor;
    this.typicalCosine = typicalCosine;
  }

  static async open({ dataDirectory, mode }: RankingOptions): Promise<RankingClient> {
    const worker = new WorkerRequests<RankingRequest>(startOwnWorker("src/ranking/worker.ts"));
    return new RankingClient(worker, (await worker.open({ type: "open", dataDirectory, mode })) as RankingTraits);
  }

  async rank({
    question,
    candidates,
  }: {
    question: Question;
    candidates: readonly Candidate[];
  }): Promise<RankedCandidate[] | null> {
    return (await this.worker.send({ type: "rank", question, candidates })) as RankedCandidate[] | null;
  }

  async read({ question, texts }: { question: Question; texts: readonly Uint32Array[] }): Promise<QuestionReading> {
    return (await this.worker.send({ type: "read", question, texts })) as QuestionReading;
  }

  close(): Promise<void> {
    return (this.closing ??= this.worker.close({ type: "close" }));
  }
}
