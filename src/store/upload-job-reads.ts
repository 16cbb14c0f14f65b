/** Lookups of the files that are still to be read, or could not be. */
import type { Database } from "bun:sqlite";
import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { uploadJobs } from "./schema.ts";
import type { FilePage, UploadJob } from "./types.ts";

export function prepareUploadJobReads(database: Database) {
  const db = drizzle(database);
  const { placeholder } = sql;
  const byFileId = db
    .select()
    .from(uploadJobs)
    .where(eq(uploadJobs.fileId, placeholder("fileId")))
    .prepare();
  const unread = db.select().from(uploadJobs).where(isNull(uploadJobs.errorCode)).orderBy(uploadJobs.id).prepare();
  const failedIds = database.prepare<unknown, []>("SELECT fileId FROM uploadJobs WHERE errorCode IS NOT NULL");
  const countFailed = database.prepare<{ failed: number }, []>(
    "SELECT count(*) AS failed FROM uploadJobs WHERE errorCode IS NOT NULL",
  );
  const ofCustomer = db
    .select()
    .from(uploadJobs)
    .where(eq(uploadJobs.customerId, placeholder("customerId")))
    .orderBy(desc(uploadJobs.id))
    .prepare();
  const ofDataset = db
    .select()
    .from(uploadJobs)
    .where(
      and(
        eq(uploadJobs.customerId, placeholder("customerId")),
        eq(uploadJobs.datasetName, placeholder("datasetName")),
        lt(uploadJobs.id, placeholder("before")),
      ),
    )
    .orderBy(desc(uploadJobs.id))
    .limit(placeholder("limit"))
    .prepare();

  return {
    uploadJob: (fileId: string): UploadJob | null => byFileId.get({ fileId }) ?? null,
    unreadUploadJobs: (): UploadJob[] => unread.all(),
    failedUploadJobIds: (): string[] => (failedIds.values() as [string][]).map(([fileId]) => fileId),
    countFailedUploadJobs: (): number => countFailed.get()!.failed,
    uploadJobsOfCustomer: (customerId: string): UploadJob[] =>
      ofCustomer.all({ customerId: customerId.toWellFormed() }),
    uploadJobsOfDataset(customerId: string, datasetName: string, { before, limit }: FilePage): UploadJob[] {
      return ofDataset.all({
        customerId: customerId.toWellFormed(),
        datasetName: datasetName.toWellFormed(),
        before: Math.min(before, Number.MAX_SAFE_INTEGER),
        limit: Math.min(limit, Number.MAX_SAFE_INTEGER),
      });
    },
  };
}
