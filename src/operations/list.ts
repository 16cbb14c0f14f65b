/** Looking at files: a dataset's listing and one file's details. Free. */
import type { Caller } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import type { StoredFile } from "../store/index.ts";
import type { Engines } from "./engines.ts";
import { pagesOf } from "./paging.ts";

/** The files of a dataset, newest first, in pages; an unknown dataset has none. */
export function listFiles(
  engines: Pick<Engines, "store">,
  customerId: string,
  datasetId: string,
): Iterable<StoredFile[]> {
  const dataset = engines.store.dataset(customerId, datasetId);
  return dataset === null ? [[]] : pagesOf((page) => engines.store.filesOfDataset(dataset.id, page));
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
