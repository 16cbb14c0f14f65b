/** Compares what lies in folders with what a dataset holds of them. */
import { inParallel } from "../../operations/in-parallel.ts";
import type { LocalFile } from "../document-service.ts";
import type { FileRecord } from "../stored-documents.ts";

/** What of a stored file tells whether it is the one in the folder. */
export interface SyncedFile {
  readonly fileId: string;
  /** Its relative path. */
  readonly externalId: string;
  readonly originalName: string;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly extraMeta: Readonly<Record<string, unknown>> | null;
}

export interface SyncPlan {
  readonly fresh: LocalFile[];
  readonly changed: LocalFile[];
  /** Stored, and in the folders no more. */
  readonly gone: SyncedFile[];
  readonly unchanged: number;
}

export interface SyncScope {
  /** Whether the folders were looked through whole, so that what is not in them is gone. */
  readonly isWhole: boolean;
  /** Metadata that every file shall have. */
  readonly extraMeta: Readonly<Record<string, unknown>> | null;
}

/** The stored file where a sync has put it there, below this folder: its owner calls it by its path. Null for all others. */
export function syncedFile(record: FileRecord, under: string | null): SyncedFile | null {
  const { fileId, originalName, size, externalId, path, sha256 = null, extraMeta = null, status } = record;
  // One that could not be read holds no place: it is tried again.
  if (status === "failed") return null;
  if (typeof externalId !== "string" || externalId !== path) return null;
  if (under !== null && !externalId.startsWith(`${under}/`)) return null;
  return { fileId, originalName, size, externalId, sha256, extraMeta } as SyncedFile;
}

/** Files that are read side by side. */
const FILES_AT_ONCE = 16;

/**
 * What there is to do, in the files' order. Whether the bytes are those that are stored, `isSame` says; it is asked only where nothing
 * else tells the file from the stored one. Throws what it throws, and the signal's reason.
 */
export async function planSync(
  files: readonly LocalFile[],
  stored: Iterable<SyncedFile>,
  { isWhole, extraMeta }: SyncScope,
  isSame: (file: LocalFile, former: SyncedFile) => Promise<boolean>,
  signal: AbortSignal,
): Promise<SyncPlan> {
  const former = new Map([...stored].map((file) => [file.externalId, file]));
  const isUnchanged = await inParallel(files, FILES_AT_ONCE, signal, async (file) => {
    const its = former.get(file.externalId!);
    return its !== undefined && Bun.deepEquals(its.extraMeta, extraMeta, true) && (await isSame(file, its));
  });
  const [fresh, changed]: [LocalFile[], LocalFile[]] = [[], []];
  let unchanged = 0;
  for (const [at, file] of files.entries()) {
    const isKnown = former.delete(file.externalId!);
    if (isUnchanged[at]) unchanged++;
    else (isKnown ? changed : fresh).push(file);
  }
  return { fresh, changed, gone: isWhole ? [...former.values()] : [], unchanged };
}
