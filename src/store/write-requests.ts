/**
 * What the writer thread is asked to do. Chunks travel ahead of the request that stores them, in pieces small enough that
 * handing one over never holds up the main thread.
 */
import type { IdLists } from "../foundation/id-lists.ts";
import type { Vector } from "./stored-vector.ts";
import type {
  ChunkNote,
  DiscardedDataset,
  EmbeddedChunks,
  NewFile,
  NewUploadJob,
  ReplacedFile,
  SpooledChunks,
} from "./types.ts";

/** A file as it is about to be stored: texts well-formed, JSON written, chunks not included. */
export interface FileRecord
  extends Omit<
    NewFile,
    | "extraMeta"
    | "ocrLanguages"
    | "properties"
    | "transcriptionText"
    | "transcriptionSrt"
    | "spooled"
    | keyof EmbeddedChunks
  > {
  extraMeta: string | null;
  properties: string | null;
  transcriptionText: string | null;
  transcriptionSrt: string | null;
  spooled: Pick<SpooledChunks, "path" | "count"> | null;
  /** Keys of places that any of its chunks has. */
  placeKeys: readonly string[];
  externalId: string | null;
  relativePath: string | null;
  language: string | null;
  /** A JSON array. */
  ocrLanguages: string | null;
}

/** Consecutive chunks of one file of a request that is still to come. */
export interface ChunkPiece {
  fileIndex: number;
  texts: string[];
  /** One for each text; none where nothing is known. */
  notes: readonly ChunkNote[];
  /** Row-major, `texts.length × dimensions`. */
  vectors: Vector;
  terms: IdLists;
}

/** A piece of one file: whose it is stands with the file. */
export type SpooledPiece = Omit<ChunkPiece, "fileIndex">;

export interface AddFilesRequest {
  kind: "addFiles";
  customerId: string;
  datasetName: string;
  modelId: string;
  chargeId: string | null;
  isPending: boolean;
  files: FileRecord[];
}

/** Of a customer: the dataset of that name, or the first `limit` with files whose names come behind `after`. */
export interface DiscardDatasetsRequest {
  kind: "discardDatasets";
  customerId: string;
  datasets: { name: string } | { after: string; limit: number };
}

/** Removes what is stored of discarded files. */
export interface ClearFilesRequest {
  kind: "clearFiles";
  fileRows: number[];
  /** Chunks; a file itself counts as some. */
  limit: number;
}

export interface NoteHashRequest {
  kind: "noteHash";
  fileRow: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface BeginReembeddingRequest {
  kind: "beginReembedding";
  datasetId: number;
  modelId: string;
}

/** The next chunks of a generation that is being made. */
export interface AddEmbeddingsRequest {
  kind: "addEmbeddings";
  datasetId: number;
  generation: number;
  chunkIds: number[];
  /** Row-major, `chunkIds.length × dimensions`. */
  vectors: Vector;
  terms: IdLists;
  throughChunkId: number;
}

export interface OrderTermsRequest {
  kind: "orderTerms";
  /** As `indexedChunk` makes them. */
  chunkIds: number[];
  terms: IdLists;
}

export interface SwitchGenerationRequest {
  kind: "switchGeneration";
  datasetId: number;
  generation: number;
}

export interface RemoveDiscardedRequest {
  kind: "removeDiscarded";
  /** Chunks. */
  limit: number;
}

export interface AddUploadJobsRequest {
  kind: "addUploadJobs";
  jobs: NewUploadJob[];
  modelId: string;
}

export interface FailUploadJobRequest {
  kind: "failUploadJob";
  jobId: number;
  errorCode: string;
  errorMessage: string;
}

export type WriteRequest =
  | AddFilesRequest
  | AddUploadJobsRequest
  | { kind: "noteUploadAttempts"; jobId: number; attempts: number }
  | FailUploadJobRequest
  | { kind: "removeUploadJobs"; jobIds: number[] }
  | { kind: "withdrawFiles"; fileRows: number[] }
  | { kind: "deleteFiles"; fileRows: number[] }
  | { kind: "showFiles"; fileRows: number[] }
  | DiscardDatasetsRequest
  | { kind: "noteDiscarded"; datasetIds: number[] }
  | ClearFilesRequest
  | { kind: "forgetCustomer"; customerId: string }
  | NoteHashRequest
  | BeginReembeddingRequest
  | AddEmbeddingsRequest
  | OrderTermsRequest
  | SwitchGenerationRequest
  | RemoveDiscardedRequest;

/** What a request did: the datasets it touched and the rows of the files it stored, in the request's order. */
export interface WriteResult {
  datasetIds: number[];
  fileRows: number[];
  /** Of addFiles: the generation that the files' vectors belong to. */
  generation?: number;
  /** Of discardDatasets. */
  discarded?: DiscardedDataset[];
  /** Of showFiles. */
  replaced?: ReplacedFile[];
  /** Whether there is more to remove: of clearFiles, of these files; of removeDiscarded, perhaps; of deleteFiles, discarded files. Of forgetCustomer: whether there are files left. */
  more?: boolean;
}

export interface WriterSettings {
  path: string;
  alsoCheckpoint: readonly string[];
  checkpointMilliseconds: number;
}
