/** The main thread's side: sends requests to the index Worker and checkpoints to be written to the builder. */
import { packRanges } from "../indexing/packed-ranges.ts";
import { WorkerRequests } from "../indexing/requests.ts";
import { startOwnWorker } from "../native/index.ts";
import type { ChunkRange } from "../store/index.ts";
import type { IndexNotices, SearchRequest, VectorIndexes } from "./index.ts";
import type {
  FromBuilder,
  BuildJob,
  IndexNotice,
  IndexRequest,
  IndexSettings,
  IndexStatistics,
  ToBuilder,
} from "./protocol.ts";
import type { Neighbour } from "./dataset-index.ts";

export class IndexClient implements VectorIndexes {
  private readonly worker: WorkerRequests<IndexRequest, IndexNotice>;
  private readonly builder: CheckpointBuilder;
  private closing: Promise<void> | null = null;

  private constructor(
    private readonly settings: IndexSettings,
    { onBuildFailure, onDamage }: IndexNotices,
  ) {
    this.builder = new CheckpointBuilder((job, failure) => {
      this.worker.send({ type: "built", job, failure }).catch((error: Error) => onBuildFailure(error.message));
    });
    this.worker = new WorkerRequests(startOwnWorker("src/vectors/worker.ts"), (notice: IndexNotice) => {
      if (notice.type === "damage") onDamage(notice.damage);
      else if (notice.type === "buildFailure") onBuildFailure(notice.reason);
      else if (!this.closing) this.builder.build(notice.job);
    });
  }

  static async open(settings: IndexSettings, notices: IndexNotices): Promise<IndexClient> {
    const client = new IndexClient(settings, notices);
    await client.worker.open({ type: "open", settings });
    return client;
  }

  async search({ datasetId, vector, count, within, precision = "exact" }: SearchRequest): Promise<Neighbour[]> {
    this.checkVector(vector);
    return (await this.worker.send({
      type: "search",
      datasetId,
      vector,
      count,
      precision,
      within: within ? packRanges(within) : null,
    })) as Neighbour[];
  }

  async similarities(request: {
    datasetId: number;
    vector: Float32Array;
    chunkIds: readonly number[];
  }): Promise<Float64Array> {
    this.checkVector(request.vector);
    return (await this.worker.send({ type: "similarities", ...request })) as Float64Array;
  }

  async add(input: { datasetId: number; firstChunkId: number; vectors: readonly Float32Array[] }): Promise<void> {
    for (const vector of input.vectors) this.checkVector(vector);
    await this.worker.send({ type: "add", ...input });
  }

  async remove(input: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void> {
    await this.worker.send({ type: "remove", datasetId: input.datasetId, ranges: packRanges(input.ranges) });
  }

  async warm(datasetId: number): Promise<void> {
    await this.worker.send({ type: "warm", datasetId });
  }

  async statistics(): Promise<IndexStatistics & { building: number }> {
    return { ...((await this.worker.send({ type: "statistics" })) as IndexStatistics), building: this.builder.waiting };
  }

  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    await this.builder.close();
    await this.worker.close({ type: "close" });
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

/** Starts the builder Worker for the first job and ends it when no more are waiting. */
class CheckpointBuilder {
  private worker: Worker | null = null;
  /** Given to the Worker and not done, in this order. */
  private readonly jobs: BuildJob[] = [];
  private closed: (() => void) | null = null;

  constructor(private readonly onBuilt: (job: BuildJob, failure: string | null) => void) {}

  /** Checkpoints under way or queued. */
  get waiting(): number {
    return this.jobs.length;
  }

  build(job: BuildJob): void {
    this.worker ??= this.start();
    this.jobs.push(job);
    this.send({ type: "build", job });
  }

  /** Waits for the native call under way: a Worker that is terminated inside one takes the process with it. */
  async close(): Promise<void> {
    if (!this.worker) return;
    const ended = new Promise<void>((resolve) => (this.closed = resolve));
    this.send({ type: "close" });
    await ended;
  }

  private start(): Worker {
    const worker = startOwnWorker("src/vectors/builder.ts");
    worker.onmessage = ({ data }: MessageEvent<FromBuilder>) => {
      if (data.type === "closed") return this.end(worker);
      this.jobs.shift();
      if (this.jobs.length === 0 && !this.closed) this.end(worker);
      this.onBuilt(data.job, data.failure);
    };
    worker.onerror = (event) => this.lost(worker, `the thread that saves indexes failed: ${event.message}`);
    worker.addEventListener("close", () => this.lost(worker, "the thread that saves indexes ended by itself"));
    return worker;
  }

  private end(worker: Worker): void {
    this.worker = null;
    worker.terminate();
    this.closed?.();
  }

  /** Every job it had has failed; the next one starts a new Worker. */
  private lost(worker: Worker, reason: string): void {
    if (this.worker !== worker) return;
    this.end(worker);
    for (const job of this.jobs.splice(0)) this.onBuilt(job, reason);
  }

  private send(message: ToBuilder): void {
    this.worker?.postMessage(message);
  }
}
