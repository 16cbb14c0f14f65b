/** What lies on disk of one file that a database knows, or that none knows any more. Changes nothing. */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkIntact, isDamaged, type ExpectedBytes } from "./intact.ts";
import { FILE_ID, readRecord, type UploadRecord } from "./record.ts";
import { RECORD, UNCONFIRMED } from "./survey.ts";

/** What a row of the database says of a file. */
export interface SaidOfFile extends ExpectedBytes {
  readonly fileId: string;
  /** Relative to the data directory. */
  readonly storagePath: string;
}

/**
 * "misread": the bytes are those that were uploaded, by the record beside them, and the row of the database is what is damaged. "set aside":
 * the next start moves them back from `lost+found/`.
 */
export type BytesState = "whole" | "set aside" | "gone" | "damaged" | "misread";

/** Compares kind and size; with `deep` every byte. */
export async function stateOfBytes(dataDirectory: string, file: SaidOfFile, deep: boolean): Promise<BytesState> {
  const { fileId, storagePath, sha256, size } = file;
  if (!FILE_ID.test(fileId) || storagePath !== join("files", fileId.slice(-2), fileId)) return "misread";
  const place = join(dataDirectory, storagePath);
  const path = (await isThere(place)) || !(await isThere(`${place}${UNCONFIRMED}`)) ? place : `${place}${UNCONFIRMED}`;
  if (!(await isThere(path))) return (await isThere(join(dataDirectory, "lost+found", fileId))) ? "set aside" : "gone";
  if (await isIntact(path, { size, sha256: deep ? sha256 : null })) return "whole";
  const record = await readStoredRecord(dataDirectory, fileId);
  return record !== null && (await isIntact(path, record)) ? "misread" : "damaged";
}

/** The record of a file, beside its bytes or in `lost+found/`; null where it is missing or no whole record of this file. */
export async function readStoredRecord(
  dataDirectory: string,
  fileId: string,
  folder = join("files", fileId.slice(-2)),
): Promise<UploadRecord | null> {
  const text = await readFile(join(dataDirectory, folder, `${fileId}${RECORD}`), "utf8").catch(() => null);
  return text === null ? null : readRecord(fileId, text);
}

async function isIntact(path: string, expected: ExpectedBytes): Promise<boolean> {
  try {
    await checkIntact(path, expected);
    return true;
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  }
}

/** Links are not followed. */
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
