/** How candidates are judged, and what the main thread knows of it. */
import type { TroubleReport } from "../remote/index.ts";
import type { CommonTokens } from "../search/index.ts";

export type RankingMode = "full" | "fast";

/** A question as the lexical half knows it. */
export interface Question {
  /** As `EmbeddedTexts` has them: the question's tokens in order, then its words. */
  readonly terms: Uint32Array;
  /** How much each of `terms` says beside others as rare. */
  readonly importance: Float32Array;
  /** How many chunks of the dataset hold each of `terms`. */
  readonly holders: Uint32Array;
  /** Chunks of the dataset. */
  readonly chunks: number;
  /** The dataset's commonest tokens, most chunks first, and the share of chunks that hold each. */
  readonly common: CommonTokens;
}

/** A chunk that one of the kinds of evidence of the first stage proposes. */
export interface Candidate {
  /** As `indexedChunk` makes it. */
  readonly chunkId: number;
  /** Of the chunk's vector and the question's. */
  readonly cosine: number;
  /** BM25 as a share of the question's maximum. */
  readonly overlap: number;
  /** The same of the question's gloss, where that proposes the chunk. */
  readonly translated?: number;
}

/** What each kind of evidence said of a candidate, for whoever asks why it stands where it stands. */
export interface Evidence extends Candidate {
  /** 0-1: how much of the question the best forty words in a row answer. */
  readonly window: number;
  /** How many neighbours in the question are neighbours here too. */
  readonly pairs: number;
}

export interface RankedCandidate extends Evidence {
  /** What it was ranked by; compares candidates of one search only. */
  readonly value: number;
  /** 0-1: how sure it is that this answers the question. Never rises from one rank to the next. */
  readonly score: number;
  /** 0-1: how sure it is that anything in the dataset answers the question, as far as this shows. */
  readonly support: number;
}

/** What reading one text for a question found. */
export interface TextReading {
  /** For each of the question's units, how near the text's nearest comes, 0-1; parallel to `QuestionReading.weights`. */
  readonly matches: Float32Array;
  /** How many neighbours in the question are neighbours here too, 0-1. */
  readonly pairs: number;
}

export interface QuestionReading {
  /** What each of the question's units weighs; they sum to 1. None when the question has no words. */
  readonly weights: Float32Array;
  readonly texts: readonly TextReading[];
}

export interface Ranking {
  /** Throws RESTARTING while nothing can be ranked, because the thread that does ended by itself. */
  check(): void;
  /** A search of which no result has that much support has found nothing that answers. */
  readonly floor: number;
  /** Cosines among a search's candidates by the built-in model; another model's are to be moved and scaled to this before they are judged. */
  readonly typicalCosine: { readonly mean: number; readonly deviation: number };
  /** The candidates that are still stored, best first; null when the database does not hold every candidate's tokens yet. */
  rank(request: { question: Question; candidates: readonly Candidate[] }): Promise<RankedCandidate[] | null>;
  /** Reads texts, each given by its terms as `EmbeddedTexts` has them (words are ignored), for a question. */
  read(request: { question: Question; texts: readonly Uint32Array[] }): Promise<QuestionReading>;
  close(): Promise<void>;
}

export interface RankingOptions {
  /** Told when its thread ended by itself, and when it could not be started again. */
  readonly onTrouble?: TroubleReport;
  readonly dataDirectory: string;
  /** By the trained network, or by the plain sum of all evidence. */
  readonly mode: RankingMode;
  /** Threads that read, some 45 MB each. */
  readonly threads: number;
}

/** What the thread tells when it has opened. */
export type RankingTraits = Pick<Ranking, "floor" | "typicalCosine">;
