/** The uploaded bytes on disk as the rest of Lectern sees them: types. */
import type { UploadRecord } from "./record.ts";

/** Bytes received for one file of an upload, not yet stored. */
export interface StagedFile {
  readonly path: string;
  /** The name the client gave, without folders. */
  readonly originalName: string;
  readonly declaredMimeType: string | null;
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, hexadecimal. */
  readonly sha256: string;
}

/** A file that an upload is about to store. */
export interface NewStoredFile {
  /** Where its bytes lie now; they are moved. */
  readonly path: string;
  readonly record: UploadRecord;
}

/** What lies under `files/`, by id. */
export interface FilesOnDisk {
  readonly stored: ReadonlySet<string>;
  /** Put into place by uploads that did not confirm them. */
  readonly unconfirmed: ReadonlySet<string>;
  /** Ids that have a record. */
  readonly recorded: ReadonlySet<string>;
}

/** A file in `lost+found/`; `record` null where it has none that can be read. */
export interface SetAsideFile {
  readonly fileId: string;
  readonly path: string;
  readonly record: UploadRecord | null;
}

export interface FileStorage {
  /** A new empty private folder for the files of one upload. */
  openStaging(): Promise<string>;
  /** Copies a local file into a staging folder: for the command line, which keeps its own files. */
  stage(directory: string, source: string): Promise<StagedFile>;
  discardStaging(directory: string): Promise<void>;
  /** Empties `staging/`. Only before any upload has begun. */
  sweepStaging(): Promise<void>;

  /**
   * Moves files into place, unconfirmed, with their records, and returns once all that would survive a power loss. In order:
   * path relative to the data directory, where each will lie once it is confirmed.
   */
  publish(files: readonly NewStoredFile[]): Promise<string[]>;
  /** Gives published files their names, once the store has committed them and before anyone is told of them. Ignores those deleted meanwhile. */
  confirm(fileIds: readonly string[]): Promise<void>;
  /** Writes the record of a stored file that has none, durably. */
  addRecord(record: UploadRecord): Promise<void>;
  /** Removes bytes and records, confirmed or not; ignores those already gone. What cannot be removed is thrown when all were tried. */
  unlink(fileIds: readonly string[]): Promise<void>;
  /** Absolute path of stored bytes, or of anything else in the data directory. */
  resolve(storagePath: string): string;

  /** Notes durably that files are being deleted: before the store forgets them. */
  noteDeletions(fileIds: readonly string[]): Promise<void>;
  /** Ids of files that were deleted, the newest ones. */
  deletions(): Promise<ReadonlySet<string>>;

  /** Looks at every folder of `files/`. What runs beside it may or may not be seen. */
  survey(): Promise<FilesOnDisk>;
  /** Moves files, confirmed or not, to `lost+found/`, with their records. */
  setAside(fileIds: readonly string[]): Promise<void>;
  /** Moves files from `lost+found/` back to where they were stored. */
  putBack(fileIds: readonly string[]): Promise<void>;
  listSetAside(): Promise<SetAsideFile[]>;
  countSetAside(): Promise<number>;
  /** Deletes what `lost+found/` holds of these ids: once they are stored again. */
  discardSetAside(fileIds: readonly string[]): Promise<void>;
}
