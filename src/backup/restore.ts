/** Makes a data directory of a backup: all of it, checked, or nothing. */
import { closeSync, mkdirSync, openSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { accessMigrations } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { syncFileSystem } from "../native/sync-file-system.ts";
import { openExisting } from "../store/database.ts";
import { documentMigrations } from "../store/migrations.ts";
import { newer, partLength, type Entry, type Manifest } from "./manifest.ts";
import { openBackup } from "./open.ts";
import { withRoom } from "./no-room.ts";
import { partPath, writeAll } from "./parts.ts";
import { faultsOf } from "./quick-check.ts";
import { readArchives, readPart, refuseForeign, type ReadingOptions } from "./read-parts.ts";
import { openRestorePlace, requireNothingAt, type RestorePlace } from "./restore-place.ts";
import type { VerifyOptions } from "./verify.ts";

const DATABASES = ["lectern.db", "access.db"] as const;

/**
 * Restores into a folder that is not there yet or holds nothing; it gets its content when all of it was read, compared with
 * the manifest and written durably, and in one moment, or so that nothing takes it for a data directory before. Throws OPERATION_FAILED where the backup cannot be used or the folder may not be; nothing is left then.
 */
export async function restoreBackup(
  path: string,
  dataDirectory: string,
  { bases, begin, signal }: VerifyOptions,
): Promise<Manifest> {
  const target = resolve(dataDirectory);
  requireNothingAt(target);
  const backup = await openBackup(path);
  requireReadable(backup.manifest, path);
  requireOutside(dirname(target), backup.path);
  const place = openRestorePlace(target);
  try {
    // Now that it is there, links in its path are seen through.
    requireOutside(realpathSync(dirname(place.aside)), backup.path);
    return await withRoom(dirname(place.aside), () => fill(place));
  } finally {
    place.discard();
  }

  async function fill({ aside, settle }: RestorePlace): Promise<Manifest> {
    const total = [...backup.manifest.entries.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const isArchive = backup.kind === "archive";
    const advance = begin(isArchive ? 2 * total : total);
    const folder = isArchive ? join(aside, "backup") : backup.path;
    if (isArchive) await unpack(folder, advance);
    else refuseForeign(backup);
    const restored = join(aside, "data");
    await assemble(backup.manifest, folder, restored, { signal, advance });
    if (isArchive) rmSync(folder, { recursive: true });
    for (const name of DATABASES) checkDatabase(join(restored, name), path);
    syncFileSystem(restored);
    settle(restored);
    return backup.manifest;
  }

  async function unpack(into: string, advance: (bytes: number) => void): Promise<void> {
    for (let shelf = 0; shelf < 256; shelf++)
      mkdirSync(join(into, "parts", shelf.toString(16).padStart(2, "0")), { recursive: true, mode: 0o700 });
    let descriptor: number | null = null;
    const take = (sha256: string, piece: Buffer | null): void => {
      descriptor ??= openSync(partPath(into, sha256), "wx", 0o600);
      if (piece !== null) return writeAll(descriptor, piece);
      closeSync(descriptor);
      descriptor = null;
    };
    try {
      await readArchives(backup, bases, take, { signal, advance });
    } finally {
      if (descriptor !== null) closeSync(descriptor);
    }
  }
}

function requireOutside(folder: string, backup: string): void {
  if (`${folder}${sep}`.startsWith(`${backup}${sep}`))
    throw fail("OPERATION_FAILED", {
      reason: `${folder} lies in the backup ${backup}. Choose another folder with --data-dir.`,
    });
}

/** Throws OPERATION_FAILED for what this program could not work with. */
function requireReadable({ head, entries }: Manifest, path: string): void {
  if (head.schemas.documents > documentMigrations.at(-1)!.when || head.schemas.access > accessMigrations.at(-1)!.when)
    throw newer(path, head.lectern);
  const missing = DATABASES.find((name) => !entries.has(name));
  if (missing !== undefined)
    throw fail("OPERATION_FAILED", { reason: `${path} is no whole backup: ${missing} is not in it. Use another one.` });
}

async function assemble(
  { entries }: Manifest,
  backup: string,
  restored: string,
  options: ReadingOptions,
): Promise<void> {
  mkdirSync(restored, { mode: 0o700 });
  const made = new Set<string>();
  // Folder by folder: a file system makes many files in one sooner than each in another.
  const ordered = [...entries.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (const entry of ordered) {
    const place = join(restored, entry.path);
    if (!made.has(dirname(place))) mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    made.add(dirname(place));
    await writeEntry(entry, backup, place, options);
  }
}

async function writeEntry(entry: Entry, backup: string, place: string, options: ReadingOptions): Promise<void> {
  const descriptor = openSync(place, "wx", 0o600);
  try {
    for (const [index, sha256] of entry.parts.entries())
      await readPart(backup, sha256, partLength(entry, index), (piece) => writeAll(descriptor, piece), options);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws OPERATION_FAILED where SQLite finds a database broken: it was so when it was backed up. */
function checkDatabase(path: string, backup: string): void {
  const faults = faultsIn(path);
  if (faults !== null)
    throw fail("OPERATION_FAILED", {
      reason: `A database in ${backup} was damaged before it was backed up: ${faults}. Use an earlier backup.`,
    });
}

function faultsIn(path: string): string | null {
  try {
    using database = openExisting(path);
    return faultsOf(database);
  } catch (error) {
    // What is no database at all cannot even be opened.
    return (error as Error).message;
  }
}
