/**
 * Writes a database anew, without a trace of what was ever deleted from it, and able to give space back from then on. Needed once
 * for databases of earlier versions of Lectern, which could not.
 */
import type { Database } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { fail } from "../foundation/errors.ts";
import {
  checkpointAndClose,
  DOCUMENTS_PAGE_BYTES,
  documentsDatabasePath,
  openWritable,
  truncateLog,
} from "./database.ts";
import { givesBackSpace } from "./erasure.ts";

/** A database up to this size is made anew at a start: that takes less than a second. */
const SMALL_BYTES = 64 * 1024 ** 2;
/** The new database lies in a temporary file, and then in the log, before it takes the place of the old one. */
const COPIES = 2;

/** Compacts a small database that cannot give space back, where the disk has room for it; leaves any other as it is. */
export function compactIfSmall(database: Database): void {
  if (givesBackSpace(database) || sizeOf(database) > SMALL_BYTES || !hasRoom(database)) return;
  compact(database);
}

/**
 * Compacts the documents' database. Only while no server works in the data directory. Returns its bytes before and after.
 * Throws OPERATION_FAILED where the disk lacks the room.
 */
export function compactDocuments(dataDirectory: string): { before: number; after: number } {
  const database = openWritable(documentsDatabasePath(dataDirectory), {
    synchronous: "FULL",
    pageSize: DOCUMENTS_PAGE_BYTES,
    checkpoints: true,
  });
  try {
    const before = sizeOf(database);
    if (!hasRoom(database))
      throw fail("OPERATION_FAILED", {
        reason: `Compacting needs ${COPIES * before} bytes of free space in ${dataDirectory}. Free some, and try again.`,
      });
    compact(database);
    return { before, after: sizeOf(database) };
  } finally {
    checkpointAndClose(database);
  }
}

function compact(database: Database): void {
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  // Not somewhere else: texts leave the data directory for no moment.
  database.run(`PRAGMA temp_store_directory = '${dirname(database.filename).replaceAll("'", "''")}'`);
  database.run("VACUUM");
  truncateLog(database);
}

function sizeOf(database: Database): number {
  const { page_count } = database.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
  const { page_size } = database.query<{ page_size: number }, []>("PRAGMA page_size").get()!;
  return page_count * page_size;
}

function hasRoom(database: Database): boolean {
  const { bavail, bsize } = statfsSync(dirname(database.filename));
  return bavail * bsize > COPIES * sizeOf(database);
}
