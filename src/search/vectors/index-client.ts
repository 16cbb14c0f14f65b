/** The main thread's side: hands requests to the index thread, and checkpoints that are wanted to the builder. */
import { packRanges } from "../packed-ranges.ts";
import { openThread, Restarting, startThread, type Connection } from "../../remote/index.ts";
import type { ChunkRange } from "../../store/index.ts";
import type { CheckpointBuilder } from "./builder.ts";
import type { IndexNotices, SearchRequest, VectorIndexes } from "./index.ts";
import type { BuildJob, IndexSettings, IndexStatistics } from "./types.ts";
import type { Neighbour } from "./dataset-index.ts";
import type { VectorThread } from "./worker.ts";

/** Milliseconds that the native call under way may take at the end: a thread that is ended inside one takes the process with it. */
const CLOSE_MILLISECONDS = 30_000;

export class IndexClient implements VectorIndexes {
  private closing: Promise<void> | null = null;

  private constructor(
    private readonly settings: IndexSettings,
    private readonly thread: Restarting<VectorThread>,
    private readonly builds: Builds,
  ) {}

  static async open(settings: IndexSettings, notices: IndexNotices): Promise<IndexClient> {
    const builds = new Builds(notices.onBuildFailure);
    const start = () =>
      openThread<VectorThread>("src/search/vectors/worker.ts", (calls, connection) => {
        const onBuildWanted = (job: BuildJob): void => builds.build(job, connection);
        return calls.open(settings, onBuildWanted, notices.onDamage, notices.onBuildFailure);
      });
    return new IndexClient(
      settings,
      await Restarting.open({ part: "The vector index", start, onTrouble: notices.onTrouble }),
      builds,
    );
  }

  check(): void {
    this.thread.check();
  }

  async search({ datasetId, vector, count, within, precision = "exact" }: SearchRequest): Promise<Neighbour[]> {
    this.checkVector(vector);
    const ranges = within ? packRanges(within) : null;
    return this.thread.use(({ calls }) => calls.search(datasetId, vector, count, ranges, precision));
  }

  async similarities(request: {
    datasetId: number;
    vector: Float32Array;
    chunkIds: readonly number[];
  }): Promise<Float64Array> {
    const { datasetId, vector, chunkIds } = request;
    this.checkVector(vector);
    return this.thread.use(({ calls }) => calls.similarities(datasetId, vector, chunkIds));
  }

  async add(input: { datasetId: number; firstChunkId: number; vectors: readonly Float32Array[] }): Promise<void> {
    const { datasetId, firstChunkId, vectors } = input;
    for (const vector of vectors) this.checkVector(vector);
    await this.thread.tell(({ calls }) => calls.add(datasetId, firstChunkId, vectors));
  }

  async remove({ datasetId, ranges }: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void> {
    const packed = packRanges(ranges);
    await this.thread.tell(({ calls }) => calls.remove(datasetId, packed));
  }

  warm(datasetId: number): Promise<void> {
    return this.thread.use(({ calls }) => calls.warm(datasetId));
  }

  async statistics(): Promise<IndexStatistics & { building: number }> {
    return { ...(await this.thread.use(({ calls }) => calls.statistics())), building: this.builds.waiting };
  }

  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    await this.builds.close();
    await this.thread.close((index) => index.close(), CLOSE_MILLISECONDS);
  }

  /** What enters an index must be finite, of unit length and of the model's dimensions: one NaN would match every question. */
  private checkVector(vector: Float32Array): void {
    if (vector.length !== this.settings.dimensions)
      throw new RangeError(`a vector has ${vector.length} dimensions, the index ${this.settings.dimensions}`);
    let square = 0;
    for (let index = 0; index < vector.length; index++) square += vector[index]! * vector[index]!;
    if (!(Math.abs(square - 1) < 0.01)) throw new RangeError(`a vector's length is ${Math.sqrt(square)}, not 1`);
  }
}

/** Checkpoints, written one after the other in a thread that is there only for so long. */
class Builds {
  waiting = 0;
  private thread: Connection<CheckpointBuilder> | null = null;
  private running: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly onFailure: (reason: string) => void) {}

  /** Writes it when its turn comes, and tells the index thread that wanted it what became of it. */
  build(job: BuildJob, wantedBy: Connection<VectorThread>): void {
    this.waiting++;
    this.running = this.running.then(async () => {
      const failure = await this.write(job);
      if (--this.waiting === 0) await this.endThread();
      // One that has ended meanwhile opens its datasets anew.
      if (!this.isClosed && !wantedBy.isEnded)
        await wantedBy.calls.built(job, failure).catch((error: Error) => this.onFailure(error.message));
    });
  }

  /** Waits for the native call under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.endThread();
    await this.running;
  }

  /** Why it failed; null when it did not. A thread that ended by itself is replaced for the next one. */
  private async write(job: BuildJob): Promise<string | null> {
    if (this.isClosed) return null;
    if (this.thread === null || this.thread.isEnded) this.thread = startThread("src/search/vectors/builder.ts");
    try {
      await this.thread.calls.build(job);
      return null;
    } catch (error) {
      return (((error as Error).cause ?? error) as Error).message;
    }
  }

  private async endThread(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    await thread?.close((builder) => builder.stop(), CLOSE_MILLISECONDS);
  }
}
