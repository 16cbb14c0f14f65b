/** What `ingest` and `search` need of a Lectern, whether it answers over HTTP or inside this process. */

export interface UploadRequest {
  /** The local files. */
  readonly paths: readonly string[];
  readonly datasetId: string;
  readonly extraMeta: string | null;
  readonly chunkSize: string | null;
  readonly chunkOverlap: string | null;
}

export interface FoundPassage {
  readonly score: number;
  readonly pageContent: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface DocumentService {
  /** For messages: where the work is done. */
  readonly place: string;
  /**
   * Indexes the files, all or none, and resolves to their ids in order. Waits where the server asks to; the signal ends such a wait,
   * never a transfer that has begun, whose outcome nobody could tell. Throws LecternError with the server's sentence; of several
   * files also where the server limits how many may come in a minute.
   */
  upload(request: UploadRequest, signal: AbortSignal): Promise<string[]>;
  /** Passages, best first. `filters` is JSON as `POST /v1/search` takes it. */
  search(request: { datasetId: string; question: string; filters: string | null }): Promise<FoundPassage[]>;
  close(): Promise<void>;
}
