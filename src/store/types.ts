/** What the store keeps, takes and answers: its interface as types. */
import type { DocumentProperties, PassagePlace } from "../foundation/place.ts";
import type { TroubleReport } from "../remote/index.ts";
import type { Vector } from "./stored-vector.ts";
import type { TermCounts } from "./term-counts.ts";

/** What is known of a chunk besides its text. */
export interface ChunkNote {
  /** Where it stands in its document; empty where nothing is known. */
  place: PassagePlace;
  /** UTF-16 units at the text's beginning that say what it belongs to and do not stand there in the document. */
  contextLength: number;
}

/** The chunks that `spoolChunks` has laid by in a file. */
export interface SpooledChunks {
  path: string;
  count: number;
  /** Keys of places that any of them has. */
  placeKeys: readonly string[];
}

/** Chunks of one file with what was made of them, in parallel lists. */
export interface EmbeddedChunks {
  chunks: string[];
  /** Without them nothing is known. */
  notes?: readonly ChunkNote[];
  vectors: Vector[];
  /** Of each chunk, as `EmbeddedTexts` has them: its tokens in their order, then its words. */
  terms: Uint32Array[];
}

/** One file as an upload hands it over, its chunks in reading order. */
export interface NewFile extends EmbeddedChunks {
  fileId: string;
  originalName: string;
  /** Where the uploaded bytes lie, relative to the data directory. */
  storagePath: string;
  mimeType: string | null;
  /** Bytes. */
  size: number | null;
  /** Of the bytes, hexadecimal. */
  sha256: string;
  loaderId: string;
  /** Milliseconds since 1970; when it is stored, if not given. */
  created?: number;
  extension: string;
  extraMeta: Record<string, unknown> | null;
  /** What its owner calls it: it takes the place of the file of this name. */
  externalId?: string | null;
  /** Where it lies for its owner. */
  relativePath?: string | null;
  /** Spoken in it, as its upload said: a BCP 47 tag. */
  language?: string | null;
  /** Written in its pictures, as its upload said. */
  ocrLanguages?: readonly string[];
  /** Tokens. */
  chunkSize: number;
  /** Tokens. */
  chunkOverlap: number;
  /** Chunks that come before those that are given; their file is read, and left. */
  spooled?: SpooledChunks | null;
  /** What the document says of itself. */
  properties?: DocumentProperties;
  transcriptionText?: string | null;
  transcriptionSrt?: unknown[] | null;
}

/** One file as it is stored. The ids of its chunks are `firstChunkId … firstChunkId + chunkCount - 1`. */
export interface StoredFile {
  /** Row number: ascending in the order of storing, never used twice. */
  id: number;
  fileId: string;
  /** Row number of the dataset; `datasetName` is what callers know it by. */
  datasetId: number;
  datasetName: string;
  customerId: string;
  originalName: string;
  storagePath: string;
  mimeType: string | null;
  size: number | null;
  /** Of the bytes, hexadecimal; null for files stored before it was recorded. */
  sha256: string | null;
  loaderId: string;
  /** Milliseconds since 1970. */
  created: number;
  extension: string;
  /** What its owner calls it; null: nothing. */
  externalId: string | null;
  /** Where it lies for its owner, with "/" between folders; null where that was not said. */
  relativePath: string | null;
  /** Spoken in it, as its upload said: a BCP 47 tag; null: nothing was said. */
  language: string | null;
  /** Written in its pictures, as its upload said: a JSON array; null: nothing was said. */
  ocrLanguages: string | null;
  /** Held back: nobody is shown it yet. */
  isPending: boolean;
  transcriptionText: string | null;
  /** A JSON array, as text, as it is only ever passed on. */
  transcriptionSrt: string | null;
  /** A JSON object, as text: listings pass it on, and only the files of search results have it parsed. */
  extraMeta: string | null;
  /** `DocumentProperties` as JSON; null where the document says nothing. */
  properties: string | null;
  chunkSize: number;
  chunkOverlap: number;
  firstChunkId: number;
  chunkCount: number;
}

