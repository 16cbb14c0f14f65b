/** The messages between the server and an extractor child, sent over Bun's IPC channel. */
import type { ErrorCode } from "../errors.ts";
import type { ReadingLimits } from "./limits.ts";
import type { ExtractedDocument, ExtractionRequest } from "./types.ts";

export interface ReadMessage {
  kind: "read";
  request: ExtractionRequest;
  limits: Pick<ReadingLimits, "maxTextCharacters" | "maxChunks">;
}

export interface ReadyMessage {
  kind: "ready";
}

/** The document's next chunks. They come in pieces, so that taking in a large one never holds up the server. */
export interface ChunksMessage {
  kind: "chunks";
  chunks: string[];
}

/** After the last chunks. */
export interface DoneMessage {
  kind: "done";
  document: Omit<ExtractedDocument, "chunks">;
}

export interface FailedMessage {
  kind: "failed";
  code: ErrorCode;
  values: Record<string, string | number>;
  details: Record<string, unknown> | undefined;
  /** What a parser really said, for the log. */
  cause: string | undefined;
}

export type ChildMessage = ReadyMessage | ChunksMessage | DoneMessage | FailedMessage;
