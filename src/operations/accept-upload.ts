/** Accepts received files that are to be read later: durably, paid, all or none. Each is then read, and fails, by itself. */
import { newFileId, type NewStoredFile, type OwnersNames, type StagedFile } from "../files/index.ts";
import type { NewUploadJob } from "../store/index.ts";
import type { Engines } from "./engines.ts";
import { chargeEach, giveBack } from "./file-charges.ts";
import { shownJob } from "./shown-job.ts";
import type { ShownFile } from "./file-object.ts";
import { withSubtitles } from "./subtitles-beside.ts";
import { exceptUnchanged, unchangedFile, type UploadRequest } from "./upload.ts";

/**
 * Charges the files and keeps them, to be read by `UploadJobs`; those that are stored already as they are sent are answered as they are.
 * When it resolves, every file survives a power loss; when it rejects, none is kept and nothing is charged. The staged files may be gone by
 * then.
 *
 * Throws BUSY where too many files wait, INSUFFICIENT_STORAGE, INSUFFICIENT_CREDITS.
 */
export function acceptUpload(engines: Engines, request: UploadRequest): Promise<ShownFile[]> {
  return exceptUnchanged<ShownFile>(engines, request, (changed) => accept(engines, changed, request));
}

/** `whole`: with the files that are stored already. */
async function accept(engines: Engines, request: UploadRequest, whole: UploadRequest): Promise<ShownFile[]> {
  const { access, store, storage, uploadJobs, diskRoom, models } = engines;
  const { customerId } = request;
  uploadJobs.checkRoom(customerId, request.files.length);
  await diskRoom.checkReserve();
  const published = request.files.map((file) => toPublish(request, file));
  const chargeIds = chargeEach(access, customerId, published.length);
  const fileIds = published.map(({ record }) => record.fileId);
  try {
    const storagePaths = await storage.publish(published);
    const subtitlesOf = subtitlesByFile(engines, whole, published);
    const jobs = published.map(({ path, record }, at) => ({
      ...toJob(record, storagePaths[at]!, chargeIds[at]!),
      subtitlesFileId: subtitlesOf.get(path) ?? null,
    }));
    await store.addUploadJobs(jobs, models.chosen.embedder.modelId);
  } catch (error) {
    // What noted them may have been lost before it answered: then they are all noted, or none.
    if (fileIds.every((fileId) => store.uploadJob(fileId) !== null)) return take(engines, fileIds);
    await storage.unlink(fileIds);
    for (const chargeId of chargeIds) giveBack(access, customerId, chargeId);
    throw error;
  }
  return take(engines, fileIds);
}

/** The ids of the files of subtitles, by where the files that they came with were received. */
function subtitlesByFile(
  engines: Engines,
  whole: UploadRequest,
  published: readonly NewStoredFile[],
): ReadonlyMap<string, string> {
  const fileIds = new Map(published.map(({ path, record }) => [path, record.fileId]));
  const subtitlesOf = new Map<string, string>();
  for (const { path, subtitles } of withSubtitles(whole.files)) {
    if (subtitles === null || !fileIds.has(path)) continue;
    const file = whole.files.find((one) => one.path === subtitles.path)!;
    const fileId = fileIds.get(file.path) ?? unchangedFile(engines, whole, file)?.fileId;
    if (fileId !== undefined) subtitlesOf.set(path, fileId);
  }
  return subtitlesOf;
}

/** Has files read that are noted. */
async function take({ store, storage, uploadJobs }: Engines, fileIds: readonly string[]): Promise<ShownFile[]> {
  await storage.confirm(fileIds);
  const noted = fileIds.map((fileId) => store.uploadJob(fileId)).filter((job) => job !== null);
  uploadJobs.add(noted);
  return noted.map((job) => shownJob(job, uploadJobs));
}

function toPublish(request: UploadRequest, file: StagedFile & OwnersNames): NewStoredFile {
  const { customerId, datasetId, extraMeta, chunking, expected } = request;
  const { path, originalName, declaredMimeType: mimeType, size, sha256, externalId, relativePath } = file;
  const said = { originalName, mimeType, size, sha256, externalId, relativePath, extraMeta };
  const record = { fileId: newFileId(), customerId, datasetId, created: Date.now(), ...said, ...chunking, ...expected };
  return { path, record };
}

function toJob(
  record: NewStoredFile["record"],
  storagePath: string,
  chargeId: string,
): Omit<NewUploadJob, "subtitlesFileId"> {
  const { datasetId: datasetName, extraMeta, externalId = null, relativePath = null, ...said } = record;
  const { language = null, ocrLanguages = [], ...columns } = said;
  return {
    ...columns,
    datasetName,
    storagePath,
    chargeId,
    externalId,
    relativePath,
    language,
    ocrLanguages: ocrLanguages.length === 0 ? null : JSON.stringify(ocrLanguages),
    extraMeta: extraMeta && JSON.stringify(extraMeta),
  };
}
