/** The main thread's side: hands requests to the lexical thread, and keeps it running. */
import { packRanges } from "../packed-ranges.ts";
import { openThread, Restarting, type TroubleReport } from "../../remote/index.ts";
import type { ChunkRange } from "../../store/index.ts";
import type { LexicalAnswer } from "./dataset-index.ts";
import type { LexicalIndexes, LexicalIndexOptions, LexicalQuestion } from "./index.ts";
import type { LexicalNotices, LexicalStatistics } from "./types.ts";
import type { LexicalThread } from "./worker.ts";

const CLOSE_MILLISECONDS = 10_000;

export class LexicalClient implements LexicalIndexes {
  private constructor(private readonly thread: Restarting<LexicalThread>) {}

  static async open(
    options: LexicalIndexOptions,
    { onBuildFailure, onDamage }: LexicalNotices,
    onTrouble: TroubleReport,
  ): Promise<LexicalClient> {
    const start = () =>
      openThread<LexicalThread>("src/search/words/worker.ts", (calls) => calls.open(options, onBuildFailure, onDamage));
    return new LexicalClient(await Restarting.open({ part: "The lexical index", start, onTrouble }));
  }

  check(): void {
    this.thread.check();
  }

  search(request: {
    datasetId: number;
    question: LexicalQuestion;
    count: number;
    within?: readonly ChunkRange[] | undefined;
  }): Promise<LexicalAnswer> {
    const { datasetId, question, count, within } = request;
    const ranges = within ? packRanges(within) : null;
    return this.thread.use(({ calls }) => calls.search(datasetId, question, count, ranges));
  }

  scores(request: {
    datasetId: number;
    question: LexicalQuestion;
    chunkIds: readonly number[];
  }): Promise<Float64Array> {
    const { datasetId, question, chunkIds } = request;
    return this.thread.use(({ calls }) => calls.scores(datasetId, question, chunkIds));
  }

  async add({ datasetId, range }: { datasetId: number; range: ChunkRange }): Promise<void> {
    await this.thread.tell(({ calls }) => calls.add(datasetId, range));
  }

  async remove({ datasetId, ranges }: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void> {
    const packed = packRanges(ranges);
    await this.thread.tell(({ calls }) => calls.remove(datasetId, packed));
  }

  warm(datasetId: number): Promise<void> {
    return this.thread.use(({ calls }) => calls.warm(datasetId));
  }

  statistics(): Promise<LexicalStatistics> {
    return this.thread.use(({ calls }) => calls.statistics());
  }

  close(): Promise<void> {
    return this.thread.close((index) => index.close(), CLOSE_MILLISECONDS);
  }
}
