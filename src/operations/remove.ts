/**
 * Deleting files. Free. When a promise here resolves, no search, running or new, no listing and no download answers with a deleted file.
 *
 * Their bytes are gone by then too, but for one case: where a whole dataset or customer goes that has more than `MOST_AT_ONCE` files,
 * bytes and rows, which nothing reaches any more, are cleared up in the background (clearing.ts). So are the rows of a very long file.
 */
import type { Caller } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import {
  joinRanges,
  type ChunkRange,
  type Dataset,
  type DiscardedDataset,
  type ReplacedFile,
  type StoredFile,
  type UploadJob,
} from "../store/index.ts";
import { forgetIndexes, removeFromIndexes } from "./dataset-indexes.ts";
import type { Engines } from "./engines.ts";
import type { ShownFile } from "./file-object.ts";
import { findFile, findUploadJob } from "./list.ts";
import { collect, pagesOf } from "./paging.ts";
import { discardUploadJobs, type JobEngines } from "./remove-upload-jobs.ts";

/** What deleting stored files takes, */
export type RemovalEngines = Pick<Engines, "store" | "models" | "storage" | "clearing">;

/** and deleting whatever there is of files. */
type AllFilesEngines = RemovalEngines & JobEngines;

/** Files that are deleted one by one, while the caller waits. */
const MOST_AT_ONCE = 100;

/** Deletes one file. Throws FILE_NOT_FOUND, DATASET_MISMATCH. */
export async function removeFile(engines: AllFilesEngines, caller: Caller, fileId: string): Promise<ShownFile[]> {
  const job = findUploadJob(engines, caller, fileId);
  const discarded = job === null ? [] : await discardUploadJobs(engines, [job]);
  if (discarded.length > 0) return discarded;
  return removeStored(engines, [findFile(engines, caller, fileId)]);
}

/** Deletes the file of a dataset that has this external id. Throws DATASET_NOT_FOUND, FILE_NOT_FOUND. */
export async function removeFileByExternalId(
  engines: AllFilesEngines,
  customerId: string,
  datasetId: string,
  externalId: string,
): Promise<ShownFile[]> {
  const dataset = engines.store.dataset(customerId, datasetId);
  if (dataset === null) throw fail("DATASET_NOT_FOUND");
  const discarded = await discardUploadJobs(
    engines,
    unreadOf(engines, customerId, datasetId).filter((job) => job.externalId === externalId.toWellFormed()),
  );
  const file = engines.store.fileByExternalId(dataset.id, externalId);
  if (file === null && discarded.length === 0) throw fail("FILE_NOT_FOUND");
  return [...discarded, ...(await removeStored(engines, file === null ? [] : [file]))];
}

/** Deletes all files of a dataset. Throws DATASET_NOT_FOUND when it never existed for this customer. */
export async function removeFilesOfDataset(
  engines: AllFilesEngines,
  customerId: string,
  datasetId: string,
): Promise<ShownFile[]> {
  if (engines.store.dataset(customerId, datasetId) === null) throw fail("DATASET_NOT_FOUND");
  const discarded = await discardUploadJobs(engines, unreadOf(engines, customerId, datasetId));
  const dataset = engines.store.dataset(customerId, datasetId);
  if (dataset === null) return discarded;
  const removed = (await removeFew(engines, [dataset])) ?? (await removeWhole(engines, customerId, datasetId));
  return [...discarded, ...removed];
}

/** Deletes all files of a customer. */
export async function removeFilesOfCustomer(engines: AllFilesEngines, customerId: string): Promise<ShownFile[]> {
  const discarded = await discardUploadJobs(engines, engines.store.uploadJobsOfCustomer(customerId));
  const datasets = engines.store.datasetsWithFiles(customerId, MOST_AT_ONCE + 1);
  const removed = (await removeFew(engines, datasets)) ?? (await removeWhole(engines, customerId, null));
  return [...discarded, ...removed];
}

