/** The main thread's side: hands candidates to the ranking thread that has least to do, and keeps all of them running. */
import { allOrClose } from "../foundation/all-or-close.ts";
import { openThread, Restarting, type Connection, type TroubleReport } from "../remote/index.ts";
import type { Candidate, Question, QuestionReading, RankedCandidate, Ranking, RankingOptions } from "./types.ts";
import type { RankingTraits } from "./types.ts";
import type { RankingThread } from "./worker.ts";

const CLOSE_MILLISECONDS = 10_000;

interface Thread {
  readonly ranking: Restarting<RankingThread>;
  /** Questions that it has. */
  asked: number;
}

export class RankingClient implements Ranking {
  readonly floor: number;
  readonly typicalCosine: Ranking["typicalCosine"];

  private constructor(
    private readonly threads: readonly Thread[],
    { floor, typicalCosine }: RankingTraits,
  ) {
    this.floor = floor;
    this.typicalCosine = typicalCosine;
  }

  static async open(
    { dataDirectory, mode, threads }: RankingOptions,
    onTrouble: TroubleReport,
  ): Promise<RankingClient> {
    let traits: RankingTraits | undefined;
    const start = () =>
      openThread<RankingThread>("src/ranking/worker.ts", async (calls) => {
        await calls.open(dataDirectory, mode);
        traits = await calls.traits();
      });
    const opened = await allOrClose(
      Array.from({ length: threads }, async () => {
        const ranking = await Restarting.open({ part: "The ranking", start, onTrouble });
        return { ranking, asked: 0, close: () => closeThread(ranking) };
      }),
    );
    return new RankingClient(opened, traits!);
  }

  /** Searches go on as long as one of them runs. */
  check(): void {
    this.leastAsked().ranking.check();
  }

  rank(request: { question: Question; candidates: readonly Candidate[] }): Promise<RankedCandidate[] | null> {
    return this.ask(({ calls }) => calls.rank(request.question, request.candidates));
  }

  read({ question, texts }: { question: Question; texts: readonly Uint32Array[] }): Promise<QuestionReading> {
    return this.ask(({ calls }) => calls.read(question, texts));
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map(({ ranking }) => closeThread(ranking)));
  }

  private async ask<Answer>(question: (connection: Connection<RankingThread>) => Promise<Answer>): Promise<Answer> {
    const thread = this.leastAsked();
    thread.asked++;
    try {
      return await thread.ranking.use(question);
    } finally {
      thread.asked--;
    }
  }

  /** One that runs, if any does. */
  private leastAsked(): Thread {
    const cost = ({ ranking, asked }: Thread): number => (ranking.isRunning ? asked : Infinity);
    return this.threads.reduce((least, thread) => (cost(thread) < cost(least) ? thread : least));
  }
}

const closeThread = (ranking: Restarting<RankingThread>): Promise<void> =>
  ranking.close((thread) => thread.close(), CLOSE_MILLISECONDS);
