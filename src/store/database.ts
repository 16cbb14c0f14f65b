/**
 * Opens SQLite files the way Lectern wants them: private to their owner, in write-ahead mode, patient with other
 * processes. Used for every database of the data directory.
 */
import type { Database } from "bun:sqlite";
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { connect } from "./connect.ts";
import { isDiskFull } from "./reserve-file.ts";

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY_MILLISECONDS = 5_000;
/** While a checkpoint waits for a reader, writers may have to wait for it: never long. The next round tries again. */
export const PATIENCE_MILLISECONDS = 20;
/** A write-ahead log that once grew beyond this is cut back when it starts anew. */
const LOG_BYTES = 64 * 1024 * 1024;
/** A log of so many pages makes reading slow and is not left to wait for a pause of the writers. */
const LONG_LOG_PAGES = 32_768;
/** Ten vectors of 1536 dimensions fill such a page to 95 %. */
export const DOCUMENTS_PAGE_BYTES = 16_384;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

export interface WritableOptions {
  /** FULL: a commit is on disk when it returns. NORMAL: it survives a crash of the process, and power loss up to the last checkpoint. */
  synchronous: "FULL" | "NORMAL";
  /** Bytes; only a new file takes it. */
  pageSize: number;
  /** False when some other connection checkpoints this database. */
  checkpoints: boolean;
}

export function documentsDatabasePath(dataDirectory: string): string {
  return join(dataDirectory, "lectern.db");
}

/** Opens for writing, making the file (0600) and its folder (0700) when they are not there. */
export function openWritable(path: string, options: WritableOptions): Database {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  // SQLite gives the log and the shared memory beside a database the mode of the database itself.
  closeSync(openSync(path, "a", PRIVATE_FILE));
  chmodSync(path, PRIVATE_FILE);
  const database = connect(path);
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}`);
    database.run(`PRAGMA page_size = ${options.pageSize}`);
    // Only a new file takes this one too.
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    // What is deleted is overwritten, not just forgotten.
    database.run("PRAGMA secure_delete = ON");
    enterWriteAheadMode(database);
    database.run(`PRAGMA synchronous = ${options.synchronous}`);
    database.run(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    if (!options.checkpoints) database.run("PRAGMA wal_autocheckpoint = 0");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens an existing database, waiting so long for other connections' locks. */
export function openExisting(path: string, busyMilliseconds: number = BUSY_MILLISECONDS): Database {
  const database = connect(path);
  database.run(`PRAGMA busy_timeout = ${busyMilliseconds}`);
  database.run("PRAGMA wal_autocheckpoint = 0");
  return database;
}

/** Opens an existing database for reading only. It sees every commit of other connections from its next statement on. */
export function openReading(path: string): Database {
  // Not SQLite's read-only mode: that cannot open a write-ahead database whose shared memory is not there yet.
  const database = openExisting(path);
  database.run("PRAGMA query_only = ON");
  return database;
}

/**
 * Moves the write-ahead log into the database, without holding up writers as a rule. Writers that never pause keep the
 * log growing, though; once it is long, they wait (milliseconds: only the last few pages are left to move) for it to start anew.
 */
export function checkpoint(database: Database): void {
  const passive = database.query<{ log: number }, []>("PRAGMA wal_checkpoint(PASSIVE)").get();
  if (passive && passive.log > LONG_LOG_PAGES) database.run("PRAGMA wal_checkpoint(RESTART)");
}

/**
 * Empties the write-ahead log into the database and takes its bytes off the disk, unless a reader or writer is in the way for longer
 * than a moment. Returns whether it did.
 */
export function truncateLog(database: Database): boolean {
  database.run(`PRAGMA busy_timeout = ${PATIENCE_MILLISECONDS}`);
  try {
    return database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } finally {
    database.run(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}`);
  }
}

/**
 * Empties the write-ahead log into the database and closes it. SQLite itself does so only when the last connection
 * closes. Where the disk is full the log stays, and loses nothing.
 */
export function checkpointAndClose(database: Database): void {
  try {
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
  database.close();
}

/** The first change to write-ahead mode needs the file alone and, unlike other statements, does not wait for it. */
function enterWriteAheadMode(database: Database): void {
  const deadline = performance.now() + BUSY_MILLISECONDS;
  for (;;) {
    try {
      database.run("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Bun.sleepSync(5);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
