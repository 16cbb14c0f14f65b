/** What the main thread, the index thread and the builder's thread tell one another. */
import type { CheckpointIdentity } from "./checkpoint-file.ts";

export interface IndexSettings extends CheckpointIdentity {
  readonly dataDirectory: string;
  /** Most datasets in memory. */
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

/** "exact": cosines of the stored vectors, confirmed in SQLite. "int8": those of the vectors in memory, within about 0.001 of them. */
export type Precision = "exact" | "int8";

/** Files of an index that cannot be used; what they held is taken from SQLite, and they are made anew. */
export interface IndexDamage {
  /** null: the folder of all indexes. */
  readonly datasetId: number | null;
  readonly reason: string;
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

export interface IndexStatistics {
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
