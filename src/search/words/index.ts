/**
 * Words → chunks that hold them: the lexical half of a search, over the model's own terms. One inverted index per dataset, made
 * in a Worker from the terms that SQLite keeps. How each part works: bm25.ts (scores), segment.ts and postings.ts (some
 * chunks of a dataset), dataset-index.ts (all of them), saved-segments.ts (on disk), worker.ts (what is open).
 */
import type { TroubleReport } from "../../remote/index.ts";
import type { ChunkRange } from "../../store/index.ts";
import type { LexicalAnswer } from "./dataset-index.ts";
import { LexicalClient } from "./index-client.ts";
import type { LexicalNotices, LexicalStatistics } from "./types.ts";

export type { CommonTokens, LexicalAnswer, Match } from "./dataset-index.ts";
export { verifySavedWords } from "./verify.ts";
export type { LexicalStatistics } from "./types.ts";

/** A question's terms, each as often as it occurs, and how much each says beside others as rare. */
export interface LexicalQuestion {
  readonly terms: Uint32Array;
  readonly importance: Float32Array;
}

export interface LexicalIndexes {
  /** Throws RESTARTING while nothing can be searched, because the thread that does ended by itself. */
  check(): void;
  /**
   * The `count` chunks of a dataset that match the question's terms best, with BM25 scores as a share of the question's
   * maximum, best first. Chunks that hold none of the terms do not match. `within` restricts the search to chunks in these ranges,
   * ascending and disjoint; it does not change scores. A chunk may be returned that SQLite lost a moment ago.
   */
  search(request: {
    datasetId: number;
    question: LexicalQuestion;
    count: number;
    within?: readonly ChunkRange[] | undefined;
  }): Promise<LexicalAnswer>;
  /** The same scores of given chunks, in order; 0 for a chunk that the dataset does not hold. */
  scores(request: { datasetId: number; question: LexicalQuestion; chunkIds: readonly number[] }): Promise<Float64Array>;
  /** Takes in chunks that the store has committed. The next search after it resolves finds them. */
  add(input: { datasetId: number; range: ChunkRange }): Promise<void>;
  /** Lets go of chunks that the store has deleted. */
  remove(input: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void>;
  /** Brings a dataset into memory, so that its first search need not wait. */
  warm(datasetId: number): Promise<void>;
  statistics(): Promise<LexicalStatistics>;
  close(): Promise<void>;
}

export interface LexicalIndexOptions extends Partial<LexicalNotices> {
  /** Told when its thread ended by itself, and when it could not be started again. */
  readonly onTrouble?: TroubleReport;
  readonly dataDirectory: string;
  /** Most datasets in memory. */
  readonly openDatasets: number;
  /** Bytes of memory that they may take together, without limit where it is not said. */
  readonly memoryBytes?: number;
}

/** The database must be there. */
export function openLexicalIndexes(options: LexicalIndexOptions): Promise<LexicalIndexes> {
  const { onTrouble = () => {}, onBuildFailure = () => {}, onDamage = () => {}, ...settings } = options;
  return LexicalClient.open(settings, { onBuildFailure, onDamage }, onTrouble);
}
