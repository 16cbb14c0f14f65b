/** Embeds the texts of many requests with one loaded model, one run after another: the embedding Worker's whole work. */

import { packIds, type IdLists } from "../foundation/id-lists.ts";
import type { EmbeddedQuestion, EmbeddingPriority, TextKind } from "./types.ts";
import type { Span } from "./highlights.ts";
import type { LexicalReader } from "./lexical-reader.ts";
import type { ModelManifest } from "./manifest.ts";
import type { ModelTokenizer } from "./tokenizer.ts";
import { Lane, RunBudget, type WaitingText } from "./work-queue.ts";

/** Texts tokenised ahead of the next run: enough to find some of similar length. */
const WINDOW = 32;
/** Texts whose terms are read at once, by themselves. */
const TERMS_WINDOW = 8;
/**
 * Passages after which garbage is collected. The collector waits until the heap has doubled, and counts the model's table, mapped from a
 * file, as part of it.
 */
const TEXTS_UNTIL_TIDY = 1024;

/** A loaded model. */
export interface TextModel {
  /**
   * One finite vector of unit length for each text, given by what the model reads of it, laid end to end. Throws INTERNAL when the model
   * makes something else.
   */
  embed(texts: ReadonlyArray<readonly number[]>): Promise<Float32Array>;
  release(): Promise<void>;
}

interface Request {
  readonly vectors: Float32Array;
  /** What the model has read of each text. */
  readonly ids: (readonly number[])[];
  remaining: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface Embedded {
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
  private untidy = 0;
  private working: Promise<void> | null = null;
  private readonly accepted = new Set<Promise<unknown>>();

  constructor(
    private readonly manifest: ModelManifest,
    private readonly tokenizer: ModelTokenizer,
    private readonly model: TextModel,
    private readonly lexicalReader: LexicalReader,
    /** Whether what the model reads of a text are the tokens among its terms. */
    private readonly readsTerms: boolean,
  ) {}

  /** Rejects with the model's error. */
  embed(texts: readonly string[], kind: TextKind, priority: EmbeddingPriority, withTerms: boolean): Promise<Embedded> {
    return this.accept(this.embedNow(texts, kind, priority, withTerms));
  }

  /** Rejects with the model's error. */
  question(text: string): Promise<EmbeddedQuestion> {
    return this.accept(this.questionNow(text));
  }

  /** Reads the texts' terms alone, a few at a time, so that a search between them hardly waits. */
  terms(texts: readonly string[]): Promise<IdLists> {
    return this.accept(this.termsNow(texts));
  }

  /** Where a question's words stand in each of the texts. */
  highlights(question: string, texts: readonly string[]): Promise<Span[][]> {
    return this.accept(this.lexicalReader.highlights(question, texts));
  }

  /** Resolves once everything accepted has been answered. */
  async drain(): Promise<void> {
    while (this.accepted.size > 0) await Promise.allSettled(this.accepted);
  }

  private accept<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.accepted.add(answer);
    // A failure is the caller's to see.
    void answer.catch(() => undefined).finally(() => this.accepted.delete(answer));
    return answer;
  }

  private async questionNow(text: string): Promise<EmbeddedQuestion> {
    const { vectors, terms, importance } = await this.embedNow([text], "query", "search", true);
    return { vector: vectors, terms: terms!.ids, importance: importance!, gloss: this.lexicalReader.gloss(text) };
  }

  private async termsNow(texts: readonly string[]): Promise<IdLists> {
    this.lexicalReader.quicken();
    const terms: number[][] = [];
    for (let start = 0; start < texts.length; start += TERMS_WINDOW) {
      const read = await this.lexicalReader.read(texts.slice(start, start + TERMS_WINDOW));
      for (const text of read) terms.push(this.lexicalReader.terms(text));
    }
    return packIds(terms);
  }

  private async embedNow(
    texts: readonly string[],
    kind: TextKind,
    priority: EmbeddingPriority,
    withTerms: boolean,
  ): Promise<Embedded> {
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
    const read = await this.lexicalReader.read(texts, this.readsTerms ? ids : undefined);
    return {
      vectors,
      terms: packIds(read.map((text) => this.lexicalReader.terms(text))),
      importance:
        kind === "query"
          ? Float32Array.from((await Promise.all(read.map((text) => this.lexicalReader.importanceOf(text)))).flat())
          : null,
    };
  }

  private async work(): Promise<void> {
    for (;;) {
      const lane = !this.lanes.search.isEmpty ? this.lanes.search : this.lanes.upload;
      if (lane.isEmpty) return;
      if (lane === this.lanes.upload) this.tokenizer.quicken();
      await lane.tokenise(WINDOW, (texts) => this.tokenizer.ids(texts));
      // A search that arrived while an upload was being tokenised goes first.
      if (lane === this.lanes.upload && !this.lanes.search.isEmpty) continue;
      const texts = lane.takeRun(this.budget.tokens);
      await this.run(texts);
      if (lane === this.lanes.upload) this.tidyAfter(texts.length);
    }
  }

  private tidyAfter(texts: number): void {
    this.untidy += texts;
    if (this.untidy < TEXTS_UNTIL_TIDY) return;
    this.untidy = 0;
    Bun.gc(true);
  }

  private async run(texts: readonly WaitingText<Request>[]): Promise<void> {
    const { dimensions } = this.manifest;
    try {
      const start = performance.now();
      const vectors = await this.model.embed(texts.map(({ ids }) => ids));
      const longest = Math.max(1, ...texts.map(({ ids }) => ids.length));
      this.budget.record(texts.length * longest, performance.now() - start);
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
