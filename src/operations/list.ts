/** Looking at files: a dataset's listing and one file's details. Free. */
import type { Caller } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { fieldDefaults } from "../foundation/field-limits.ts";
import type { FileSelection, StoredFile, UploadJob } from "../store/index.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import type { Engines } from "./engines.ts";
import type { ShownFile } from "./file-object.ts";
import { given, readLimit } from "./page-request.ts";
import { pagesOf } from "./paging.ts";
import { shownJob } from "./shown-job.ts";

/** The parameters of a listing as they come; null or empty: left out. */
export interface FileQuery {
  readonly limit: string | null;
  readonly cursor: string | null;
  /** Only files of exactly this name. */
  readonly name: string | null;
  /** Only the file that its owner calls so. */
  readonly externalId: string | null;
}

export type FileBytes = Pick<
  StoredFile,
  "fileId" | "storagePath" | "size" | "sha256" | "originalName" | "mimeType" | "created"
>;

export interface FileListing {
  /** Newest first, read as they are asked for. */
  readonly pages: Iterable<readonly ShownFile[]>;
  /** Once all pages are read, where the next part of the listing begins; null: there is no more. Only of a listing in parts. */
  readonly nextCursor: (() => string | null) | null;
}

/** Before the row number of a file that is still to be read, in a cursor. */
const UNREAD = "u";

/**
 * The files of a dataset, those that are still to be read first; an unknown dataset has none. All of them, unless a `limit` or a `cursor` asks for a part. A cursor names a file
 * that was shown: what is stored or deleted meanwhile moves nothing that is still to come. Throws INVALID_REQUEST.
 */
export function listFiles(
  { access, store, uploadJobs }: Pick<Engines, "access" | "store" | "uploadJobs">,
  customerId: string,
  datasetId: string,
  query: FileQuery,
): FileListing {
  const selection: FileSelection = { originalName: given(query.name), externalId: given(query.externalId) };
  const listing = ["files", customerId, datasetId, JSON.stringify(selection)];
  const [limit, cursor] = [readLimit(query.limit), given(query.cursor)];
  const place = cursor === null ? null : openCursor(access, listing, cursor);
  const isAmongUnread = place === null || place.startsWith(UNREAD);
  const dataset = store.dataset(customerId, datasetId);
  const most = limit ?? (cursor === null ? Number.POSITIVE_INFINITY : fieldDefaults.limit);
  let next: string | null = null;

  function* pages(): Generator<readonly ShownFile[], void> {
    let left = most;
    if (isAmongUnread) {
      const before = place === null ? Number.POSITIVE_INFINITY : Number(place.slice(UNREAD.length));
      const unread = store
        .uploadJobsOfDataset(customerId, datasetId, { before, limit: Number.POSITIVE_INFINITY })
        .filter((job) => isSelected(job, selection));
      const shown = unread.slice(0, left);
      left -= shown.length;
      if (shown.length > 0) yield shown.map((job) => shownJob(job, uploadJobs));
      if (left === 0) {
        const isMore = unread.length > shown.length || (dataset !== null && dataset.fileCount > 0);
        next = isMore ? `${UNREAD}${shown.at(-1)!.id}` : null;
        return;
      }
    }
    if (dataset === null) return yield [];
    const before = isAmongUnread ? Number.POSITIVE_INFINITY : Number(place);
    const row = yield* pagesOf((page) => store.filesOfDataset(dataset.id, page, selection), { before, limit: left });
    next = row === null ? null : String(row);
  }
  return {
    pages: pages(),
    nextCursor:
      most === Number.POSITIVE_INFINITY ? null : () => (next === null ? null : sealCursor(access, listing, next)),
  };
}

const isSelected = (job: UploadJob, { originalName = null, externalId = null }: FileSelection): boolean =>
  (originalName === null || job.originalName === originalName.toWellFormed()) &&
  (externalId === null || job.externalId === externalId.toWellFormed());

/**
 * One file within the caller's reach. Throws FILE_NOT_FOUND, also for another customer's file, so that its existence is not
 * told; DATASET_MISMATCH when a token of the same customer is limited to another dataset.
 */
export function findFile(engines: Pick<Engines, "store">, caller: Caller, fileId: string): StoredFile {
  return within(caller, engines.store.file(caller.customerId, fileId));
}

/** The same, also of a file that is still to be read or could not be. */
export function findAnyFile(engines: Pick<Engines, "store" | "uploadJobs">, caller: Caller, fileId: string): ShownFile {
  const job = findUploadJob(engines, caller, fileId);
  return job === null ? findFile(engines, caller, fileId) : shownJob(job, engines.uploadJobs);
}

/** Whichever file has these bytes, of any customer: for signed links. null where there is none. */
export function findBytes({ store }: Pick<Engines, "store">, fileId: string): FileBytes | null {
  const job = store.uploadJob(fileId);
  return job === null || job.errorCode !== null ? store.fileById(fileId) : job;
}

/** A file that is still to be read or could not be; null: there is none of this id. Throws DATASET_MISMATCH. */
export function findUploadJob({ store }: Pick<Engines, "store">, caller: Caller, fileId: string): UploadJob | null {
  const job = store.uploadJob(fileId);
  return job === null || job.customerId !== caller.customerId.toWellFormed() ? null : within(caller, job);
}

function within<File extends Pick<StoredFile, "datasetName">>(caller: Caller, file: File | null): File {
  if (file === null) throw fail("FILE_NOT_FOUND");
  if (caller.datasetId !== null && caller.datasetId !== file.datasetName) throw fail("DATASET_MISMATCH");
  return file;
}
