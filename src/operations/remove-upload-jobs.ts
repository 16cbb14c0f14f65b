/** Deletes files that are still to be read, or could not be: what is under way ends first. */
import type { StoredFile, UploadJob } from "../store/index.ts";
import type { Engines } from "./engines.ts";
import { giveBack } from "./file-charges.ts";
import type { ShownFile } from "./file-object.ts";
import { shownJob } from "./shown-job.ts";

export type JobEngines = Pick<Engines, "access" | "store" | "storage" | "uploadJobs">;

/**
 * Deletes them, and tells which those were: one that has been stored before it could be stopped is left, as an ordinary file. The charge
 * of a file that nobody had begun to read is given back; one that was begun is paid, as an upload is whose client goes away.
 */
export async function discardUploadJobs(engines: JobEngines, jobs: readonly UploadJob[]): Promise<ShownFile[]> {
  const { store, uploadJobs } = engines;
  const shown = jobs.map((job) => shownJob(job, uploadJobs));
  const begun = await Promise.all(jobs.map(({ fileId }) => uploadJobs.letGo(fileId)));
  const left = new Set<string>();
  for (const isBegun of [false, true]) {
    const present = jobs
      .filter((_, at) => begun[at] === isBegun)
      .map(({ fileId }) => store.uploadJob(fileId))
      .filter((job) => job !== null);
    await dropUploadJobs(engines, present, isBegun);
    for (const { fileId } of present) left.add(fileId);
  }
  return shown.filter(({ fileId }) => left.has(fileId));
}

/** Deletes files about which nothing is being done, paid or not. */
export async function dropUploadJobs(
  { access, store, storage }: Pick<JobEngines, "access" | "store" | "storage">,
  jobs: readonly UploadJob[],
  isPaid: boolean,
): Promise<void> {
  if (jobs.length === 0) return;
  const fileIds = jobs.map(({ fileId }) => fileId);
  await storage.noteDeletions(fileIds);
  await store.removeUploadJobs(jobs.map(({ id }) => id));
  for (const { customerId, chargeId } of jobs) {
    if (isPaid) access.settle(chargeId);
    else giveBack(access, customerId, chargeId);
  }
  await storage.unlink(fileIds);
}

/** Removes the bytes of files that could not be read. */
export async function clearFailed({ storage }: Pick<Engines, "storage">, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  await storage.noteDeletions(fileIds);
  await storage.unlink(fileIds);
}

/** Whether a file has an external id, and another came later by which its owner calls it now. */
export function isOvertaken(
  { store }: Pick<Engines, "store">,
  { customerId, datasetName, externalId, created }: UploadJob,
): boolean {
  const dataset = externalId === null ? null : store.dataset(customerId, datasetName);
  const present = dataset === null ? null : store.fileByExternalId(dataset.id, externalId!);
  return present !== null && present.created > created;
}

/** Deletes what came before files that were stored now, under the external ids that these have. */
export async function discardOvertaken(engines: JobEngines, stored: readonly StoredFile[]): Promise<void> {
  for (const { customerId, datasetName, externalId, created } of stored) {
    if (externalId === null) continue;
    const former = engines.store
      .uploadJobsOfCustomer(customerId)
      .filter((job) => job.datasetName === datasetName && job.externalId === externalId && job.created < created);
    await discardUploadJobs(engines, former);
  }
}
