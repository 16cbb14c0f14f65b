/**
 * Compares the stored bytes with what the database knows, before anybody is served.
 *
 * A crash leaves nothing that does not explain itself (files/storage.ts). So bytes that are neither known, nor unconfirmed, nor on the
 * list of deletions are documents that the database has lost: it was replaced by an older one, or its write-ahead log is gone.
 */
import { rm } from "node:fs/promises";
import { fail } from "../foundation/errors.ts";
import { findDiscrepancies, type FilesOnDisk } from "../files/index.ts";
import type { StoredFile } from "../store/index.ts";
import type { Engines } from "./engines.ts";
import { clearFailed, dropUploadJobs } from "./remove-upload-jobs.ts";
import { removeStored } from "./remove.ts";

type StoringEngines = Pick<Engines, "access" | "store" | "models" | "storage" | "clearing" | "log">;

export interface ReconcileOptions {
  /** Whether the machine has run on since the last process worked: then what is unconfirmed was never answered. */
  readonly ranOn: boolean;
  /** Go on where documents are missing from the database: they are set aside. */
  readonly acceptLoss: boolean;
}

/**
 * Finishes what the last process left half done, and sets aside what nobody knows. Only before any upload or deletion.
 * Throws OPERATION_FAILED with the ways out, and changes nothing, when documents are missing from the database and that is not accepted.
 */
export async function reconcileFiles(engines: StoringEngines, { ranOn, acceptLoss }: ReconcileOptions): Promise<void> {
  const { store, storage, log } = engines;
  const [deleted, onDisk, setAside] = await Promise.all([
    storage.deletions(),
    storage.survey(),
    storage.listSetAside(),
  ]);
  const found = findDiscrepancies({ known: store.fileIds(), discarded: store.discardedFileIds(), deleted }, onDisk);
  if (found.unknown.length > 0 && !acceptLoss)
    throw databaseIsOlder(storage.resolve("lectern.db"), found.unknown.length);

  // Numbers of chunks that an older database gives out again stand for other chunks there.
  if (found.unknown.length > 0 || found.returned.length > 0)
    await rm(storage.resolve("indexes"), { recursive: true, force: true });
  await storage.confirm(found.toConfirm);
  await storage.unlink(found.leftovers);
  if (ranOn) await storage.unlink(found.unfinished);
  const missing = new Set(found.missing);
  // A right database put back finds its files again, wherever an older one has had them moved.
  const putBack = setAside.map(({ fileId }) => fileId).filter((fileId) => missing.delete(fileId));
  await storage.putBack(putBack);

  const lost = [...found.unknown, ...(ranOn ? [] : found.unfinished)];
  await storage.setAside(lost);
  const deletedIds = [...found.toDelete, ...found.returned];
  const toDelete = deletedIds.map((fileId) => store.fileById(fileId));
  await removeStored(
    engines,
    toDelete.filter((file): file is StoredFile => file !== null),
  );
  const unread = deletedIds.map((fileId) => store.uploadJob(fileId)).filter((job) => job !== null);
  await dropUploadJobs(engines, unread, false);
  await clearFailed(
    engines,
    store.failedUploadJobIds().filter((fileId) => isOnDisk(onDisk, fileId)),
  );
  if (found.toDelete.length > 0)
    log.info("Finished deletions that the last process had begun", { files: found.toDelete.length });
  if (found.returned.length > 0)
    log.warn("Deleted files again that an older database had brought back", { files: found.returned.length });
  if (missing.size > 0)
    log.error(
      "Stored files are missing: their passages are searched, and they cannot be downloaded. `lectern doctor` names them",
      { files: missing.size },
    );
  const waiting = setAside.length - putBack.length + lost.length;
  if (waiting > 0)
    log.warn(
      "Files that the database does not know are set aside in lost+found. `lectern doctor --adopt` indexes them again",
      { files: waiting, newly: lost.length },
    );
}

const isOnDisk = ({ stored, unconfirmed, recorded }: FilesOnDisk, fileId: string): boolean =>
  stored.has(fileId) || unconfirmed.has(fileId) || recorded.has(fileId);

function databaseIsOlder(path: string, files: number): Error {
  return fail("OPERATION_FAILED", {
    reason:
      `${path} is older than the documents beside it: ${files === 1 ? "1 stored file is" : `${files} stored files are`} unknown to it. Put back the right database with its -wal file. ` +
      "If there is none: `lectern doctor --adopt` indexes the files again from what is stored beside them; `lectern serve --accept-loss` goes on without them and sets them aside in lost+found.",
  });
}
