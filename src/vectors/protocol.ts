/** What the main thread, the index Worker and the builder Worker say to one another. */
import type { CheckpointIdentity } from "./checkpoint-file.ts";

export interface IndexSettings extends CheckpointIdentity {
  readonly dataDirectory: string;
  /** Most datasets in memory. */
  readonly openDatasets: number;
  /** Chunks up to which every vector is compared. */
  readonly exactLimit: number;
  /** Chunks from which a dataset gets a graph. */
  readonly graphLimit: number;
  /** Candidates a graph search keeps (ef). */
  readonly searchExpansion: number;
}

/** "exact": cosines of the stored vectors, confirmed in SQLite. "int8": those of the vectors in memory, within about 0.001 of them. */
export type Precision = "exact" | "int8";

export type IndexRequest =
  | { readonly type: "open"; readonly settings: IndexSettings }
  | {
      readonly type: "search";
      readonly datasetId: number;
      readonly vector: Float32Array;
      readonly count: number;
      readonly precision: Precision /** Packed ranges. */;
      readonly within: Float64Array | null;
    }
  | {
      readonly type: "similarities";
      readonly datasetId: number;
      readonly vector: Float32Array;
      readonly chunkIds: readonly number[];
    }
  | {
      readonly type: "add";
      readonly datasetId: number;
      readonly firstChunkId: number;
      readonly vectors: readonly Float32Array[];
    }
  | { readonly type: "remove"; readonly datasetId: number /** Packed. */; readonly ranges: Float64Array }
  | { readonly type: "warm"; readonly datasetId: number }
  | { readonly type: "built"; readonly job: BuildJob; readonly failure: string | null }
  | { readonly type: "statistics" }
  | { readonly type: "close" };

/** What the index Worker says beside its replies. */
export type IndexNotice =
  | { readonly type: "buildWanted"; readonly job: BuildJob }
  | { readonly type: "damage"; readonly damage: IndexDamage }
  | { readonly type: "buildFailure"; readonly reason: string };

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

export type ToBuilder = { readonly type: "build"; readonly job: BuildJob } | { readonly type: "close" };
export type FromBuilder =
  | { readonly type: "built"; readonly job: BuildJob; readonly failure: string | null }
  | { readonly type: "closed" };

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
