/** Opens the store: the writer thread makes and migrates the database, then this thread opens it for reading. */
import { LecternError } from "../foundation/errors.ts";
import { documentsDatabasePath, openReading } from "./database.ts";
import { prepareFilters } from "./filters.ts";
import type { AddFilesInput, DiscardedDataset, NewFile, NewUploadJob, Store, StoreOptions } from "./types.ts";
import { prepareReads } from "./reads.ts";
import { prepareUploadJobReads } from "./upload-job-reads.ts";
import type { AddFilesRequest, WriteRequest, WriteResult } from "./write-requests.ts";
import { packIds } from "../foundation/id-lists.ts";
import { checkChunks, stack, toFileRecord, WriterClient } from "./writer-client.ts";

const DEFAULT_CHECKPOINT_MILLISECONDS = 1_000;
const DEFAULT_MAX_CACHED_RANGES = 1_000_000;
/** What one transaction takes: some ten milliseconds, for which other writes wait. */
const FILES_PER_DELETION = 128;
const DATASETS_PER_DELETION = 256;

/** Makes `lectern.db` in the data directory when it is not there. Throws OPERATION_FAILED when a newer Lectern wrote it. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const path = documentsDatabasePath(options.dataDirectory);
  const writer = await WriterClient.open(
    {
      path,
      alsoCheckpoint: options.alsoCheckpoint ?? [],
      checkpointMilliseconds: options.checkpointMilliseconds ?? DEFAULT_CHECKPOINT_MILLISECONDS,
    },
    options.onTrouble ?? (() => {}),
  );
  const database = openReading(path);
  const { storedFile, ...reads } = prepareReads(database);
  const filters = prepareFilters(database, options.maxCachedRanges ?? DEFAULT_MAX_CACHED_RANGES);

  async function addFiles(input: AddFilesInput): Promise<Added> {
    input.files.forEach(checkFile);
    const request: AddFilesRequest = {
      kind: "addFiles",
      customerId: input.customerId.toWellFormed(),
      datasetName: input.datasetName.toWellFormed(),
      modelId: input.modelId,
      chargeId: input.chargeId,
      isPending: input.isPending ?? false,
      files: input.files.map(toFileRecord),
    };
    try {
      const { datasetIds, fileRows, generation } = await writer.write(request, input.files);
      return {
        datasetId: datasetIds[0]!,
        generation: generation!,
        files: fileRows.map(storedFile).filter((file) => file !== null),
      };
    } catch (error) {
      const added = isLost(error) ? addedBefore(request) : null;
      if (added === null) throw error;
      return added;
    }
  }

  /** What an addition did whose answer was lost with the thread that wrote it: all of it, or nothing (null). */
  function addedBefore({ files, customerId, datasetName }: AddFilesRequest): Added | null {
    const added = files.map(({ fileId }) => reads.fileById(fileId)).filter((file) => file !== null);
    const dataset = reads.dataset(customerId, datasetName);
    if (added.length < files.length || dataset === null) return null;
    return { datasetId: dataset.id, generation: dataset.generation, files: added };
  }

  async function remove(request: WriteRequest): Promise<WriteResult> {
    const result = await writer.write(request);
    result.datasetIds.forEach(filters.forget);
    return result;
  }

  return {
    ...reads,
    ...prepareUploadJobReads(database),
    async addUploadJobs(jobs, modelId) {
      await writer.write({ kind: "addUploadJobs", jobs: jobs.map(toWellFormedJob), modelId });
    },
    async noteUploadAttempts(jobId, attempts) {
      await writer.write({ kind: "noteUploadAttempts", jobId, attempts });
    },
    async failUploadJob(jobId, { code, message }) {
      const errorMessage = message.toWellFormed();
      await writer.write({ kind: "failUploadJob", jobId, errorCode: code, errorMessage });
    },
    async removeUploadJobs(jobIds) {
      for (let start = 0; start < jobIds.length; start += FILES_PER_DELETION)
        await writer.write({ kind: "removeUploadJobs", jobIds: jobIds.slice(start, start + FILES_PER_DELETION) });
    },
    withdrawFiles: async (fileRows) => (await remove({ kind: "withdrawFiles", fileRows: [...fileRows] })).more !== true,
    checkWritable: () => writer.check(),
    addFiles,
    async deleteFiles({ fileRows }) {
      let isDone = true;
      for (let start = 0; start < fileRows.length; start += FILES_PER_DELETION) {
        const slice = fileRows.slice(start, start + FILES_PER_DELETION);
        if ((await remove({ kind: "deleteFiles", fileRows: slice })).more === true) isDone = false;
      }
      return isDone;
    },
    showFiles: async (fileRows) => (await remove({ kind: "showFiles", fileRows: [...fileRows] })).replaced!,
    async discardDatasets(customerId, datasetName) {
      const request = { kind: "discardDatasets", customerId: customerId.toWellFormed() } as const;
      if (datasetName !== null)
        return (await remove({ ...request, datasets: { name: datasetName.toWellFormed() } })).discarded!;
      const all: DiscardedDataset[] = [];
      for (let more = true; more; ) {
        const after = all.at(-1)?.name ?? "";
        const discarded = (await remove({ ...request, datasets: { after, limit: DATASETS_PER_DELETION } })).discarded!;
        all.push(...discarded);
        more = discarded.length === DATASETS_PER_DELETION;
      }
      return all;
    },
    async noteDiscarded(datasetIds) {
      await writer.write({ kind: "noteDiscarded", datasetIds: [...datasetIds] });
    },
    clearFiles: async (fileRows, limit) =>
      (await writer.write({ kind: "clearFiles", fileRows: [...fileRows], limit })).more === true,
    async noteHash(fileRow, sha256) {
      await writer.write({ kind: "noteHash", fileRow, sha256 });
    },
    forgetCustomer: async (customerId) =>
      (await remove({ kind: "forgetCustomer", customerId: customerId.toWellFormed() })).more !== true,
    matching: filters.matching,
    async beginReembedding(datasetId, modelId) {
      await writer.write({ kind: "beginReembedding", datasetId, modelId });
      return reads.reembeddings().find((begun) => begun.datasetId === datasetId) ?? null;
    },
    async addEmbeddings({ datasetId, generation, chunkIds, vectors, terms }) {
      await writer.write({
        kind: "addEmbeddings",
        datasetId,
        generation,
        chunkIds: [...chunkIds],
        vectors: stack(vectors),
        terms: packIds(terms),
        throughChunkId: chunkIds.at(-1)!,
      });
    },
    async orderTerms({ chunkIds, terms }) {
      await writer.write({ kind: "orderTerms", chunkIds: [...chunkIds], terms: packIds(terms) });
    },
    async switchGeneration(datasetId, generation) {
      const { datasetIds } = await writer.write({ kind: "switchGeneration", datasetId, generation });
      datasetIds.forEach(filters.forget);
      return datasetIds.length > 0;
    },
    removeDiscarded: async (limit) => (await writer.write({ kind: "removeDiscarded", limit })).more === true,
    async close() {
      // First, so that the writer is the last to let go and can empty the write-ahead log.
      database.close();
      await writer.close();
    },
  };
}

/** Whether the thread that wrote ended before it answered: of its own failures none is INTERNAL. */
const isLost = (error: unknown): boolean => error instanceof LecternError && error.code === "INTERNAL";

/** What an addition resolves with. */
type Added = Awaited<ReturnType<Store["addFiles"]>>;

function toWellFormedJob(job: NewUploadJob): NewUploadJob {
  return {
    ...job,
    customerId: job.customerId.toWellFormed(),
    datasetName: job.datasetName.toWellFormed(),
    originalName: job.originalName.toWellFormed(),
    mimeType: job.mimeType?.toWellFormed() ?? null,
    externalId: job.externalId?.toWellFormed() ?? null,
    relativePath: job.relativePath?.toWellFormed() ?? null,
  };
}

function checkFile(file: NewFile): void {
  if (file.chunks.length === 0 && !file.spooled) throw new RangeError("A file without chunks cannot be stored.");
  checkChunks(file);
}
