/** Indexes files again that were set aside because no database knew of them. */
import type { SetAsideFile, StagedFile, UploadRecord } from "../files/index.ts";
import type { Engines } from "./engines.ts";
import { indexAgain } from "./upload.ts";

/** What became of one file. */
export interface Adoption {
  readonly fileId: string;
  /** null where the file has no record. */
  readonly originalName: string | null;
  readonly datasetId: string | null;
  readonly customerId: string | null;
  /** Why it stays where it is; null when it is indexed. */
  readonly problem: string | null;
}

/**
 * Indexes every file of `lost+found/` under its own id, in its customer's dataset, without a charge; what cannot be stays there. One
 * after the other: an interrupted run is simply begun again. `onAdoption` hears of each.
 */
export async function adoptSetAside(
  engines: Engines,
  signal: AbortSignal,
  onAdoption: (adoption: Adoption) => void = () => {},
): Promise<Adoption[]> {
  const adoptions: Adoption[] = [];
  for (const file of await engines.storage.listSetAside()) {
    signal.throwIfAborted();
    const { originalName = null, datasetId = null, customerId = null } = file.record ?? {};
    const adoption = {
      fileId: file.fileId,
      originalName,
      datasetId,
      customerId,
      problem: await adopt(engines, file, signal),
    };
    adoptions.push(adoption);
    onAdoption(adoption);
  }
  return adoptions;
}

/** null when it is indexed, else why not. A copy is indexed: whatever ends this before it is stored, the file itself stays where it is. */
async function adopt(
  engines: Engines,
  { fileId, path, record }: SetAsideFile,
  signal: AbortSignal,
): Promise<string | null> {
  const { access, store, storage } = engines;
  if (record === null) return "it has no record beside it that says whose it is";
  if (access.customer(record.customerId) === null)
    return `there is no customer "${record.customerId}"; make it with \`lectern customer create\` and try again`;
  const staging = await storage.openStaging();
  try {
    if (store.fileById(fileId) === null) {
      const copy = await storage.stage(staging, path);
      if (copy.sha256 !== record.sha256) return "its bytes are not those that were uploaded";
      await indexAgain(engines, requestOf(record, copy), signal);
    }
    await storage.discardSetAside([fileId]);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  } finally {
    await storage.discardStaging(staging);
  }
}

function requestOf(
  {
    fileId,
    created,
    customerId,
    datasetId,
    chunkSize,
    chunkOverlap,
    extraMeta,
    originalName,
    mimeType,
    language = null,
    ocrLanguages = [],
    ...named
  }: UploadRecord,
  copy: StagedFile,
) {
  const { externalId = null, relativePath = null } = named;
  return {
    customerId,
    datasetId,
    chunking: { chunkSize, chunkOverlap },
    expected: { language, ocrLanguages },
    extraMeta,
    files: [{ ...copy, fileId, created, originalName, declaredMimeType: mimeType, externalId, relativePath }],
  };
}
