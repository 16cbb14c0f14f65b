/**
 * A file of real bytes in the data directory that is given up when the disk is full, so that what must always work has room:
 * taking a price, counting a request, deleting. Any thread and any process of the data directory may give it up.
 */
import { rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";

const FULL: ReadonlySet<unknown> = new Set(["SQLITE_FULL", "ENOSPC", "EDQUOT"]);

export function reserveFilePath(dataDirectory: string): string {
  return join(dataDirectory, "reserve");
}

/** More than a start writes before it can serve, bytes. */
const START_BYTES = 2 * 1024 * 1024;

/**
 * Before anything is opened: gives the reserve up where a start would fail for want of room. Throws OPERATION_FAILED when there is
 * too little even so.
 */
export function makeRoomToStart(dataDirectory: string): void {
  if (freeBytes(dataDirectory) >= START_BYTES) return;
  giveUpReserve(dataDirectory);
  const free = freeBytes(dataDirectory);
  if (free >= START_BYTES) return;
  throw fail("OPERATION_FAILED", {
    reason: `The disk of ${dataDirectory} is full: ${free} bytes are free, and a start needs ${START_BYTES}. Make room on it, then start again.`,
  });
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Gives the room back to the file system; nothing happens where the file is gone already. */
export function giveUpReserve(dataDirectory: string): void {
  rmSync(reserveFilePath(dataDirectory), { force: true });
}

/** An error of SQLite or the system as INSUFFICIENT_STORAGE where a full disk is its cause; every other one as it is. */
export function toStorageError(error: unknown): unknown {
  return isDiskFull(error) ? fail("INSUFFICIENT_STORAGE", {}, undefined, error) : error;
}

/**
 * Does a small write, and once more with the reserve given up when the disk is full. What fails must leave nothing behind, as a
 * transaction does. Throws what the work throws, INSUFFICIENT_STORAGE where even the reserve is used up.
 */
export function withReserve<Result>(dataDirectory: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
  giveUpReserve(dataDirectory);
  try {
    return work();
  } catch (error) {
    throw toStorageError(error);
  }
}

/** The same for work that takes its time. */
export async function withReserveAsync<Result>(dataDirectory: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
  giveUpReserve(dataDirectory);
  return work().catch((error: unknown) => {
    throw toStorageError(error);
  });
}

/** Whether SQLite or the system had no room for what was to be written. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && FULL.has(error.code);
}
