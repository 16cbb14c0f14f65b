/** Deleting files. Free. When a promise here resolves, no search, running or new, answers with a deleted file, and its bytes are gone. */
import type { Caller } from "../access/index.ts";
import { fail } from "../errors.ts";
import type { ChunkRange, StoredFile } from "../store/index.ts";
import { removeFromIndexes } from "./dataset-indexes.ts";
import type { Engines } from "./engines.ts";
import { findFile, listFiles } from "./list.ts";
import { collect, pagesOf } from "./paging.ts";

type RemovalEngines = Pick<Engines, "store" | "models" | "storage">;

/** Deletes one file. Throws FILE_NOT_FOUND, DATASET_MISMATCH. */
export async function removeFile(engines: RemovalEngines, caller: Caller, fileId: string): Promise<StoredFile[]> {
  return removeStored(engines, [findFile(engines, caller, fileId)]);
}

/** Deletes all files of a dataset. Throws DATASET_NOT_FOUND when it never existed for this customer. */
export async function removeFilesOfDataset(
  engines: RemovalEngines,
  customerId: string,
  datasetId: string,
): Promise<StoredFile[]> {
  if (engines.store.dataset(customerId, datasetId) === null) throw fail("DATASET_NOT_FOUND");
  return removeStored(engines, await collect(listFiles(engines, customerId, datasetId)));
}

/** Deletes all files of a customer. */
export async function removeFilesOfCustomer(engines: RemovalEngines, customerId: string): Promise<StoredFile[]> {
  return removeStored(engines, await collect(pagesOf((page) => engines.store.filesOfCustomer(customerId, page))));
}

/**
 * Deletes files in the order that a crash cannot turn into a ghost: first they are noted as deleted; then durably from the store, whose
 * absence alone hides them from every search; then from the indexes; then the bytes, which a start after a crash sweeps.
 */
export async function removeStored(engines: RemovalEngines, files: StoredFile[]): Promise<StoredFile[]> {
  if (files.length === 0) return files;
  await engines.storage.noteDeletions(files.map(({ fileId }) => fileId));
  await engines.store.deleteFiles({ fileRows: files.map(({ id }) => id) });
  try {
    const byDataset = Map.groupBy(files, ({ datasetId }) => datasetId);
    await Promise.all(
      [...byDataset].flatMap(([datasetId, ofDataset]) => {
        const ranges = ofDataset.filter(({ chunkCount }) => chunkCount > 0).map(chunkRange);
        const generations = engines.store.generations(datasetId);
        return engines.models.all.flatMap((model) =>
          generations.map((generation) => removeFromIndexes(model, { datasetId, generation }, ranges)),
        );
      }),
    );
  } finally {
    await engines.storage.unlink(files.map(({ fileId }) => fileId));
  }
  return files;
}

function chunkRange({ firstChunkId, chunkCount }: StoredFile): ChunkRange {
  return { first: firstChunkId, last: firstChunkId + chunkCount - 1 };
}