export interface Dataset {
  /** Row number, never used twice. */
  id: number;
  customerId: string;
  name: string;
  /** The embedding model that made the live vectors of the dataset. */
  modelId: string;
  /** Which vectors and terms are live: see generations.ts. Indexes know the dataset as `indexId` of both. */
  generation: number;
  fileCount: number;
  chunkCount: number;
}

/** A dataset whose files were all deleted at once. */
export interface DiscardedDataset {
  /** Row number, which indexes know it by; its name has another one by now. */
  id: number;
  name: string;
  /** Of which there are vectors, and perhaps indexes. */
  generations: number[];
}

/** Chunk ids from `first` to `last`, both included. */
export interface ChunkRange {
  first: number;
  last: number;
}

/** A dataset that another model embeds anew. */
export interface Reembedding {
  datasetId: number;
  /** The model of the next generation. */
  modelId: string;
  generation: number;
  /** Every chunk of the dataset up to this one is done. */
  throughChunkId: number;
}

/** A place among the chunks of a dataset, in the order of storing. */
export interface ChunkPosition {
  fileRow: number;
  chunkId: number;
}

/** A chunk's text, and that of the chunk before it in its file. */
export interface ChunkText extends Pick<ChunkNote, "contextLength"> {
  readonly text: string;
  readonly before: string | null;
}

export interface PlacedText extends ChunkPosition, ChunkText {}

/** A chunk whose terms were stored without their order, and what they are made of. */
export interface UnorderedChunk extends ChunkText {
  /** As `indexedChunk` makes it. */
  readonly chunkId: number;
  readonly datasetId: number;
  readonly generation: number;
  /** The model of the chunk's generation; null when that is to be removed. */
  readonly modelId: string | null;
}

export interface NewEmbeddings {
  datasetId: number;
  generation: number;
  chunkIds: readonly number[];
  vectors: readonly Float32Array[];
  terms: readonly Uint32Array[];
}

export type FilterValue = string | number | boolean;

/** At least one of them, all numbers, all dates (ISO 8601) or all other texts. A number is never compared with a text. */
export interface ValueRange {
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
}

/**
 * What is asked of one metadata field. Values are the same where JSON type and value both are. A chunk without the field is what `not`
 * finds, as one with another value is.
 */
export type MetadataFilter = { readonly key: string } & (
  | { readonly value: FilterValue }
  | { readonly any: readonly FilterValue[] }
  | { readonly not: readonly FilterValue[] }
  | { readonly range: ValueRange }
);

export interface StoredChunk extends ChunkNote {
  chunkId: number;
  /** Position in its file, from 0. */
  chunkIndex: number;
  text: string;
  file: StoredFile;
}

export interface AddFilesInput {
  customerId: string;
  datasetName: string;
  modelId: string;
  /** The pending charge these files settle; `filesOfCharge` finds them again after a crash. */
  chargeId: string | null;
  files: NewFile[];
  /** Whether the files are held back: nobody is shown them before `showFiles`. Indexes may have them. */
  isPending?: boolean;
}

/** A file that was accepted and is still to be read, or could not be. Its bytes lie where those of other files do. */
export interface UploadJob {
  /** Ascending in the order of acceptance. */
  id: number;
  fileId: string;
  customerId: string;
  datasetName: string;
  originalName: string;
  storagePath: string;
  /** As the client declared it. */
  mimeType: string | null;
  size: number;
  /** Of the bytes, hexadecimal. */
  sha256: string;
  /** When it was accepted, milliseconds since 1970. */
  created: number;
  externalId: string | null;
  relativePath: string | null;
  chunkSize: number;
  chunkOverlap: number;
  /** The charge, which is pending until the file is shown or given up. */
  chargeId: string;
  language: string | null;
  /** A JSON array. */
  ocrLanguages: string | null;
  /** A JSON object. */
  extraMeta: string | null;
  /** Of the file of subtitles that came with it, should it be a recording; that one may be gone. */
  subtitlesFileId: string | null;
  /** How often it was begun by processes that did not end it. */
  attempts: number;
  /** Why it could not be read, as a code of errors.ts; null: it is still to be. */
  errorCode: string | null;
  errorMessage: string | null;
}

