/** From where and whereto a backup may be made. */
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { accessDatabasePath } from "../access/index.ts";
import { refuseMisplaced } from "../data-directory/places.ts";
import { fail } from "../foundation/errors.ts";
import { documentsDatabasePath } from "../store/database.ts";
import { openBackup, type OpenedBackup } from "./open.ts";

/** Throws OPERATION_FAILED where there is nothing to back up. */
export function requireDataDirectory(dataDirectory: string): void {
  const missing = [documentsDatabasePath(dataDirectory), accessDatabasePath(dataDirectory)].find(
    (path) => !existsSync(path),
  );
  if (missing !== undefined)
    throw fail("OPERATION_FAILED", {
      reason: `There is nothing to back up: ${missing} is not there. Name the data directory with --data-dir.`,
    });
  refuseMisplaced(dataDirectory);
}

/** Throws OPERATION_FAILED where no backup can be put. */
export function requirePlace(target: string, dataDirectory: string): void {
  requireFree(target);
  const parent = dirname(target);
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory())
    throw fail("OPERATION_FAILED", { reason: `${parent} is no folder in which a backup could be put. Make it first.` });
  if (`${realpathSync(parent)}${sep}`.startsWith(`${realpathSync(dataDirectory)}${sep}`))
    throw fail("OPERATION_FAILED", {
      reason: `${target} lies in the data directory that is to be backed up. Choose a place outside, best on another disk.`,
    });
}

/** Throws OPERATION_FAILED where something is. */
export function requireFree(target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined)
    throw fail("OPERATION_FAILED", { reason: `${target} is there already. Choose a name that is not there yet.` });
}

/** Opens what a backup is made since. Throws OPERATION_FAILED where that is no whole backup, or one of the other kind. */
export async function openEarlier(path: string, isArchive: boolean): Promise<OpenedBackup> {
  const earlier = await openBackup(path);
  if ((earlier.kind === "archive") !== isArchive)
    throw fail("OPERATION_FAILED", {
      reason: `${path} is ${isArchive ? "a folder and the new backup a file" : "a file and the new backup a folder"}: --since takes an earlier backup of the same kind.`,
    });
  return earlier;
}
