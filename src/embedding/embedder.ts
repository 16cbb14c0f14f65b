/** The main thread's side of the embedding Worker: numbers requests, bounds the queue, restarts what crashed. */

import { availableParallelism } from "node:os";
import { fail } from "../errors.ts";
import { setNativeEnvironment, startOwnWorker } from "../native/index.ts";
import { scoreMap } from "./calibration.ts";
import type { EmbeddedTexts, Embedder, EmbedderOptions, EmbeddingPriority, TextKind } from "./index.ts";
import type { ModelManifest, SearchMode } from "./manifest.ts";
import { modelIdentity, readManifest } from "./model-folder.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import { partsOf, unpackIds } from "../id-lists.ts";

/** Seconds after which a caller refused with BUSY may try again. */
const BUSY_RETRY_SECONDS = 1;

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** What the Worker says of a request that has not failed. */
type Answer = Extract<FromWorker, { type: "embedded" | "read" }>;
type Embedded = Extract<FromWorker, { type: "embedded" }>;
/** A request that is still without its number. */
type Question = Omit<Extract<ToWorker, { type: "embed" }>, "id"> | Omit<Extract<ToWorker, { type: "terms" }>, "id">;

/** Starts the Worker of a model; see `openEmbedder`. `createWorker` is given by tests only. */
export async function startEmbedder(options: EmbedderOptions, createWorker = startEmbeddingWorker): Promise<Embedder> {
  await setNativeEnvironment();
  const manifest = await readManifest(options.modelDirectory);
  const embedder = new WorkerEmbedder(manifest, options, createWorker);
  await embedder.ready();
  return embedder;
}

function startEmbeddingWorker(): Worker {
  return startOwnWorker("src/embedding/worker.ts");
}

class WorkerEmbedder implements Embedder {
  readonly modelId: string;
  private readonly scoreMaps: Record<SearchMode, (similarity: number) => number>;
  private readonly pending = new Map<number, Pending>();
  private readonly queued: Record<EmbeddingPriority, number> = { search: 0, upload: 0 };
  private nextId = 1;
  private connection: WorkerConnection | null = null;
  private closing: Promise<void> | null = null;

  constructor(
    readonly manifest: ModelManifest,
    private readonly options: EmbedderOptions,
    private readonly createWorker: () => Worker,
  ) {
    this.modelId = modelIdentity(manifest);
    this.scoreMaps = { vector: scoreMap(manifest.calibration), hybrid: scoreMap(manifest.search.calibration) };
  }

  /** Resolves once the Worker, a new one after a crash, has its model loaded and tried. */
  ready(): Promise<void> {
    this.connection ??= this.connect();
    return this.connection.opened;
  }

  async embed(texts: readonly string[], kind: TextKind, priority: EmbeddingPriority): Promise<Float32Array[]> {
    if (texts.length === 0) return [];
    const { vectors } = (await this.accept(
      { type: "embed", texts, kind, priority, withTerms: false },
      priority,
    )) as Embedded;
    return this.rowsOf(vectors);
  }

  async embedWithTerms(texts: readonly string[], kind: TextKind, priority: EmbeddingPriority): Promise<EmbeddedTexts> {
    if (texts.length === 0) return { vectors: [], terms: [], importance: [] };
    const { vectors, terms, importance } = (await this.accept(
      { type: "embed", texts, kind, priority, withTerms: true },
      priority,
    )) as Embedded;
    return {
      vectors: this.rowsOf(vectors),
      terms: terms === null ? [] : unpackIds(terms),
      importance: terms === null || importance === null ? [] : partsOf(importance, terms.ends),
    };
  }

  async terms(texts: readonly string[], priority: EmbeddingPriority): Promise<Uint32Array[]> {
    if (texts.length === 0) return [];
    const { terms } = await this.accept({ type: "terms", texts }, priority);
    return terms === null ? [] : unpackIds(terms);
  }

  score(similarity: number, mode: SearchMode): number {
    return this.scoreMaps[mode](similarity);
  }

