/**
 * Question → chunks of a dataset that may answer it, by what they mean and by the words they hold. Each dataset is kept by one of a
 * pool of threads, its vectors and its words together; SQLite is the truth and an index a cache of it. How each part works: pool.ts
 * (which thread), thread.ts (one of them), vectors/vector-index.ts and words/word-index.ts (a dataset in memory), both folders'
 * other files (on disk), builds.ts (checkpoints in the background).
 */
import type { ChunkRange } from "../store/index.ts";
import { SearchPool } from "./pool.ts";
import type {
  Found,
  LexicalQuestion,
  Neighbour,
  Proposal,
  SearchNotices,
  SearchSettings,
  VectorStatistics,
  WordStatistics,
} from "./types.ts";

export type { Found, IndexDamage, LargeIndex, LexicalQuestion, Neighbour, Proposal, SearchNotices } from "./types.ts";
export type { VectorStatistics, WordStatistics } from "./types.ts";
export type { CommonTokens } from "./words/word-index.ts";
export { VECTORS_SHARE } from "./types.ts";
export { verifySavedIndexes } from "./vectors/verify.ts";
export { verifySavedWords } from "./words/verify.ts";

export interface SearchedDataset {
  readonly datasetId: number;
  readonly count: number;
  /** Restricts the search, before it begins, to chunks in these ranges, ascending and disjoint. */
  readonly within?: readonly ChunkRange[] | undefined;
}

export interface AskedQuestion extends LexicalQuestion {
  readonly vector: Float32Array;
}

/** Datasets, and their chunks, are numbered as indexes number them: one number for each generation (see the store). */
export interface SearchEngine {
  /** Throws RESTARTING while something cannot be searched, because the thread that does ended by itself. */
  check(): void;
  /**
   * The `count` chunks whose vectors are nearest and the `count` that match the question's terms best, each once, with what both say
   * of it. Scores do not depend on `within`. A chunk may be among them that SQLite lost a moment ago. Only with words.
   */
  find(request: SearchedDataset & { readonly question: AskedQuestion }): Promise<Found>;
  /** The nearest chunks by the stored vectors, nearest first, and none that SQLite no longer holds. */
  nearest(request: SearchedDataset & { readonly vector: Float32Array }): Promise<Neighbour[]>;
  /** What vectors and words say of given chunks; those that the dataset does not hold are left out. Without words overlaps are 0. */
  evidence(request: {
    readonly datasetId: number;
    readonly question: AskedQuestion;
    readonly chunkIds: readonly number[];
  }): Promise<Proposal[]>;
  /** Takes in chunks that the store has committed. The next search after it resolves finds them. */
  add(input: { readonly datasetId: number; readonly range: ChunkRange }): Promise<void>;
  /** Lets go of chunks that the store has deleted. */
  remove(input: { readonly datasetId: number; readonly ranges: readonly ChunkRange[] }): Promise<void>;
  /** Lets go of what is in memory of a dataset's words, which were stored anew: the next search reads them from the store. */
  forgetWords(datasetId: number): Promise<void>;
  /** Brings a dataset into memory, so that its first search need not wait. */
  warm(datasetId: number): Promise<void>;
  statistics(): Promise<SearchStatistics>;
  close(): Promise<void>;
}

export interface SearchStatistics {
  readonly vectors: VectorStatistics;
  /** null: searches go by vectors alone. */
  readonly words: WordStatistics | null;
  /** Checkpoints that are being written or wait for it. */
  readonly building: number;
}

export interface SearchOptions extends Omit<SearchSettings, "parameters"> {
  /** Threads that search, each the home of some datasets. */
  readonly threads: number;
}

/** Measured on real passages (`bun run bench index`): fewer links lose recall, more candidates while adding cost more than they find. */
const GRAPH_PARAMETERS = { connectivity: 32, expansionAdd: 200 };

/** The database must be there. */
export function openSearchEngine(
  { threads, ...settings }: SearchOptions,
  notices: SearchNotices,
): Promise<SearchEngine> {
  return SearchPool.open({ ...settings, parameters: GRAPH_PARAMETERS }, threads, notices);
}