function unreadOf({ store }: AllFilesEngines, customerId: string, datasetId: string): UploadJob[] {
  const all = { before: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY };
  return store.uploadJobsOfDataset(customerId, datasetId, all);
}

/**
 * Deletes files one by one, in the order that a crash cannot turn into a ghost: first they are noted as deleted; then durably from the
 * store, whose absence alone hides them from every search; then from the indexes; then the bytes, which a start after a crash sweeps.
 */
export async function removeStored(engines: RemovalEngines, files: StoredFile[]): Promise<StoredFile[]> {
  if (files.length === 0) return files;
  await engines.storage.noteDeletions(files.map(({ fileId }) => fileId));
  const isCleared = await engines.store.deleteFiles({ fileRows: files.map(({ id }) => id) });
  try {
    await tellIndexes(engines, files);
  } finally {
    if (!isCleared) engines.clearing.lookAgain();
    await engines.storage.unlink(files.map(({ fileId }) => fileId));
  }
  return files;
}

/** Takes the chunks of files out of the indexes, which the store does not show any more. */
export async function tellIndexes(
  { store, models }: Pick<Engines, "store" | "models">,
  files: readonly ReplacedFile[],
): Promise<void> {
  const byDataset = Map.groupBy(files, ({ datasetId }) => datasetId);
  await Promise.all(
    [...byDataset].flatMap(([datasetId, ofDataset]) => {
      const ranges = joinRanges(ofDataset.filter(({ chunkCount }) => chunkCount > 0).map(chunkRange));
      return models.all.flatMap((model) =>
        store.generations(datasetId).map((generation) => removeFromIndexes(model, { datasetId, generation }, ranges)),
      );
    }),
  );
}

/** null, and nothing done, where the datasets have too many files to delete them one by one. */
async function removeFew(engines: RemovalEngines, datasets: readonly Dataset[]): Promise<StoredFile[] | null> {
  if (datasets.reduce((sum, { fileCount }) => sum + fileCount, 0) > MOST_AT_ONCE) return null;
  return removeStored(engines, newestFirst(datasets.flatMap(({ id }) => engines.store.filesOfDataset(id))));
}

/**
 * Deletes the files of one dataset, or of all, at once. The store hides them durably before anything else: what is uploaded from then on
 * is not among them. It keeps them until they are noted as deleted and their bytes are gone, so that neither a crash nor an older
 * database brings one back.
 */
async function removeWhole(
  engines: RemovalEngines,
  customerId: string,
  datasetName: string | null,
): Promise<StoredFile[]> {
  const { store, storage, clearing } = engines;
  const discarded = await store.discardDatasets(customerId, datasetName);
  const discardedIds = discarded.map(({ id }) => id);
  try {
    const files = await collect(filesOf(engines, discarded));
    await storage.noteDeletions(files.map(({ fileId }) => fileId));
    await store.noteDiscarded(discardedIds);
    await forgetDatasets(engines, discarded);
    clearing.lookAgain();
    return newestFirst(files);
  } catch (error) {
    clearing.takeUp(discardedIds);
    throw error;
  }
}

function* filesOf({ store }: RemovalEngines, discarded: readonly DiscardedDataset[]): Generator<StoredFile[], void> {
  for (const { id } of discarded) yield* pagesOf((page) => store.discardedFiles(id, page));
}

/** Takes the indexes out of memory. Nothing searches them any more. */
async function forgetDatasets({ models }: RemovalEngines, discarded: readonly DiscardedDataset[]): Promise<void> {
  for (const { id, generations } of discarded)
    await Promise.all(
      models.all.flatMap((model) =>
        generations.map((generation) => forgetIndexes(model, { datasetId: id, generation })),
      ),
    );
}

const newestFirst = (files: StoredFile[]): StoredFile[] => files.sort((left, right) => right.id - left.id);

function chunkRange({ firstChunkId, chunkCount }: ReplacedFile): ChunkRange {
  return { first: firstChunkId, last: firstChunkId + chunkCount - 1 };
}