export type NewUploadJob = Omit<UploadJob, "id" | "attempts" | "errorCode" | "errorMessage">;

/** A file whose place another has taken. */
export type ReplacedFile = Pick<StoredFile, "datasetId" | "firstChunkId" | "chunkCount">;

export interface Store {
  /** Throws RESTARTING while nothing can be written, because the thread that writes ended by itself. */
  checkWritable(): void;
  /**
   * Stores files with their chunks, vectors and terms, all or none, durably. Makes the dataset when it is new.
   * Throws OPERATION_FAILED when the dataset holds files embedded by another model, RangeError when chunks, vectors and terms
   * do not correspond or a vector is not finite. Tells the generation that the vectors belong to.
   */
  addFiles(input: AddFilesInput): Promise<{ datasetId: number; generation: number; files: StoredFile[] }>;
  /**
   * Shows files that were held back, each in the place of the one of its dataset that has its external id: in one short durable
   * transaction, so that whoever looks finds either the former ones or these. Discards those whose place was taken, and tells them.
   */
  showFiles(fileRows: readonly number[]): Promise<ReplacedFile[]>;
  /** Notes files that are to be read later, all or none, durably; `modelId`: of their dataset, where it is new. Their files are shown by `showFiles`, which takes them off this list. */
  addUploadJobs(jobs: readonly NewUploadJob[], modelId: string): Promise<void>;
  /** Notes how often a file was begun, durably. */
  noteUploadAttempts(jobId: number, attempts: number): Promise<void>;
  /** Notes why a file cannot be read, durably: it is not to be read any more. */
  failUploadJob(jobId: number, error: { readonly code: string; readonly message: string }): Promise<void>;
  removeUploadJobs(jobIds: readonly number[]): Promise<void>;
  /** Deletes what was stored of files that are held back and still to be read, durably, so that they can be stored anew. False: as of `deleteFiles`. */
  withdrawFiles(fileRows: readonly number[]): Promise<boolean>;
  /** Any customer's; null: there is none, or its file is shown. */
  uploadJob(fileId: string): UploadJob | null;
  /** In the order of acceptance, without those that could not be read. */
  unreadUploadJobs(): UploadJob[];
  /** File ids of those that could not be read: their bytes are gone, or to be removed. */
  failedUploadJobIds(): string[];
  countFailedUploadJobs(): number;
  /** Newest first. */
  uploadJobsOfCustomer(customerId: string): UploadJob[];
  /** Newest first, at most `limit` of them older than `before`. */
  uploadJobsOfDataset(customerId: string, datasetName: string, page: FilePage): UploadJob[];
  /** Files that are held back. */
  pendingFiles(): StoredFile[];
  /** The file of a dataset that has this external id; null: there is none, or it is still held back. */
  fileByExternalId(datasetId: number, externalId: string): StoredFile | null;
  /** What `read` returns, all of which it finds as it is at one moment. It must not wait for anything. */
  atOneMoment<Found>(read: () => Found): Found;
  /**
   * Deletes files by row number with everything that hangs on them, in short durable transactions. Ignores rows that do not exist or
   * are deleted already. False: some are so long that they were discarded.
   */
  deleteFiles(input: { fileRows: readonly number[] }): Promise<boolean>;
  /**
   * Discards all files of a customer's dataset, or of all its datasets, in a transaction that is short however many they are (for
   * each few hundred datasets): no read but those of discarded files finds them any more. Tells the datasets that had files.
   */
  discardDatasets(customerId: string, datasetName: string | null): Promise<DiscardedDataset[]>;
  /** Says that the files of discarded datasets are on the list of deletions, durably: `clearFiles` is for these. */
  noteDiscarded(datasetIds: readonly number[]): Promise<void>;
  /** Removes at most `limit` chunks of discarded files from the end, and each file with its last chunk, in one short durable transaction. False when nothing of these files is left. */
  clearFiles(fileRows: readonly number[], limit: number): Promise<boolean>;
  /** Records the hash of a file that was stored without, durably. Ignores a row that does not exist. */
  noteHash(fileRow: number, sha256: string): Promise<void>;
  /** Deletes the datasets of a customer who has no files any more, durably. False, and nothing done, while there are some, or some are still to be read. */
  forgetCustomer(customerId: string): Promise<boolean>;

