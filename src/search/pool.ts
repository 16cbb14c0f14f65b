/** The main thread's side: hands each request to the thread that keeps its dataset, keeps the threads running and acquainted. */
import { openThread, Restarting, transfer, type Connection } from "../remote/index.ts";
import type { ChunkRange } from "../store/index.ts";
import { Builds } from "./builds.ts";
import { MemoryLedger } from "./memory-ledger.ts";
import { packRanges } from "./packed-ranges.ts";
import type { SearchThread } from "./thread.ts";
import {
  homeOf,
  type AskedQuestion,
  type BuildJob,
  type Found,
  type Neighbour,
  type Proposal,
  type SearchEngine,
  type SearchNotices,
  type SearchSettings,
  type SearchStatistics,
  type SearchedDataset,
} from "./types.ts";

/** Milliseconds that the native call under way may take at the end: a thread that is ended inside one takes the process with it. */
const CLOSE_MILLISECONDS = 30_000;

export class SearchPool implements SearchEngine {
  private readonly threads: Restarting<SearchThread>[] = [];
  /** The threads that run, by their numbers. */
  private readonly connections: (Connection<SearchThread> | undefined)[] = [];
  private readonly builds = new Builds();
  private readonly vectorNotes: Float64Array;
  private readonly wordNotes: Float64Array;
  private closing: Promise<void> | null = null;

  private constructor(
    private readonly settings: SearchSettings,
    private readonly size: number,
    private readonly notices: SearchNotices,
  ) {
    this.vectorNotes = MemoryLedger.shared(size);
    this.wordNotes = MemoryLedger.shared(size);
  }

  static async open(settings: SearchSettings, size: number, notices: SearchNotices): Promise<SearchPool> {
    const pool = new SearchPool(settings, size, notices);
    const opening = Array.from({ length: size }, (_, own) =>
      Restarting.open({
        part: "A search thread",
        start: () => pool.start(own),
        onTrouble: notices.onTrouble,
      }),
    );
    const opened = await Promise.allSettled(opening);
    for (const one of opened) if (one.status === "fulfilled") pool.threads.push(one.value);
    const failed = opened.find((one) => one.status === "rejected");
    if (failed === undefined) return pool;
    await pool.close();
    throw failed.reason;
  }

  check(): void {
    for (const thread of this.threads) thread.check();
  }

  find({ datasetId, question, count, within }: SearchedDataset & { question: AskedQuestion }): Promise<Found> {
    const ranges = within ? packRanges(within) : null;
    return this.home(datasetId).use(({ calls }) => calls.find(datasetId, question, count, ranges));
  }

  nearest({ datasetId, vector, count, within }: SearchedDataset & { vector: Float32Array }): Promise<Neighbour[]> {
    const ranges = within ? packRanges(within) : null;
    return this.home(datasetId).use(({ calls }) => calls.nearest(datasetId, vector, count, ranges));
  }

  evidence(request: { datasetId: number; question: AskedQuestion; chunkIds: readonly number[] }): Promise<Proposal[]> {
    const { datasetId, question, chunkIds } = request;
    return this.home(datasetId).use(({ calls }) => calls.evidence(datasetId, question, chunkIds));
  }

  add({ datasetId, range }: { datasetId: number; range: ChunkRange }): Promise<void> {
    return this.home(datasetId).tell(({ calls }) => calls.add(datasetId, range));
  }

  remove({ datasetId, ranges }: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void> {
    const packed = packRanges(ranges);
    return this.home(datasetId).tell(({ calls }) => calls.remove(datasetId, packed));
  }

  forgetWords(datasetId: number): Promise<void> {
    return this.home(datasetId).tell(({ calls }) => calls.forgetWords(datasetId));
  }

  warm(datasetId: number): Promise<void> {
    return this.home(datasetId).use(({ calls }) => calls.warm(datasetId));
  }

  async statistics(): Promise<SearchStatistics> {
    const all = await Promise.all(this.threads.map((thread) => thread.use(({ calls }) => calls.statistics())));
    const words = all.map((one) => one.words).filter((one) => one !== null);
    return {
      vectors: totals(all.map((one) => one.vectors)),
      words: words.length === 0 ? null : totals(words),
      building: this.builds.waiting,
    };
  }

  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    await this.builds.close();
    await Promise.all(this.threads.map((thread) => thread.close((calls) => calls.close(), CLOSE_MILLISECONDS)));
  }

  private home(datasetId: number): Restarting<SearchThread> {
    return this.threads[homeOf(datasetId, this.size)]!;
  }

  /** A thread that knows all others which run, and they it. */
  private async start(own: number): Promise<Connection<SearchThread>> {
    const { settings, notices, vectorNotes, wordNotes } = this;
    const place = { own, threads: this.size, vectorNotes, wordNotes };
    const started = await openThread<SearchThread>("src/search/thread.ts", (calls, connection) =>
      calls.open(
        settings,
        place,
        (job: BuildJob) => this.builds.build(job, (failure) => tellBuilt(connection, job, failure, notices)),
        notices.onDamage,
        notices.onBuildFailure,
        notices.onTooLarge,
      ),
    );
    this.connections[own] = started;
    void started.whenEnded.then(() => this.part(own, started));
    await Promise.all(
      this.connections.map((other, at) => (other && at !== own ? acquaint([started, own], [other, at]) : undefined)),
    );
    return started;
  }

  /** Tells the others that a thread is gone. */
  private part(own: number, gone: Connection<SearchThread>): void {
    if (this.connections[own] === gone) this.connections[own] = undefined;
    // One that is gone as well has nothing to forget.
    for (const other of this.connections) other?.calls.part(own).catch(() => undefined);
  }
}

type Numbered = readonly [Connection<SearchThread>, number];

/** Gives two threads two ports, one for what each asks the other. */
async function acquaint([one, oneAt]: Numbered, [other, otherAt]: Numbered): Promise<void> {
  const [asks, answers] = [new MessageChannel(), new MessageChannel()];
  const met = [
    one.calls.meet(otherAt, transfer({ asks: asks.port1, answers: answers.port1 }, [asks.port1, answers.port1])),
    other.calls.meet(oneAt, transfer({ asks: answers.port2, answers: asks.port2 }, [answers.port2, asks.port2])),
  ];
  // One that is gone meanwhile asks nobody, and nobody it.
  await Promise.allSettled(met);
}

async function tellBuilt(
  wantedBy: Connection<SearchThread>,
  job: BuildJob,
  failure: string | null,
  { onBuildFailure }: SearchNotices,
): Promise<void> {
  // One that has ended meanwhile opens its datasets anew.
  if (wantedBy.isEnded) return;
  await wantedBy.calls.built(job, failure).catch((error: Error) => onBuildFailure(error.message));
}

function totals<Statistics extends { readonly [name in keyof Statistics]: number }>(
  all: readonly Statistics[],
): Statistics {
  const names = Object.keys(all[0]!) as (keyof Statistics)[];
  return Object.fromEntries(names.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)])) as Statistics;
}
