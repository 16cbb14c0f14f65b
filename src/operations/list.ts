/** Looking at files: a dataset's listing and one file's details. Free. */
import type { Caller } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { fieldDefaults } from "../foundation/field-limits.ts";
import type { FileSelection, StoredFile } from "../store/index.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import type { Engines } from "./engines.ts";
import { given, readLimit } from "./page-request.ts";
import { pagesOf } from "./paging.ts";

/** The parameters of a listing as they come; null or empty: left out. */
export interface FileQuery {
  readonly limit: string | null;
  readonly cursor: string | null;
  /** Only files of exactly this name. */
  readonly name: string | null;
}

export interface FileListing {
  /** Newest first, read as they are asked for. */
  readonly pages: Iterable<StoredFile[]>;
  /** Once all pages are read, where the next part of the listing begins; null: there is no more. Only of a listing in parts. */
  readonly nextCursor: (() => string | null) | null;
}

/**
 * The files of a dataset; an unknown dataset has none. All of them, unless a `limit` or a `cursor` asks for a part. A cursor names a file
 * that was shown: what is stored or deleted meanwhile moves nothing that is still to come. Throws INVALID_REQUEST.
 */
export function listFiles(
  { access, store }: Pick<Engines, "access" | "store">,
  customerId: string,
  datasetId: string,
  query: FileQuery,
): FileListing {
  const selection: FileSelection = { originalName: given(query.name) };
  const listing = ["files", customerId, datasetId, JSON.stringify(selection)];
  const [limit, cursor] = [readLimit(query.limit), given(query.cursor)];
  const before = cursor === null ? Number.POSITIVE_INFINITY : Number(openCursor(access, listing, cursor));
  const dataset = store.dataset(customerId, datasetId);
  const part = {
    before,
    limit: limit ?? (cursor === null ? Number.POSITIVE_INFINITY : fieldDefaults.limit),
  };
  let next: number | null = null;
  function* pages(): Generator<StoredFile[], void> {
    if (dataset === null) yield [];
    else next = yield* pagesOf((page) => store.filesOfDataset(dataset.id, page, selection), part);
  }
  return {
    pages: pages(),
    nextCursor:
      part.limit === Number.POSITIVE_INFINITY
        ? null
        : () => (next === null ? null : sealCursor(access, listing, String(next))),
  };
}

/**
 * One file within the caller's reach. Throws FILE_NOT_FOUND, also for another customer's file, so that its existence is not
 * told; DATASET_MISMATCH when a token of the same customer is limited to another dataset.
 */
export function findFile(engines: Pick<Engines, "store">, caller: Caller, fileId: string): StoredFile {
  const file = engines.store.file(caller.customerId, fileId);
  if (file === null) throw fail("FILE_NOT_FOUND");
  if (caller.datasetId !== null && caller.datasetId !== file.datasetName) throw fail("DATASET_MISMATCH");
  return file;
}
