/** What a search engine is, and what the main thread, the search threads and the builder's thread tell one another: types. */
import type { TroubleReport } from "../remote/index.ts";
import type { ChunkRange } from "../store/index.ts";
import type { CheckpointIdentity } from "./vectors/checkpoint-file.ts";

/** What all search threads are opened with. */
export interface SearchSettings extends CheckpointIdentity {
  readonly dataDirectory: string;
  /** Whether datasets are searched by their words as well. */
  readonly words: boolean;
  /** Most datasets in memory, over all threads. */
  readonly openDatasets: number;
  /** Bytes of memory that they may take together. Vectors of one that is larger are read from SQLite. */
  readonly memoryBytes: number;
  /** Chunks up to which every vector is compared. */
  readonly exactLimit: number;
  /** Chunks from which a dataset gets a graph. */
  readonly graphLimit: number;
  /** Candidates a graph search keeps (ef). */
  readonly searchExpansion: number;
}

/** A search thread among others. */
export interface ThreadPlace {
  /** Its number, from 0. */
  readonly own: number;
  readonly threads: number;
  /** What all threads' vectors and words take, in memory that they share (memory-ledger.ts). */
  readonly vectorNotes: Float64Array;
  readonly wordNotes: Float64Array;
}

/** What vectors get of the memory for indexes; the rest is for words, where datasets are searched by them. */
export const VECTORS_SHARE = 0.75;

/** The thread that keeps a dataset, as indexes number them. */
export const homeOf = (datasetId: number, threads: number): number => datasetId % threads;

/** A chunk and the cosine of its vector and the question's. */
export interface Neighbour {
  readonly chunkId: number;
  readonly similarity: number;
}

/** A question's terms, each as often as it occurs, and how much each says beside others as rare. */
export interface LexicalQuestion {
  readonly terms: Uint32Array;
  readonly importance: Float32Array;
}

/** A chunk that vectors or words propose, with what both say. */
export interface Proposal {
  readonly chunkId: number;
  /** Of the int8 vectors: within about 0.001 of the exact one. */
  readonly cosine: number;
  /** BM25 as a share of the question's maximum, 0-1. */
  readonly overlap: number;
  /** The same of the question's gloss, where that proposes the chunk. */
  readonly translated?: number;
}

/** The tokens that most chunks of a dataset hold, most first. */
export interface CommonTokens {
  readonly tokens: Uint32Array;
  /** 0-1. */
  readonly shares: Float32Array;
}

export interface Found {
  readonly proposals: Proposal[];
  /** How many live chunks hold each of the question's terms, in their order. */
  readonly holders: Uint32Array;
  /** Live chunks. */
  readonly chunks: number;
  readonly common: CommonTokens;
}

/** Files of an index that cannot be used; what they held is taken from SQLite, and they are made anew. */
export interface IndexDamage {
  /** null: the folder of all indexes. */
  readonly datasetId: number | null;
  readonly reason: string;
}

/** A dataset, some of whose vectors are not in memory. */
export interface LargeIndex {
  readonly datasetId: number;
  readonly chunks: number;
  /** So many of them. */
  readonly outside: number;
}

/** What has to be said unasked. None of it changes an answer. */
export interface SearchNotices {
  /** Told why an index could not be saved, once for each dataset until it can; searches do without it. */
  readonly onBuildFailure: (reason: string) => void;
  /** Told what of a saved index cannot be used; it is taken from the store and saved anew. */
  readonly onDamage: (damage: IndexDamage) => void;
  /** Told, once for each dataset, of one that does not fit into the memory for indexes: so many of its vectors are read from SQLite. */
  readonly onTooLarge: (large: LargeIndex) => void;
  /** Told when a thread ended by itself, and when it could not be started again. */
  readonly onTrouble: TroubleReport;
}

/** A checkpoint to be written: the dataset's present one and more rows, or a new one. */
export interface BuildJob extends CheckpointIdentity {
  readonly datasetId: number;
  readonly dataDirectory: string;
  readonly base: "checkpoint" | "nothing";
  /** True when dead rows are left behind, so that rows change places. */
  readonly compacts: boolean;
  /** Whether the graph is to reach the end of the rows. */
  readonly graph: boolean;
  /** Rows of the checkpoint that it is built upon; 0: nothing. */
  readonly savedRows: number;
  /** Chunks to append, in this order. Those deleted meanwhile are left out. */
  readonly chunkIds: Float64Array;
}

export interface VectorStatistics {
  readonly openDatasets: number;
  /** Vectors in memory, dead ones among them. */
  readonly rows: number;
  /** Vectors that a graph holds. */
  readonly graphRows: number;
  /** Vectors that a checkpoint holds. */
  readonly savedRows: number;
  /** Bytes of the matrices. */
  readonly bytes: number;
}

export interface WordStatistics {
  readonly openDatasets: number;
  /** Chunks in memory, dead ones among them. */
  readonly rows: number;
  /** Bytes that they take. */
  readonly bytes: number;
}

export interface SearchedDataset {
  readonly datasetId: number;
  readonly count: number;
  /** Restricts the search, before it begins, to chunks in these ranges, ascending and disjoint. */
  readonly within?: readonly ChunkRange[] | undefined;
}

export interface AskedQuestion extends LexicalQuestion {
  readonly vector: Float32Array;
  /** The question word by word in English, as far as that is known; null where none of its words is. */
  readonly gloss: LexicalQuestion | null;
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
  /** The nearest chunks by their vectors, nearest first. One may be among them that SQLite lost a moment ago. */
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