  /** Begins to embed a dataset anew by another model, or goes on; null when that model has made it already. Durable, as all of these. */
  beginReembedding(datasetId: number, modelId: string): Promise<Reembedding | null>;
  /** Stores vectors and terms of the chunks that come next; those deleted meanwhile are left out. Ignored when their generation was given up. */
  addEmbeddings(input: NewEmbeddings): Promise<void>;
  /** Makes a generation the live one in one short transaction. False, and nothing done, while a chunk lacks its vector. */
  switchGeneration(datasetId: number, generation: number): Promise<boolean>;
  /** Removes vectors and terms of at most `limit` chunks that no generation needs any more. False when there were none. */
  removeDiscarded(limit: number): Promise<boolean>;

  /** Stores chunks' terms with their order in place of those without, durably; chunks deleted meanwhile, or done already, are left out. Chunks are numbered by `indexedChunk`. */
  orderTerms(input: { chunkIds: readonly number[]; terms: readonly Uint32Array[] }): Promise<void>;
  /** The first `limit` chunks above `after`, of any dataset and generation, whose terms an older version stored. None: there are no more. */
  unorderedChunks(after: number, limit: number): UnorderedChunk[];

  reembeddings(): Reembedding[];
  /** The dataset's live generation and the one that is being made, if there is one. */
  generations(datasetId: number): number[];
  /** Chunks of the dataset up to the given one. */
  chunksThrough(datasetId: number, chunkId: number): number;
  /** Texts of the first `limit` chunks behind a place. */
  textsAfter(datasetId: number, place: ChunkPosition, limit: number): PlacedText[];

  /** Where files are discarded, and whether these are on the list of deletions. */
  discardedDatasets(): { id: number; isNoted: boolean }[];
  /** The files of a discarded dataset that are not cleared yet, newest first, paged like those of others. */
  discardedFiles(discardedId: number, page?: FilePage): StoredFile[];
  /** Ids of all discarded files, and of those that were accepted and could not be read. */
  discardedFileIds(): Set<string>;

  dataset(customerId: string, name: string): Dataset | null;
  /** At most `limit` datasets of a customer that hold files. */
  datasetsWithFiles(customerId: string, limit: number): Dataset[];
  datasets(): Dataset[];
  file(customerId: string, fileId: string): StoredFile | null;
  /** Any customer's file: for signed links, which prove the right to read by themselves. */
  fileById(fileId: string): StoredFile | null;
  /** At most `limit` datasets of a customer that hold files, ordered by name, behind the name `after`. */
  datasetsAfter(customerId: string, after: string, limit: number): Dataset[];
  /** What the next `limit` files of a dataset behind row `after` come to, in the order of storing. */
  fileTotals(datasetId: number, after: number, limit: number): FileTotals;
  /** Newest first. With `page`, at most `limit` files older than row `before`, so that a long listing can yield between pages. */
  filesOfDataset(datasetId: number, page?: FilePage, selection?: FileSelection): StoredFile[];
  /** The files that were paid for by this charge. */
  filesOfCharge(chargeId: string): StoredFile[];
  /** Texts and file metadata by chunk id, of any generation; ids that are no longer stored are absent. */
  chunks(ids: readonly number[]): Map<number, StoredChunk>;
  /**
   * Chunks of the dataset's files that match every filter, as ascending, disjoint, merged ranges (shared with a
   * cache: do not change them). No filter at all gives every chunk. Ranges may still name chunks deleted a moment ago.
   * Besides extraMeta's top-level fields, filters reach fileId, originalName, chunkIndex, customerId, datasetId, what documents say of
   * themselves and where chunks stand, which come before extraMeta's. Chunks are numbered as indexes of the dataset's live generation know
   * them. What takes long is done in turns with other work.
   */
  matching(
    dataset: Pick<Dataset, "id" | "generation" | "customerId" | "name">,
    filters: readonly MetadataFilter[],
  ): Promise<readonly ChunkRange[]>;
  /** Ids of all files but discarded ones, those that are still to be read included: what `files/` should hold, and nothing else when those are cleared. */
  fileIds(): Set<string>;
  /** Some of the files whose hash was never recorded, at most `limit`, older than row `before`. */
  filesWithoutHash(page: FilePage): StoredFile[];
  statistics(): { datasets: number; files: number; chunks: number };
  /** Waits for writes under way, moves the write-ahead log into the database and ends the worker. */
  close(): Promise<void>;
}

