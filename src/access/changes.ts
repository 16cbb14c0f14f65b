/**
 * How many changes the operator has made (of customers, keys and credits): a running number in `access.db` and, beside it, in the file
 * `access.changes`. An `access.db` that knows of fewer than are noted is not the last one: it was put back, or lost its log.
 *
 * The note is written after a change is durable, so it is never ahead of the right database, whatever process ends when. Where it is
 * behind, damaged or not there, the next who opens the database writes it anew.
 */
import { createHash } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Database } from "bun:sqlite";
import { sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { fail } from "../foundation/errors.ts";
import { withReserve } from "../store/reserve-file.ts";
import { operatorChanges } from "./schema.ts";

const DIGITS = 16;
const NOTE = new RegExp(`^(\\d{${DIGITS}}) ([0-9a-f]{16})\n$`);

export interface OperatorChanges {
  /** Counts one more; within the transaction that makes it. */
  add(): void;
  /** Writes the database's number beside it, and returns once that is on disk. */
  note(): void;
  /**
   * At the opening: sees to it that the note is right, and returns how many changes fewer the database knows of than `noted` (see
   * `readChangeNote`). Throws OPERATION_FAILED where that is any, unless `acceptLoss`.
   */
  compare(noted: number | null, acceptLoss: boolean): number;
}

export function prepareOperatorChanges(dataDirectory: string, db: BunSQLiteDatabase): OperatorChanges {
  const path = changeNotePath(dataDirectory);
  const increment = db
    .update(operatorChanges)
    .set({ count: sql`${operatorChanges.count} + 1` })
    .prepare();
  const select = db.select().from(operatorChanges).prepare();
  const count = (): number => select.get()?.count ?? 0;

  function note(): void {
    // Another process may write its higher number between this one's look and its write. Who looks once more and writes again leaves
    // the highest, without any lock: whoever writes last has seen all that was changed before.
    for (let noted = -1; noted !== count(); ) {
      noted = count();
      withReserve(dataDirectory, () => writeNote(path, noted));
    }
  }

  return {
    add: () => void increment.run(),
    note,
    compare(noted, acceptLoss) {
      const known = count();
      const missing = Math.max(0, (noted ?? 0) - known);
      if (missing > 0 && !acceptLoss) throw older(dataDirectory, missing);
      // What is no note may be a link to some other file.
      if (noted === null) rmSync(path, { force: true });
      if (noted !== known) note();
      return missing;
    },
  };
}

export function changeNotePath(dataDirectory: string): string {
  return join(dataDirectory, "access.changes");
}

/** The noted number; null where none can be read. To be compared with what a database says *later*: earlier, it may be behind. */
export function readChangeNote(dataDirectory: string): number | null {
  let text: string;
  try {
    text = readFileSync(changeNotePath(dataDirectory), "latin1");
  } catch {
    return null;
  }
  const [, digits, checksum] = NOTE.exec(text) ?? [];
  return digits !== undefined && checksum === checksumOf(digits) ? Number(digits) : null;
}

/** How many changes a database knows of; 0 where an earlier Lectern used it last, which counted none. */
export function changesIn(database: Database): number {
  const isCounted = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'operatorChanges'").get() !== null;
  return isCounted ? (database.query<{ count: number }, []>("SELECT count FROM operatorChanges").get()?.count ?? 0) : 0;
}

/** Before `access.db` at `path` is made: throws OPERATION_FAILED where it is missing, or empty, and changes are noted. */
export function refuseLost(path: string, noted: number | null): void {
  if (noted !== null && noted > 0 && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw older(dirname(path), noted);
}

/** A sentence on a database that knows of so many changes fewer than are noted. */
export function describeOlder(dataDirectory: string, missing: number): string {
  const changes = missing === 1 ? "the last change" : `the last ${missing} changes`;
  return `${join(dataDirectory, "access.db")} is not the last one: it lacks ${changes} of customers, keys and credits that ${changeNotePath(dataDirectory)} counts.`;
}

export const OLDER_MEND =
  "Put back the last one, with its -wal. If there is none: `lectern serve --accept-loss` goes on with this one; customers and keys made since are unknown then, and those removed or revoked since are valid again.";

function older(dataDirectory: string, missing: number): Error {
  return fail("OPERATION_FAILED", { reason: `${describeOlder(dataDirectory, missing)} ${OLDER_MEND}` });
}

/** In place, in one write of always as many bytes: no process ever reads half of it, and none that is killed leaves a draft behind. */
function writeNote(path: string, changes: number): void {
  const digits = String(changes).padStart(DIGITS, "0");
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    writeSync(descriptor, `${digits} ${checksumOf(digits)}\n`, 0);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const checksumOf = (digits: string): string => createHash("sha256").update(digits).digest("hex").slice(0, 16);
