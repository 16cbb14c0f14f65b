/** What the main thread, the search threads and the builder's thread tell one another. */
import type { TroubleReport } from "../remote/index.ts";
import type { CheckpointIdentity } from "./vectors/checkpoint-file.ts";
import type { CommonTokens } from "./words/word-index.ts";

/** What all search threads are opened with. */
export interface SearchSettings extends CheckpointIdentity {
  readonly dataDirectory: string;
  /** Whether datasets are searched by their words as well. */
  readonly words: boolean;
  /** Most datasets in memory, over all threads. */
  readonly openDatasets: number;
  /** Bytes of memory that they may take together. What is saved of one that is larger is searched in its file. */
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
  /** A number for each thread, in memory that all share: bytes that its vectors take, and its words. */
  readonly vectorBytes: Float64Array;
  readonly wordBytes: Float64Array;
}

/** What vectors get of the memory for indexes; the rest is for words, where datasets are searched by them. */
export const VECTORS_SHARE = 0.75;

/** The thread that keeps a dataset, as indexes number them. */
export const homeOf = (datasetId: number, threads: number): number => datasetId % threads;

/** "exact": cosines of the stored vectors, confirmed in SQLite. "int8": those of the vectors in memory, within about 0.001 of them. */
export type Precision = "exact" | "int8";

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
  readonly inFile: number;
}

/** What has to be said unasked. None of it changes an answer. */
export interface SearchNotices {
  /** Told why an index could not be saved, once for each dataset until it can; searches do without it. */
  readonly onBuildFailure: (reason: string) => void;
  /** Told what of a saved index cannot be used; it is taken from the store and saved anew. */
  readonly onDamage: (damage: IndexDamage) => void;
  /** Told, once for each dataset, of one that does not fit into the memory for indexes: so many of its vectors are read from its file. */
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
