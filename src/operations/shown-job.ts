/** A file that is still to be read, or could not be, as the interface shows it. */
import { extname } from "node:path";
import type { UploadJob } from "../store/index.ts";
import type { ShownFile } from "./file-object.ts";
import type { UploadJobs } from "./upload-jobs.ts";

/** It is done when the file is found, not when all of it has been recognised. */
const MOST_PROGRESS = 0.99;

export function shownJob(job: UploadJob, uploadJobs: Pick<UploadJobs, "progressOf">): ShownFile {
  const { errorCode, errorMessage } = job;
  return {
    ...job,
    // What a loader would find in the content is not known yet.
    loaderId: "",
    extension: extname(job.originalName).slice(1).toLowerCase(),
    properties: null,
    transcriptionText: null,
    transcriptionSrt: null,
    ...(errorCode === null
      ? { status: "processing", progress: Math.min(MOST_PROGRESS, uploadJobs.progressOf(job.fileId)) }
      : { status: "failed", error: { code: errorCode, message: errorMessage ?? "" } }),
  };
}
