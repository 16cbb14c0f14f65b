/** What embeds and reads texts, as the rest of Lectern sees it: types. */
import type { TroubleReport } from "../remote/index.ts";
import type { Span } from "./highlights.ts";
import type { ModelManifest, SearchMode } from "./manifest.ts";

/** Whether a text is a question or a piece of a document: some models are trained with a different prefix for each. */
export type TextKind = "query" | "passage";
/** Searches overtake uploads in the queue. */
export type EmbeddingPriority = "search" | "upload";

export interface Embedder {
  readonly manifest: ModelManifest;
  /** Identity recorded with each dataset: `name@version#` and 12 hex digits of the SHA-256 over its files' hashes. */
  readonly modelId: string;
  /**
   * One finite vector of unit length and `manifest.dimensions` numbers per text, in order. Texts beyond
   * `manifest.maxTokens` are cut; one without any token gets the first axis. The vectors of one call are parts of one
   * buffer. Throws BUSY when the queue is full, INTERNAL when the model fails.
   */
  embed(texts: readonly string[], kind: TextKind, priority: EmbeddingPriority): Promise<Float32Array[]>;
  /**
   * The same, and each text's lexical terms (see lexical-terms.ts), without special tokens and prefixes: by the built-in
   * model's tokenizer, whatever this model is.
   */
  embedWithTerms(texts: readonly string[], kind: TextKind, priority: EmbeddingPriority): Promise<EmbeddedTexts>;
  /** A question as searches ask it; its terms are those of `embedWithTerms`. Throws BUSY and INTERNAL alike. */
  embedQuestion(text: string): Promise<EmbeddedQuestion>;
  /** The same terms without vectors, which takes a fraction of the time. Throws BUSY and INTERNAL alike. */
  terms(texts: readonly string[], priority: EmbeddingPriority): Promise<Uint32Array[]>;
  /** Where a question's words stand in each of the texts (see highlights.ts): ascending, apart from one another. Throws BUSY and INTERNAL alike. */
  highlights(question: string, texts: readonly string[]): Promise<Span[][]>;
  /**
   * Maps a similarity (mode "vector": a cosine; "hybrid": see `SearchSettings`) to a score in 0-1 by the manifest's
   * calibration for that mode; without one, clamps it. Never changes the order.
   */
  score(similarity: number, mode: SearchMode): number;
  /** Throws RESTARTING while nothing can be embedded, because the thread that does ended by itself. */
  check(): void;
  /** Answers what was accepted, refuses what comes later, and ends the thread. */
  close(): Promise<void>;
}

export interface EmbeddedTexts {
  readonly vectors: Float32Array[];
  /** The text's tokens in their order, ids below 2^20, then its words, ids from there to 2^23, each as often as it occurs; a text may have none. The lists of one call are parts of one buffer. */
  readonly terms: Uint32Array[];
  /** How much each of a question's terms says beside others as rare, 1 being usual (see term-importance.ts). None for passages. */
  readonly importance: Float32Array[];
}

/** A text's terms, and how much each says. */
export interface WeighedTerms {
  readonly terms: Uint32Array;
  readonly importance: Float32Array;
}

export interface EmbeddedQuestion extends WeighedTerms {
  readonly vector: Float32Array;
  /** The question word by word in English, as far as the built-in model's lexicon knows its words; null where it knows none. */
  readonly gloss: WeighedTerms | null;
}

export interface EmbedderOptions {
  /** A model folder, or null for the built-in model. */
  readonly modelDirectory: string | null;
  /** Threads of one model run; at most the real cores. */
  readonly threads: number;
  /** Texts that may wait or run at once, over all callers; one request is accepted on an empty queue whatever its size. */
  readonly maxQueuedTexts: number;
  /** Told when the model's thread ended by itself, and when it could not be started again. */
  readonly onTrouble?: TroubleReport;
}

/** Positions of a model's tokens in a text, for the chunker. */
export interface TokenCounter {
  /**
   * UTF-16 offsets [start, end) of each token in `text`, ascending; special tokens are left out. Tokens overlap only
   * where several stand for one character: they share its range.
   */
  offsets(text: string): Promise<Array<[number, number]>>;
  /** The most tokens that the model reads of one text, its special tokens and passage prefix already taken off. */
  readonly maxTokens: number;
}