/** Which files of a dataset are meant; what is left out, or null, selects nothing. */
export interface FileSelection {
  readonly originalName?: string | null;
  readonly externalId?: string | null;
}

/** What several files come to. */
export interface FileTotals {
  files: number;
  chunks: number;
  /** Of those whose size is known. */
  bytes: number;
  /** When the first and the last of them were stored, milliseconds since 1970; null where there is none. */
  oldest: number | null;
  newest: number | null;
  /** The newest row that was counted; null where there is none. */
  throughRow: number | null;
}

export interface FilePage {
  /** Only files with a smaller row number; Infinity for the first page. */
  before: number;
  limit: number;
}

export interface StoreOptions {
  dataDirectory: string;
  /** Other SQLite files whose write-ahead logs the writer thread moves into place now and then, so that no other thread has to. */
  alsoCheckpoint?: readonly string[];
  /** Milliseconds between those checkpoints. */
  checkpointMilliseconds?: number;
  /** How many ranges of resolved filters are remembered over all datasets (16 bytes and more each). */
  maxCachedRanges?: number;
  /** Told when the thread that writes ended by itself, and when it could not be started again. */
  onTrouble?: TroubleReport;
}

/** One page of vectors in ascending order of chunk id. */
export interface VectorPage {
  chunkIds: number[];
  /** int8; one for each. */
  vectors: Int8Array[];
}

/** Vectors straight from the database, for building and repairing indexes in any thread. */
export interface VectorReader {
  /** Chunk ids of a dataset, as ascending, disjoint, merged ranges. */
  ranges(datasetId: number): ChunkRange[];
  /** The first `limit` vectors of the dataset with a chunk id above `after`. An empty page means that there are no more. */
  page(datasetId: number, after: number, limit: number): VectorPage;
  /** Hands over the int8 vector of each chunk, by its place in `chunkIds`; those that are no longer stored are left out. */
  read(chunkIds: ArrayLike<number>, take: (at: number, vector: Int8Array) => void): void;
  close(): void;
}

/** Lexical terms of chunks straight from the database, for building lexical indexes in any thread. */
export interface TermReader {
  /** Chunk ids of a dataset, as ascending, disjoint, merged ranges. */
  ranges(datasetId: number): ChunkRange[];
  /** Adds the terms of the range's first `limit` chunks to `target` and returns their ids, ascending. Fewer than `limit`: there are no more. */
  read(range: ChunkRange, limit: number, target: TermCounts): number[];
  close(): void;
}

/** Chunks' tokens straight from the database, in any thread. */
export interface TokenReader {
  /** The tokens of each chunk in their order; null when they are not stored so (yet), or the chunk is gone. Chunks are numbered by `indexedChunk`. */
  tokens(chunkIds: readonly number[]): (Uint32Array | null)[];
  /** Whether every chunk's tokens are stored in their order: then one without is gone. */
  isWhole(): boolean;
  close(): void;
}
