/** What `ingest` and `search` need of a Lectern, whether it answers over HTTP or inside this process. */

export interface UploadRequest {
  /** The local file. */
  readonly path: string;
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
   * Indexes one file and resolves to its id. Waits where the server asks to; the signal ends such a wait, never a transfer
   * that has begun, whose outcome nobody could tell. Throws LecternError with the server's sentence.
   */
  upload(request: UploadRequest, signal: AbortSignal): Promise<string>;
  /** Passages, best first. `filters` is JSON as `POST /v1/search` takes it. */
  search(request: { datasetId: string; question: string; filters: string | null }): Promise<FoundPassage[]>;
  close(): Promise<void>;
}
