/** Makes up for what older versions did not write when they stored a file: its hash, and the record beside it. */
import { hashFileAt, type UploadRecord } from "../files/index.ts";
import type { StoredFile } from "../store/index.ts";
import type { Engines } from "./engines.ts";

const PAGE_SIZE = 100;
/** Between two files: this has time. */
const PAUSE_MILLISECONDS = 5;

/** Goes through all files without a hash once, until aborted. Files that are missing, or not of their size any more, are left as they are: `doctor` tells of them. */
export async function recordOldFiles(
  { store, storage, log }: Pick<Engines, "store" | "storage" | "log">,
  signal: AbortSignal,
): Promise<void> {
  let recorded = 0;
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const page = store.filesWithoutHash({ before, limit: PAGE_SIZE });
    for (const file of page) {
      if (signal.aborted) return;
      if (await recordOldFile({ store, storage }, file)) recorded++;
      await Bun.sleep(PAUSE_MILLISECONDS);
    }
    if (page.length < PAGE_SIZE) break;
    before = page.at(-1)!.id;
  }
  if (recorded > 0) log.info("Recorded the hashes of files that an older version had stored", { files: recorded });
}

async function recordOldFile(
  { store, storage }: Pick<Engines, "store" | "storage">,
  file: StoredFile,
): Promise<boolean> {
  const { fileId } = file;
  const hashed = await hashFileAt(storage.resolve(file.storagePath)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (hashed === null || (file.size !== null && hashed.size !== file.size)) return false;
  await storage.addRecord(recordOf(file, hashed));
  await store.noteHash(file.id, hashed.sha256);
  // Deleted meanwhile: its record came too late.
  if (store.fileById(fileId) === null) await storage.unlink([fileId]);
  return true;
}

/** What the record beside a file's bytes says of it, which are these. */
export function recordOf(
  file: Omit<StoredFile, "id" | "datasetId">,
  hashed: { readonly size: number; readonly sha256: string },
): UploadRecord {
  const { fileId, customerId, datasetName: datasetId, originalName, mimeType, chunkSize, chunkOverlap, created } = file;
  const { externalId, relativePath, language } = file;
  return {
    fileId,
    customerId,
    datasetId,
    originalName,
    mimeType,
    extraMeta: file.extraMeta === null ? null : (JSON.parse(file.extraMeta) as Record<string, unknown>),
    chunkSize,
    chunkOverlap,
    created,
    externalId,
    relativePath,
    language,
    ocrLanguages: file.ocrLanguages === null ? [] : (JSON.parse(file.ocrLanguages) as string[]),
    ...hashed,
  };
}
