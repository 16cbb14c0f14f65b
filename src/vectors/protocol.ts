/** What the main thread, the index Worker and the graph builder say to one another. */
import type { CheckpointIdentity } from "./checkpoint.ts";
import type { ChunkRange } from "./ranges.ts";

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

export type IndexRequest =
  | { readonly type: "open"; readonly settings: IndexSettings }
  | { readonly type: "search"; readonly datasetId: number; readonly vector: Float32Array; readonly count: number; readonly within: readonly ChunkRange[] | null }
  | { readonly type: "add"; readonly datasetId: number; readonly firstChunkId: number; readonly vectors: readonly Float32Array[] }
  | { readonly type: "remove"; readonly datasetId: number; readonly ranges: readonly ChunkRange[] }
  | { readonly type: "warm"; readonly datasetId: number }
  | { readonly type: "graphBuilt"; readonly job: GraphJob; readonly failure: string | null }
  | { readonly type: "statistics" }
  | { readonly type: "close" };

export type ToIndexWorker = IndexRequest & { readonly id: number };

export type FromIndexWorker =
  | { readonly type: "reply"; readonly id: number; readonly value: unknown }
  | { readonly type: "failed"; readonly id: number; readonly reason: string }
  | { readonly type: "buildWanted"; readonly job: GraphJob };

/** A graph to be made: from the dataset's checkpoint and more chunks, or from nothing. */
export interface GraphJob extends CheckpointIdentity {
  readonly datasetId: number;
  readonly dataDirectory: string;
  /** What to start from: the dataset's checkpoint, or an empty graph. */
  readonly base: "checkpoint" | "nothing";
  /** True when the graph is to leave dead rows behind, so that rows change places. */
  readonly compacts: boolean;
  /** Chunks to add, in this order. Those deleted meanwhile are left out. */
  readonly chunkIds: Float64Array;
}

export type ToBuilder = { readonly type: "build"; readonly job: GraphJob } | { readonly type: "close" };
export type FromBuilder =
  | { readonly type: "built"; readonly job: GraphJob; readonly failure: string | null }
  | { readonly type: "closed" };

export interface IndexStatistics {
  readonly openDatasets: number;
  /** Vectors in memory, dead ones among them. */
  readonly rows: number;
  readonly graphRows: number;
  /** Bytes of the matrices. */
  readonly bytes: number;
}
