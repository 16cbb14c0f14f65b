/**
 * Vectors → neighbours. One index per dataset, opened on demand in a Worker; SQLite is the truth and an index a cache
 * of it. How each part works: dataset-index.ts (a dataset in memory), matrix.ts (comparison), graph.ts (large datasets),
 * checkpoint.ts (on disk), worker.ts (what is open), builder.ts (checkpoints in the background).
 */
import type { TroubleReport } from "../../remote/index.ts";
import type { ChunkRange } from "../../store/index.ts";
import type { Neighbour } from "./dataset-index.ts";
import { IndexClient } from "./index-client.ts";
import type { IndexDamage, IndexStatistics, Precision } from "./types.ts";

export type { Neighbour } from "./dataset-index.ts";
export type { IndexDamage, IndexStatistics } from "./types.ts";
export { verifySavedIndexes } from "./verify.ts";

export interface SearchRequest {
  readonly datasetId: number;
  readonly vector: Float32Array;
  readonly count: number;
  /** Restricts the search, before it begins, to chunks in these ranges, ascending and disjoint. */
  readonly within?: readonly ChunkRange[] | undefined;
  /**
   * "exact", the default: cosines and order by the stored vectors, and no chunk that SQLite no longer holds. "int8": by the
   * vectors in memory, within about 0.001 of them and several times cheaper; a chunk deleted a moment ago may be among them.
   */
  readonly precision?: Precision;
}

export interface VectorIndexes {
  /** Throws RESTARTING while nothing can be searched, because the thread that does ended by itself. */
  check(): void;
  /** The nearest chunks of a dataset with their cosines, nearest first. */
  search(request: SearchRequest): Promise<Neighbour[]>;
  /** The cosine of each chunk's int8 vector and the question's, in order; NaN for a chunk that the dataset does not hold. */
  similarities(request: {
    datasetId: number;
    vector: Float32Array;
    chunkIds: readonly number[];
  }): Promise<Float64Array>;
  /** Takes in the vectors of consecutive chunks that the store has committed. The next search after it resolves finds them. */
  add(input: { datasetId: number; firstChunkId: number; vectors: readonly Float32Array[] }): Promise<void>;
  /** Lets go of chunks that the store has deleted. */
  remove(input: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void>;
  /** Brings a dataset into memory, so that its first search need not wait. */
  warm(datasetId: number): Promise<void>;
  statistics(): Promise<IndexStatistics & { building: number }>;
  close(): Promise<void>;
}

/** What an index has to tell unasked. None of it changes an answer. */
export interface IndexNotices {
  /** Told why a checkpoint could not be written, once for each dataset until it can; searches do without it. */
  readonly onBuildFailure: (reason: string) => void;
  /** Told what of a saved index cannot be used; it is taken from the store and saved anew. */
  readonly onDamage: (damage: IndexDamage) => void;
  /** Told when the index's thread ended by itself, and when it could not be started again. */
  readonly onTrouble: TroubleReport;
}

export interface VectorIndexOptions extends Partial<IndexNotices> {
  readonly dataDirectory: string;
  readonly dimensions: number;
  /** Vectors of another model never mix with these. */
  readonly modelId: string;
  /** Most datasets in memory. */
  readonly openDatasets: number;
  /** Bytes of memory that they may take together, without limit where it is not said. What is saved of one that is larger is searched in its file. */
  readonly memoryBytes?: number;
  /** Chunks up to which a search compares every vector. */
  readonly exactLimit: number;
  /** Chunks from which a dataset is searched through an HNSW graph; below, sign bits and exact comparison are faster. */
  readonly graphLimit: number;
  /** Candidates a graph search keeps (ef). */
  readonly searchExpansion: number;
}

/** Measured on real passages (`bun run bench index`): fewer links lose recall, more candidates while adding cost more than they find. */
const GRAPH_PARAMETERS = { connectivity: 32, expansionAdd: 200 };

export function openVectorIndexes(options: VectorIndexOptions): Promise<VectorIndexes> {
  const { onBuildFailure = () => {}, onDamage = () => {}, onTrouble = () => {}, ...settings } = options;
  const { memoryBytes = Infinity } = settings;
  return IndexClient.open(
    { ...settings, memoryBytes, parameters: GRAPH_PARAMETERS },
    { onBuildFailure, onDamage, onTrouble },
  );
}
