/** What commands need of a Lectern, whether it answers over HTTP or inside this process. */
import type { OwnersNames } from "../files/index.ts";
import type { StoredDocuments } from "./stored-documents.ts";

/** A file of this machine, and what it is called where it goes. */
export interface LocalFile extends OwnersNames {
  readonly path: string;
}

export interface UploadRequest {
  /** No two of one name where names are given to them. */
  readonly files: readonly LocalFile[];
  readonly datasetId: string;
  readonly extraMeta: string | null;
  readonly chunkSize: string | null;
  readonly chunkOverlap: string | null;
  /** As the upload's fields have them. */
  readonly language?: string | null;
  readonly ocrLanguages?: string | null;
  /** Whether a server shall keep a file first and read it in the background; it is waited for either way. */
  readonly inBackground?: boolean;
  /** Told how much of such a file has been recognised, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** What `POST /v1/search` and `POST /v1/query` take; the server says what is wrong with it. */
export interface SearchRequest {
  readonly datasetId: string;
  readonly question: string;
  readonly filters?: readonly unknown[];
  readonly limit?: number;
  readonly minScore?: number;
  readonly highlights?: boolean;
}

export interface FoundPassage {
  readonly score: number;
  readonly pageContent: string;
  /** UTF-16 units of pageContent, the end excluded; where they were asked for. */
  readonly highlights?: readonly { readonly start: number; readonly end: number }[];
  readonly alsoIn?: readonly { readonly originalName: string }[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface StreamedAnswer {
  readonly sources: readonly FoundPassage[];
  /** The answer in pieces, to be joined as they are. Read once. */
  readonly words: AsyncIterable<string>;
  /** Once all words are read. */
  end(): { readonly model: string; readonly usage: Readonly<Record<"promptTokens" | "completionTokens", number>> };
}

export interface DocumentService extends StoredDocuments {
  /** For messages: where the work is done. */
  readonly place: string;
  /**
   * Indexes the files, all or none, and resolves to their ids in order. Waits where the server asks to; the signal ends such a wait,
   * never a transfer that has begun, whose outcome nobody could tell. Throws LecternError with the server's sentence; of several
   * files also where the server limits how many may come in a minute.
   */
  upload(request: UploadRequest, signal: AbortSignal): Promise<string[]>;
  /** Passages, best first. */
  search(request: SearchRequest): Promise<FoundPassage[]>;
  /** Resolves when it is settled what the answer is made from. */
  query(request: SearchRequest): Promise<StreamedAnswer>;
  close(): Promise<void>;
}
