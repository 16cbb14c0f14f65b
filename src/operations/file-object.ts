/** A stored file as the interface shows it. Pure. */
import type { StoredFile } from "../store/index.ts";

export interface FileObject {
  fileId: string;
  originalName: string;
  datasetId: string;
  customerId: string;
  /** Storage path, relative to the data directory. */
  filePath: string;
  mimeType: string | null;
  /** Bytes. */
  size: number | null;
  /** Of the bytes, hexadecimal; null for a file whose hash is not recorded yet. */
  sha256: string | null;
  loaderId: string;
  /** ISO 8601. */
  created: string;
  extension: string;
  transcriptionText: string | null;
  transcriptionSrt: unknown[] | null;
  extraMeta: Record<string, unknown> | null;
  /** Signed download address; only where one file is asked for. */
  permanentUrl?: string;
}

export function toFileObject(file: StoredFile): FileObject {
  return {
    fileId: file.fileId,
    originalName: file.originalName,
    datasetId: file.datasetName,
    customerId: file.customerId,
    filePath: file.storagePath,
    mimeType: file.mimeType,
    size: file.size,
    sha256: file.sha256,
    loaderId: file.loaderId,
    created: new Date(file.created).toISOString(),
    extension: file.extension,
    transcriptionText: file.transcriptionText,
    transcriptionSrt: file.transcriptionSrt,
    extraMeta: file.extraMeta,
  };
}
