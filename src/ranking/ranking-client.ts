/** The main thread's side: hands candidates to the ranking thread, and keeps it running. */
import { openThread, Restarting, type TroubleReport } from "../remote/index.ts";
import type { Candidate, Question, QuestionReading, RankedCandidate, Ranking, RankingOptions } from "./index.ts";
import type { RankingTraits } from "./types.ts";
import type { RankingThread } from "./worker.ts";

const CLOSE_MILLISECONDS = 10_000;

export class RankingClient implements Ranking {
  readonly floor: number;
  readonly typicalCosine: Ranking["typicalCosine"];

  private constructor(
    private readonly thread: Restarting<RankingThread>,
    { floor, typicalCosine }: RankingTraits,
  ) {
    this.floor = floor;
    this.typicalCosine = typicalCosine;
  }

  static async open({ dataDirectory, mode }: RankingOptions, onTrouble: TroubleReport): Promise<RankingClient> {
    let traits: RankingTraits | undefined;
    const start = () =>
      openThread<RankingThread>("src/ranking/worker.ts", async (calls) => {
        await calls.open(dataDirectory, mode);
        traits = await calls.traits();
      });
    const thread = await Restarting.open({ part: "The ranking", start, onTrouble });
    return new RankingClient(thread, traits!);
  }

  check(): void {
    this.thread.check();
  }

  rank(request: { question: Question; candidates: readonly Candidate[] }): Promise<RankedCandidate[] | null> {
    return this.thread.use(({ calls }) => calls.rank(request.question, request.candidates));
  }

  read({ question, texts }: { question: Question; texts: readonly Uint32Array[] }): Promise<QuestionReading> {
    return this.thread.use(({ calls }) => calls.read(question, texts));
  }

  close(): Promise<void> {
    return this.thread.close((ranking) => ranking.close(), CLOSE_MILLISECONDS);
  }
}
