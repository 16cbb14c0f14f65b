/** The numbers of files and chunks that each dataset's row keeps. */
import { eq, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/bun-sqlite";
import { datasets } from "./schema.ts";

/** Adds to the counts of a dataset. To be called in the transaction that changes its files. */
export type ChangeCounts = (datasetId: number, files: number, chunks: number) => void;

/** Prepares the statement once for a connection. */
export function prepareChangeCounts(db: ReturnType<typeof drizzle>): ChangeCounts {
  const { placeholder } = sql;
  const change = db
    .update(datasets)
    .set({
      fileCount: sql`${datasets.fileCount} + ${placeholder("files")}`,
      chunkCount: sql`${datasets.chunkCount} + ${placeholder("chunks")}`,
    })
    .where(eq(datasets.id, placeholder("datasetId")))
    .prepare();
  return (datasetId, files, chunks) => void change.run({ datasetId, files, chunks });
}
