/** Embeds the texts of many requests with one loaded model, one run after another: the embedding Worker's whole work. */

import { packIds, type IdLists } from "../id-lists.ts";
import type { EmbeddingPriority, TextKind } from "./index.ts";
import { lexicalTerms, wordsOf } from "./lexical-terms.ts";
import type { ModelManifest } from "./manifest.ts";
import type { ModelSession } from "./model-session.ts";
import { poolInto, toTokenMatrix } from "./tensors.ts";
import type { TermImportance } from "./term-importance.ts";
import type { ModelTokenizer } from "./tokenizer.ts";
import { Lane, RunBudget, type WaitingText } from "./work-queue.ts";

/** Texts tokenised ahead of the next run: enough to find some of similar length. */
const WINDOW = 32;

interface Request {
  readonly vectors: Float32Array;
  /** What the model has read of each text. */
  readonly ids: (readonly number[])[];
  remaining: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Embedded {
  /** The texts' vectors laid end to end. */
  readonly vectors: Float32Array;
  /** null where they are not wanted. */
  readonly terms: IdLists | null;
  /** Of questions' terms, laid end to end as they are; null for passages. */
  readonly importance: Float32Array | null;
}

export class TextEmbedder {
  private readonly lanes: Record<EmbeddingPriority, Lane<Request>> = { search: new Lane(), upload: new Lane() };
  private readonly budget = new RunBudget();
  private working: Promise<void> | null = null;

  constructor(
    private readonly manifest: ModelManifest,
    private readonly tokenizer: ModelTokenizer,
    private readonly session: ModelSession,
    /** Whether the model adds tokens of its own to every text. */
    private readonly addsTokens: boolean,
    private readonly termImportance: TermImportance,
  ) {}

  /** Rejects with the model's error. */
  async embed(texts: readonly string[], kind: TextKind, priority: EmbeddingPriority, withTerms: boolean): Promise<Embedded> {
    const prefix = kind === "query" ? this.manifest.queryPrefix : this.manifest.passagePrefix;
    const vectors = new Float32Array(texts.length * this.manifest.dimensions);
    const ids: (readonly number[])[] = [];
    if (texts.length > 0) {
      await new Promise<void>((resolve, reject) => {
        this.lanes[priority].add(
          { vectors, ids, remaining: texts.length, resolve, reject },
          prefix === "" ? texts : texts.map((text) => prefix + text),
        );
        this.working ??= this.work().finally(() => (this.working = null));
      });
    }
    if (!withTerms) return { vectors, terms: null, importance: null };
    const readAsTheyAre = prefix === "" && !this.addsTokens;
    const tokens = readAsTheyAre ? ids : await this.tokenizer.ownIds(texts);
    const read = texts.map((text, index) => ({ tokens: tokens[index] as readonly number[], words: wordsOf(this.tokenizer.readable(text)) }));
    return {
      vectors,
      terms: packIds(read.map((text) => lexicalTerms(text.tokens, text.words))),
      importance: kind === "query" ? Float32Array.from((await Promise.all(read.map((text) => this.termImportance.of(text.tokens, text.words)))).flat()) : null,
    };
  }

  /** Resolves once everything accepted has been answered. */
  async drain(): Promise<void> {
    while (this.working) await this.working;
  }

  private async work(): Promise<void> {
    for (;;) {
      const lane = !this.lanes.search.isEmpty ? this.lanes.search : this.lanes.upload;
      if (lane.isEmpty) return;
      await lane.tokenise(WINDOW, (texts) => this.tokenizer.ids(texts));
      // A search that arrived while an upload was being tokenised goes first.
      if (lane === this.lanes.upload && !this.lanes.search.isEmpty) continue;
      await this.run(lane.takeRun(this.budget.tokens));
    }
  }

  private async run(texts: readonly WaitingText<Request>[]): Promise<void> {
    const { dimensions, padding } = this.manifest;
    const matrix = toTokenMatrix(texts.map(({ ids }) => ids), padding);
    try {
      const start = performance.now();
      const output = await this.session.run(matrix);
      this.budget.record(matrix.rows * matrix.columns, performance.now() - start);
      const vectors = new Float32Array(texts.length * dimensions);
      poolInto(vectors, output, matrix, this.manifest);
      texts.forEach(({ request, index, ids }, row) => {
        request.vectors.set(vectors.subarray(row * dimensions, (row + 1) * dimensions), index * dimensions);
        request.ids[index] = ids;
        request.remaining -= 1;
        if (request.remaining === 0) request.resolve();
      });
    } catch (error) {
      for (const request of new Set(texts.map((text) => text.request))) {
        for (const lane of Object.values(this.lanes)) lane.drop(request);
        request.reject(error as Error);
      }
    }
  }
}
