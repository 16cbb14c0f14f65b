/**
 * Writes a database anew, without a trace of what was ever deleted from it, able to give space back from then on, and with vectors as
 * they are stored today. Needed once for databases of earlier versions of Lectern, which stored larger ones and could not give space back.
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
import { encodeAnew, IS_EARLIER_FORM } from "./stored-vector.ts";

/** A database up to this size is made anew at a start: that takes less than a second. */
const SMALL_BYTES = 64 * 1024 ** 2;
/** Vectors that are encoded anew in one transaction: interrupted, it goes on behind the last. */
const VECTORS_AT_A_TIME = 4096;
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
    encodeVectorsAnew(database);
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

/** Brings vectors that an earlier version stored to the present form. */
function encodeVectorsAnew(database: Database): void {
  const earlier = database.query<{ chunkId: number; vector: Uint8Array }, [number, number]>(
    `SELECT chunkId, vector FROM vectors WHERE chunkId > ? AND ${IS_EARLIER_FORM} ORDER BY chunkId LIMIT ?`,
  );
  const replace = database.query("UPDATE vectors SET vector = ? WHERE chunkId = ?");
  const replaceAll = database.transaction((rows: readonly { chunkId: number; vector: Uint8Array }[]) => {
    for (const { chunkId, vector } of rows) replace.run(encodeAnew(vector), chunkId);
  });
  for (let after = 0; ; ) {
    const rows = earlier.all(after, VECTORS_AT_A_TIME);
    const last = rows.at(-1);
    if (!last) return;
    replaceAll(rows);
    after = last.chunkId;
  }
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
