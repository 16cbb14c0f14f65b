/** What a Lectern keeps, to be looked at and removed: what `dataset` and `file` need of it. */

/** As `GET /v1/datasets` shows it. */
export interface DatasetRecord {
  readonly datasetId: string;
  readonly files: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly created: string;
  readonly updated: string;
}

/** As `GET /v1/files` shows it; there is more in it than is named here. */
export interface FileRecord extends Readonly<Record<string, unknown>> {
  readonly fileId: string;
  readonly originalName: string;
  readonly datasetId: string;
  readonly size: number | null;
  readonly created: string;
}

/** As `GET /v1/files/:fileId/passages` shows them: a part of a file's passages, and how many it has. */
export interface FilePassages {
  readonly passages: readonly { readonly pageContent: string; readonly metadata: Readonly<Record<string, unknown>> }[];
  readonly total: number;
}

export interface StoredDocuments {
  /** Those that hold files, ordered by id. */
  datasets(): AsyncIterable<DatasetRecord>;
  /** Newest first; with `name` those of exactly this name. */
  files(datasetId: string, name: string | null): AsyncIterable<FileRecord>;
  /** Throws LecternError where there is none. */
  file(fileId: string): Promise<FileRecord>;
  /** The bytes that were uploaded. */
  content(fileId: string): Promise<ReadableStream<Uint8Array>>;
  /** What is said in a file, as SubRip (srt) or WebVTT (vtt). */
  subtitles(fileId: string, format: string): Promise<ReadableStream<Uint8Array>>;
  /** At most `limit` passages from number `from` on, counted from 0. */
  passages(fileId: string, range: { readonly from: number; readonly limit: number }): Promise<FilePassages>;
  removeFile(fileId: string): Promise<void>;
  /** Removes all files of a dataset, and tells how many there were. */
  removeDataset(datasetId: string): Promise<number>;
}
