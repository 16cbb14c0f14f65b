/** Client of a Lectern server. */
export { LecternError, type ClientErrorCode } from "./error.ts";
export type { Download, DownloadOptions } from "./download.ts";
export {
  Lectern,
  type Answer,
  type LecternOptions,
  type ListFilesOptions,
  type ListOptions,
  type Passage,
  type PassageOptions,
  type QueryEvent,
  type Question,
  type SubtitleFormat,
  type Token,
  type UploadOptions,
  type WaitOptions,
} from "./lectern.ts";
export type { Listing, Page } from "./listing.ts";
export type { CallOptions } from "./transport.ts";
export type { OpenContent, UploadFile } from "./upload-file.ts";
export type {
  Dataset,
  Filter,
  ErrorCode,
  PassageMetadata,
  QueryRequest,
  RetrievalRequest,
  SearchResult,
  StoredFile,
  TokenRequest,
} from "./types.generated.ts";