  close(): Promise<void> {
    return (this.closing ??= this.connection?.close() ?? Promise.resolve());
  }

  /** The vectors of a request's texts, which are laid end to end. */
  private rowsOf(vectors: Float32Array): Float32Array[] {
    const { dimensions } = this.manifest;
    return Array.from({ length: vectors.length / dimensions }, (_, row) =>
      vectors.subarray(row * dimensions, (row + 1) * dimensions),
    );
  }

  private async accept(question: Question, priority: EmbeddingPriority): Promise<Answer> {
    const { texts } = question;
    if (this.closing) throw fail("SHUTTING_DOWN", { retryAfter: BUSY_RETRY_SECONDS });
    // Each priority has its own limit: uploads that fill theirs must not turn searches away.
    const waiting = this.queued[priority];
    if (waiting > 0 && waiting + texts.length > this.options.maxQueuedTexts)
      throw fail("BUSY", { retryAfter: BUSY_RETRY_SECONDS });
    this.queued[priority] += texts.length;
    try {
      await this.ready();
      return await this.request(question);
    } finally {
      this.queued[priority] -= texts.length;
    }
  }

  private request(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.pending.set(id, { resolve, reject });
      this.connection?.send({ ...question, id });
    });
  }

  private connect(): WorkerConnection {
    const connection = new WorkerConnection(
      this.createWorker(),
      {
        type: "open",
        modelDirectory: this.options.modelDirectory,
        threads: Math.min(this.options.threads, availableParallelism()),
      },
      (message) => this.settle(message),
      (error) => this.lost(error),
    );
    return connection;
  }

  private settle(message: Extract<FromWorker, { id: number }>): void {
    const pending = this.pending.get(message.id);
    if (!pending) return;
    this.pending.delete(message.id);
    if (message.type === "failed") {
      pending.reject(fail("INTERNAL", {}, undefined, new Error(`the embedding model failed: ${message.reason}`)));
      return;
    }
    pending.resolve(message);
  }

  /** The next request starts a new Worker; those that were running cannot know how far they came. */
  private lost(error: Error): void {
    this.connection = null;
    for (const { reject } of this.pending.values()) reject(fail("INTERNAL", {}, undefined, error));
    this.pending.clear();
  }
}

/** One Worker from its start to its end. */
class WorkerConnection {
  /** Resolves when the model is loaded; rejects with OPERATION_FAILED when it cannot be used. */
  readonly opened: Promise<void>;
  private readonly closed = Promise.withResolvers<void>();
  private ended = false;

  constructor(
    private readonly worker: Worker,
    open: Extract<ToWorker, { type: "open" }>,
    private readonly onAnswer: (message: Extract<FromWorker, { id: number }>) => void,
    private readonly onLost: (error: Error) => void,
  ) {
    const opened = Promise.withResolvers<void>();
    this.opened = opened.promise;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === "opened") opened.resolve();
      else if (data.type === "refused") {
        const error = fail("OPERATION_FAILED", { reason: `The embedding model cannot be used: ${data.reason}` });
        opened.reject(error);
        this.end(error);
      } else if (data.type === "closed") this.closed.resolve();
      else this.onAnswer(data);
    };
    const crash = (reason: string) => {
      const error = new Error(`the embedding worker ended: ${reason}`);
      opened.reject(fail("OPERATION_FAILED", { reason: "The embedding model cannot be loaded." }, undefined, error));
      this.end(error);
    };
    worker.onerror = (event) => crash(event.message);
    worker.addEventListener("close", () => crash("it stopped by itself"));
    this.send(open);
  }

  send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** Asks the Worker to finish, waits for its word, then ends it: ending it during a run would end the process. */
  async close(): Promise<void> {
    await this.opened.catch(() => undefined);
    if (this.ended) return;
    this.send({ type: "close" });
    await this.closed.promise;
    this.ended = true;
    this.worker.terminate();
  }

  private end(error: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.closed.resolve();
    this.worker.terminate();
    this.onLost(error);
  }
}
