/** Changes to the files that are still to be read. Each function runs inside a transaction that its caller opens and commits. */
import type { Database } from "bun:sqlite";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { datasets, uploadJobs } from "./schema.ts";
import type { AddUploadJobsRequest, FailUploadJobRequest, WriteResult } from "./write-requests.ts";

const NOTHING: WriteResult = { datasetIds: [], fileRows: [] };

export function prepareUploadJobWrites(database: Database) {
  const db = drizzle(database);
  const removeJob = database.query("DELETE FROM uploadJobs WHERE id = ?");
  const removeShown = database.query(
    "DELETE FROM uploadJobs WHERE fileId = (SELECT fileId FROM files WHERE id = ? AND isPending = 0)",
  );
  const anyOf = database.query<{ one: number }, [string]>(
    "SELECT 1 AS one FROM uploadJobs WHERE customerId = ? LIMIT 1",
  );
  const rename = database.query("UPDATE files SET fileId = ? WHERE id = ?");

  return {
    /** Their dataset is known from now on, though it may be empty. */
    add({ jobs, modelId }: AddUploadJobsRequest): WriteResult {
      for (const job of jobs) {
        const { customerId, datasetName: name, created } = job;
        db.insert(datasets).values({ customerId, name, modelId, created }).onConflictDoNothing().run();
        db.insert(uploadJobs).values(job).run();
      }
      return NOTHING;
    },

    noteAttempts(jobId: number, attempts: number): WriteResult {
      db.update(uploadJobs).set({ attempts }).where(eq(uploadJobs.id, jobId)).run();
      return NOTHING;
    },

    fail({ jobId, errorCode, errorMessage }: FailUploadJobRequest): WriteResult {
      db.update(uploadJobs).set({ errorCode, errorMessage }).where(eq(uploadJobs.id, jobId)).run();
      return NOTHING;
    },

    remove(jobIds: readonly number[]): WriteResult {
      for (const jobId of jobIds) removeJob.run(jobId);
      return NOTHING;
    },

    /** To be called when files are shown. */
    removeShown(fileRows: readonly number[]): void {
      for (const fileRow of fileRows) removeShown.run(fileRow);
    },

    hasAny: (customerId: string): boolean => anyOf.get(customerId) !== null,

    /** What is deleted of a file that stays to be read must not be taken for the file: it goes under an id of its own. */
    renameFiles(fileRows: readonly number[]): void {
      for (const fileRow of fileRows) rename.run(Bun.randomUUIDv7(), fileRow);
    },
  };
}
