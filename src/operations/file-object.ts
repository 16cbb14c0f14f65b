/** A stored file as the interface shows it. Pure. */
import type { DocumentProperties } from "../foundation/place.ts";
import type { StoredFile } from "../store/index.ts";

/** What is shown of a file. */
type ShownFields =
  | "fileId"
  | "originalName"
  | "datasetName"
  | "customerId"
  | "storagePath"
  | "mimeType"
  | "size"
  | "sha256"
  | "loaderId"
  | "created"
  | "extension"
  | "externalId"
  | "relativePath"
  | "language"
  | "properties"
  | "transcriptionText"
  | "transcriptionSrt"
  | "extraMeta";

export interface ShownFile extends Pick<StoredFile, ShownFields> {
  /** Without it, the file is found by searches. */
  readonly status?: "processing" | "failed";
  /** Of one that is being read: how much of it is done, from 0 to 1. */
  readonly progress?: number;
  /** Of one that could not be read. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Signed download address; only where one file is asked for. */
  readonly permanentUrl?: string;
  /** Of an upload that changed nothing. */
  readonly unchanged?: true;
}

/** As its upload said, else as it was found out or the document itself says. */
function languageOf({ language, properties }: Pick<ShownFile, "language" | "properties">): string | undefined {
  return language ?? (properties === null ? undefined : (JSON.parse(properties) as DocumentProperties).language);
}

/** The file as JSON. Metadata and subtitles are JSON already, and can be long: they are put in as they are. */
export function fileJson(file: ShownFile): string {
  const fields = JSON.stringify({
    fileId: file.fileId,
    originalName: file.originalName,
    datasetId: file.datasetName,
    customerId: file.customerId,
    // Relative to the data directory.
    filePath: file.storagePath,
    mimeType: file.mimeType,
    size: file.size,
    sha256: file.sha256,
    loaderId: file.loaderId,
    created: new Date(file.created).toISOString(),
    extension: file.extension,
    externalId: file.externalId ?? undefined,
    path: file.relativePath ?? undefined,
    language: languageOf(file),
    status: file.status ?? "ready",
    progress: file.progress,
    error: file.error,
    unchanged: file.unchanged,
    transcriptionText: file.transcriptionText,
    permanentUrl: file.permanentUrl,
  });
  return `${fields.slice(0, -1)},"transcriptionSrt":${file.transcriptionSrt ?? "null"},"extraMeta":${file.extraMeta ?? "null"}}`;
}
