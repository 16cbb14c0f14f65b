/** The main thread's side of the embedding thread: bounds the queue, and keeps the thread running. */

import { availableParallelism } from "node:os";
import { fail, LecternError } from "../foundation/errors.ts";
import { partsOf, unpackIds } from "../foundation/id-lists.ts";
import { setNativeEnvironment } from "../native/index.ts";
import { openThread, Restarting, type Calls, type Connection } from "../remote/index.ts";
import { scoreMap } from "./calibration.ts";
import type { Span } from "./highlights.ts";
import type {
  EmbeddedQuestion,
  EmbeddedTexts,
  Embedder,
  EmbedderOptions,
  EmbeddingPriority,
  TextKind,
} from "./types.ts";
import type { ModelManifest, SearchMode } from "./manifest.ts";
import { modelIdentity, readManifest } from "./model-folder.ts";
import type { EmbeddingThread } from "./worker.ts";

/** Seconds after which a caller refused with BUSY may try again. */
const BUSY_RETRY_SECONDS = 1;
/** Milliseconds that the runs which were accepted may take at the end. */
const CLOSE_MILLISECONDS = 60_000;

/** Starts the thread of a model; see `openEmbedder`. */
export async function startEmbedder(options: EmbedderOptions): Promise<Embedder> {
  await setNativeEnvironment();
  const manifest = await readManifest(options.modelDirectory);
  const { onTrouble = () => {} } = options;
  const thread = await Restarting.open({ part: "The embedding model", start: () => startThreadOf(options), onTrouble });
  return new ThreadEmbedder(manifest, thread, options.maxQueuedTexts);
}

/** Resolves once the model is loaded and tried. Throws OPERATION_FAILED when it cannot be used. */
function startThreadOf({ modelDirectory, threads }: EmbedderOptions): Promise<Connection<EmbeddingThread>> {
  return openThread<EmbeddingThread>("src/embedding/worker.ts", async (calls, connection) => {
    try {
      await calls.open(modelDirectory, Math.min(threads, availableParallelism()));
    } catch (error) {
      const reason = connection.isEnded
        ? "The embedding model cannot be loaded."
        : `The embedding model cannot be used: ${reasonOf(error)}`;
      throw fail("OPERATION_FAILED", { reason }, undefined, error);
    }
  });
}

class ThreadEmbedder implements Embedder {
  readonly modelId: string;
  private readonly scoreMaps: Record<SearchMode, (similarity: number) => number>;
  private readonly queued: Record<EmbeddingPriority, number> = { search: 0, upload: 0 };
  private closing: Promise<void> | null = null;

  constructor(
    readonly manifest: ModelManifest,
    private readonly thread: Restarting<EmbeddingThread>,
    private readonly maxQueuedTexts: number,
  ) {
    this.modelId = modelIdentity(manifest);
    this.scoreMaps = { vector: scoreMap(manifest.calibration), hybrid: scoreMap(manifest.search.calibration) };
  }

  check(): void {
    this.thread.check();
  }

  async embed(texts: readonly string[], kind: TextKind, priority: EmbeddingPriority): Promise<Float32Array[]> {
    if (texts.length === 0) return [];
    const { vectors } = await this.ask(texts, priority, (calls) => calls.embed(texts, kind, priority, false));
    return this.rowsOf(vectors);
  }

  async embedWithTerms(texts: readonly string[], kind: TextKind, priority: EmbeddingPriority): Promise<EmbeddedTexts> {
    if (texts.length === 0) return { vectors: [], terms: [], importance: [] };
    const { vectors, terms, importance } = await this.ask(texts, priority, (calls) =>
      calls.embed(texts, kind, priority, true),
    );
    return {
      vectors: this.rowsOf(vectors),
      terms: terms === null ? [] : unpackIds(terms),
      importance: terms === null || importance === null ? [] : partsOf(importance, terms.ends),
    };
  }

  embedQuestion(text: string): Promise<EmbeddedQuestion> {
    return this.ask([text], "search", (calls) => calls.embedQuestion(text));
  }

  async terms(texts: readonly string[], priority: EmbeddingPriority): Promise<Uint32Array[]> {
    if (texts.length === 0) return [];
    return unpackIds(await this.ask(texts, priority, (calls) => calls.terms(texts)));
  }

  async highlights(question: string, texts: readonly string[]): Promise<Span[][]> {
    if (texts.length === 0) return [];
    return this.ask(texts, "search", (calls) => calls.highlights(question, texts));
  }

  score(similarity: number, mode: SearchMode): number {
    return this.scoreMaps[mode](similarity);
  }

  close(): Promise<void> {
    return (this.closing ??= this.thread.close((thread) => thread.close(), CLOSE_MILLISECONDS));
  }

  /** The vectors of a request's texts, which are laid end to end. */
  private rowsOf(vectors: Float32Array): Float32Array[] {
    const { dimensions } = this.manifest;
    return Array.from({ length: vectors.length / dimensions }, (_, row) =>
      vectors.subarray(row * dimensions, (row + 1) * dimensions),
    );
  }

  private async ask<Answer>(
    texts: readonly string[],
    priority: EmbeddingPriority,
    question: (calls: Calls<EmbeddingThread>) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.closing) throw fail("SHUTTING_DOWN", { retryAfter: BUSY_RETRY_SECONDS });
    // Each priority has its own limit: uploads that fill theirs must not turn searches away.
    const waiting = this.queued[priority];
    if (waiting > 0 && waiting + texts.length > this.maxQueuedTexts)
      throw fail("BUSY", { retryAfter: BUSY_RETRY_SECONDS });
    this.queued[priority] += texts.length;
    try {
      return await this.thread
        .use(({ calls }) => question(calls))
        .catch((error: unknown) => {
          throw error instanceof LecternError
            ? error
            : fail("INTERNAL", {}, undefined, new Error(`the embedding model failed: ${reasonOf(error)}`));
        });
    } finally {
      this.queued[priority] -= texts.length;
    }
  }
}

/** One line: a sentence of ours as it is, of other errors the whole chain of causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof LecternError && error.code !== "INTERNAL") return error.message;
  return error.cause ? `${error.message} (${reasonOf(error.cause)})` : error.message;
}
