/** Reads one accepted file and shows it, or notes why it cannot be read. */
import { LecternError, type ErrorCode } from "../foundation/errors.ts";
import type { UploadJob } from "../store/index.ts";
import { toStorageError } from "../store/reserve-file.ts";
import type { Engines } from "./engines.ts";
import { giveBack } from "./file-charges.ts";
import { isOurFailure } from "./payment.ts";
import { withdrawStored } from "./placing.ts";
import { clearFailed, discardOvertaken, discardUploadJobs, dropUploadJobs, isOvertaken } from "./remove-upload-jobs.ts";
import { indexPlaced, isUnreadable, type PlacedFile } from "./upload.ts";
import type { JobOutcome } from "./upload-jobs.ts";
import type { SubtitleFile } from "../documents/index.ts";

/** A file that has ended so many processes, or failed so often by a mistake of ours, is not begun again. */
const MOST_ATTEMPTS = 10;
/** Of one customer, of whose files that could not be read the newest are kept on record. */
const MOST_FAILED = 1000;

/** What passes: the file is tried again, whoever it is that lacks something. */
const PASSING: ReadonlySet<string> = new Set<ErrorCode>([
  "BUSY",
  "INSUFFICIENT_STORAGE",
  "MODEL_MISSING",
  "RESTARTING",
  "SHUTTING_DOWN",
  "UPLOADS_PAUSED",
]);

/** Why a file is not shown whose place a later one has taken meanwhile. */
const OVERTAKEN = Symbol("overtaken");

/** As `ReadJob` has it. */
export async function readUploadJob(
  engines: Engines,
  fileId: string,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<JobOutcome> {
  const { store, log } = engines;
  try {
    const job = store.uploadJob(fileId);
    if (job === null || job.errorCode !== null) return "ended";
    return await attempt(engines, job, signal, onProgress);
  } catch (thrown) {
    // Nothing could be noted, most probably since nothing can be written now.
    log.error("A file that is read in the background is tried again", { fileId, cause: thrown });
    return { retryAfterMilliseconds: null };
  }
}

async function attempt(
  engines: Engines,
  job: UploadJob,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<JobOutcome> {
  const { store, log } = engines;
  const { fileId } = job;
  if (job.attempts >= MOST_ATTEMPTS)
    return failed(engines, job, new LecternError("INTERNAL", {}, undefined, new Error(`${MOST_ATTEMPTS} attempts`)));
  await store.noteUploadAttempts(job.id, job.attempts + 1);
  try {
    // Of an attempt whose end was not told.
    const left = store.fileById(fileId);
    if (left !== null) await withdrawStored(engines, [left]);
    await index(engines, job, signal, onProgress);
    const stored = store.fileById(fileId);
    if (stored !== null) await discardOvertaken(engines, [stored]);
    return "ended";
  } catch (thrown) {
    if (store.uploadJob(fileId) === null) return "ended";
    if (thrown === OVERTAKEN) {
      await dropUploadJobs(engines, [job], true);
      return "ended";
    }
    const error = toStorageError(thrown);
    const isPassing = signal.aborted || (error instanceof LecternError && PASSING.has(error.code));
    if (isPassing) {
      await store.noteUploadAttempts(job.id, job.attempts);
      const { retryAfter } = error as Partial<LecternError>;
      return { retryAfterMilliseconds: retryAfter === undefined ? null : retryAfter * 1000 };
    }
    if (!(error instanceof LecternError) || error.status >= 500) {
      log.error("A file could not be read in the background", { fileId, attempt: job.attempts + 1, cause: error });
      if (job.attempts + 1 < MOST_ATTEMPTS) return { retryAfterMilliseconds: null };
    }
    return failed(engines, job, error);
  }
}

async function index(
  engines: Engines,
  job: UploadJob,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { storage, access } = engines;
  const onIndexed = (): void => {
    if (isOvertaken(engines, job)) throw OVERTAKEN;
    access.settle(job.chargeId);
  };
  const staging = await storage.openStaging();
  try {
    const { customerId, datasetName: datasetId, language, chunkSize, chunkOverlap } = job;
    const ocrLanguages = job.ocrLanguages === null ? [] : (JSON.parse(job.ocrLanguages) as string[]);
    const extraMeta = job.extraMeta === null ? null : (JSON.parse(job.extraMeta) as Record<string, unknown>);
    const file: PlacedFile = {
      ...job,
      path: storage.resolve(job.storagePath),
      spoolPath: `${staging}/file`,
      declaredMimeType: job.mimeType,
      subtitles: subtitlesOf(engines, job),
    };
    await indexPlaced(
      engines,
      {
        customerId,
        datasetId,
        chunking: { chunkSize, chunkOverlap },
        expected: { language, ocrLanguages },
        extraMeta,
        files: [file],
      },
      { chargeId: job.chargeId, onProgress, onIndexed },
      signal,
    );
  } finally {
    await storage.discardStaging(staging);
  }
}

/** The file of subtitles that came with it; null where there is none, or none any more: it was deleted, or could not be read. */
function subtitlesOf({ store, storage }: Engines, { subtitlesFileId }: UploadJob): SubtitleFile | null {
  if (subtitlesFileId === null) return null;
  const waiting = store.uploadJob(subtitlesFileId);
  const file = waiting ?? store.fileById(subtitlesFileId);
  if (file === null || waiting?.errorCode != null) return null;
  return { path: storage.resolve(file.storagePath), originalName: file.originalName };
}

/** Notes why a file cannot be read, and gives its charge back where an upload's would be. Its bytes go. */
async function failed(engines: Engines, job: UploadJob, error: unknown): Promise<JobOutcome> {
  const { store, access } = engines;
  const { code, message } = error instanceof LecternError && error.status < 500 ? error : new LecternError("INTERNAL");
  await store.failUploadJob(job.id, { code, message });
  if (isUnreadable(code) || isOurFailure(error)) giveBack(access, job.customerId, job.chargeId);
  else access.settle(job.chargeId);
  await clearFailed(engines, [job.fileId]);
  const failures = store.uploadJobsOfCustomer(job.customerId).filter(({ errorCode }) => errorCode !== null);
  await discardUploadJobs(engines, failures.slice(MOST_FAILED));
  return "ended";
}
