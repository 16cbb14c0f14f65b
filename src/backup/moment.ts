/**
 * One moment of a data directory in which others write: both databases as they are between two commits, of which neither may come while
 * the moment is taken. Writers wait for that, milliseconds; then they go on, and the moment stays as long as it is held.
 *
 * The files that this process opens beside SQLite's connections are closed after those: closing any of them would take the connections'
 * locks away (fcntl(2), "Record locking").
 */
import { SQLiteError, type Database } from "bun:sqlite";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { accessDatabasePath, changeNotePath } from "../access/index.ts";
import { documentsDatabasePath, openExisting, openReading } from "../store/database.ts";
import { DatabaseImage } from "./database-image.ts";
import { ifThere } from "./if-there.ts";
import { KnownFiles, type KnownFile, type LastRows } from "./known-files.ts";
import { framesUpTo } from "./wal-frames.ts";
import { readWalMark, type WalMark } from "./wal-index.ts";

/** For one transaction of a busy server: less than its own patience, since what is locked first is held while the second is waited for. */
const LOCK_MILLISECONDS = 2_000;
/** Opened while everybody waits. */
export const MOST_OPENED = 400;

export interface Snapshot {
  /** Reads the database as it was. */
  readonly database: Database;
  image(): DatabaseImage;
}

export interface Moment extends Disposable {
  readonly documents: Snapshot;
  readonly access: Snapshot;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** How long others waited, milliseconds. */
  readonly held: number;
  /** Files by path relative to the data directory, open since the moment: those behind the rows that were given. */
  readonly opened: ReadonlyMap<string, number>;
  /** The list of deletions: its descriptor and how long it was; null where there is none. */
  readonly deletions: { readonly descriptor: number; readonly bytes: number } | null;
  /** The note of operators' changes; null where there is none. */
  readonly changes: Buffer | null;
}

/**
 * Takes the moment; null where it is not one for it: more than `MOST_OPENED` files have come behind `copied`, or somebody has held a
 * database for too long. Throws what SQLite and the system throw.
 */
export function takeMoment(dataDirectory: string, copied: LastRows): Moment | null {
  const descriptors: number[] = [];
  const connections: Database[] = [];
  const release = (): void => {
    for (const connection of connections.splice(0)) connection.close();
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
  };
  const open = (path: string): number => {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    descriptors.push(descriptor);
    return descriptor;
  };
  const openIfThere = (path: string): number | null => ifThere(() => open(path));
  try {
    const paths = [documentsDatabasePath(dataDirectory), accessDatabasePath(dataDirectory)] as const;
    const lockers = paths.map((path) => openExisting(path, LOCK_MILLISECONDS));
    connections.push(...lockers);
    const readers = paths.map((path) => openReading(path));
    connections.push(...readers);
    const known = new KnownFiles(readers[0]!);
    const databases = paths.map((path, index) => prepare(path, readers[index]!, open));

    const opened = new Map<string, number>();
    const begun = performance.now();
    // Last of all and released first: a server waits for this one with all that it does.
    for (const locker of lockers) locker.run("BEGIN IMMEDIATE");
    const snapshots = databases.map((begin) => begin());
    const time = Date.now();
    const newFiles = known.list(copied);
    if (newFiles.length <= MOST_OPENED) openFiles(dataDirectory, newFiles, opened, openIfThere);
    const deletions = openIfThere(join(dataDirectory, "files/deletions"));
    const deletionBytes = deletions === null ? 0 : fstatSync(deletions).size;
    const changes = ifThere(() => readFileSync(changeNotePath(dataDirectory)));
    for (const locker of lockers.toReversed()) locker.run("ROLLBACK");
    const held = performance.now() - begun;

    if (newFiles.length > MOST_OPENED) {
      release();
      return null;
    }
    return {
      documents: snapshots[0]!,
      access: snapshots[1]!,
      time,
      held,
      opened,
      deletions: deletions === null ? null : { descriptor: deletions, bytes: deletionBytes },
      changes,
      [Symbol.dispose]: release,
    };
  } catch (error) {
    release();
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
}

/** Opens what is needed before anybody has to wait; what it returns begins the snapshot while nobody may write. */
function prepare(path: string, reader: Database, open: (path: string) => number): () => Snapshot {
  const file = open(path);
  // Makes the log and the shared memory, where no process has them.
  reader.query("SELECT count(*) FROM sqlite_schema").get();
  const log = open(`${path}-wal`);
  const sharedMemory = open(`${path}-shm`);
  return () => {
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM sqlite_schema").get();
    const mark = readWalMark(sharedMemory);
    return { database: reader, image: () => imageOf(reader, file, log, mark) };
  };
}

function imageOf(reader: Database, file: number, log: number, mark: WalMark): DatabaseImage {
  const pageBytes = reader.query<{ page_size: number }, []>("PRAGMA page_size").get()!.page_size;
  const pages = reader.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
  // Where all of the log is in the file, the transaction reads the file alone, and the log may begin anew.
  const frames = mark.moved >= mark.frames ? new Map<number, number>() : framesUpTo(log, mark, pageBytes);
  return new DatabaseImage({ file, log, frames, pageBytes, pages });
}

function openFiles(
  dataDirectory: string,
  files: readonly KnownFile[],
  opened: Map<string, number>,
  openIfThere: (path: string) => number | null,
): void {
  for (const { storagePath } of files) {
    const path = join(dataDirectory, storagePath);
    // Committed and not confirmed yet; or confirmed between the two looks.
    const descriptor = openIfThere(path) ?? openIfThere(`${path}.new`) ?? openIfThere(path);
    if (descriptor !== null) opened.set(storagePath, descriptor);
    const record = openIfThere(`${path}.json`);
    if (record !== null) opened.set(`${storagePath}.json`, record);
  }
}
