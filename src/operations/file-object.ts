/** A stored file as the interface shows it. Pure. */
import type { StoredFile } from "../store/index.ts";

export interface ShownFile extends StoredFile {
  /** Signed download address; only where one file is asked for. */
  readonly permanentUrl?: string;
  /** Of an upload that changed nothing. */
  readonly unchanged?: true;
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
    unchanged: file.unchanged,
    transcriptionText: file.transcriptionText,
    permanentUrl: file.permanentUrl,
  });
  return `${fields.slice(0, -1)},"transcriptionSrt":${file.transcriptionSrt ?? "null"},"extraMeta":${file.extraMeta ?? "null"}}`;
}
