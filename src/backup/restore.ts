/** Makes a data directory of a backup: all of it, checked, or nothing. */
import { closeSync, mkdirSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { accessMigrations } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { syncFileSystem } from "../native/sync-file-system.ts";
import { documentMigrations } from "../store/migrations.ts";
import { bytesOf, newer, partLength, sizeOf, type Entry, type Files, type Manifest, type Pack } from "./manifest.ts";
import { openBackup } from "./open.ts";
import { withRoom } from "./no-room.ts";
import { makeShelves, partPath, writeAll } from "./parts.ts";
import { readArchives, readPart, refuseForeign, type ReadingOptions } from "./read-parts.ts";
import { openRestorePlace, requireNothingAt, type RestorePlace } from "./restore-place.ts";
import { SecondThread, type Faults } from "./second-thread.ts";
import type { VerifyOptions } from "./verify.ts";

const DATABASES = ["lectern.db", "access.db"] as const;
const isDatabase = (path: string): boolean => (DATABASES as readonly string[]).includes(path);

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
    const total = sizeOf(backup.manifest).bytes;
    const isArchive = backup.kind === "archive";
    const advance = begin(isArchive ? 2 * total : total);
    const folder = isArchive ? join(aside, "backup") : backup.path;
    if (isArchive) await unpack(folder, advance);
    else refuseForeign(backup);
    const restored = join(aside, "data");
    const broken = await assemble(backup.manifest, folder, restored, { signal, advance });
    if (broken !== null)
      throw fail("OPERATION_FAILED", {
        reason: `A database in ${path} was damaged before it was backed up: ${broken.faults}. Use an earlier backup.`,
      });
    if (isArchive) rmSync(folder, { recursive: true });
    syncFileSystem(restored);
    settle(restored);
    return backup.manifest;
  }

  async function unpack(into: string, advance: (bytes: number) => void): Promise<void> {
    makeShelves(into);
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

/** Writes all files. Returns what SQLite finds broken, if it does. */
async function assemble(
  { entries, packs }: Files,
  backup: string,
  restored: string,
  options: ReadingOptions,
): Promise<Faults | null> {
  mkdirSync(restored, { mode: 0o700 });
  const made = new Set<string>();
  const placeOf = (path: string): string => {
    const place = join(restored, path);
    const folder = dirname(place);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    made.add(folder);
    return place;
  };
  const write = (entry: Entry): Promise<void> => writeEntry(entry, backup, placeOf(entry.path), options);
  for (const name of DATABASES) await write(entries.get(name)!);
  await using thread = new SecondThread();
  const broken = thread.firstBroken(DATABASES.map((name) => join(restored, name)));
  // Nobody asks where something fails before.
  broken.catch(() => {});
  // Folder by folder: a file system makes many files in one sooner than each in another.
  const others = [...entries.values()].filter(({ path }) => !isDatabase(path));
  for (const entry of others.toSorted((one, other) => (one.path < other.path ? -1 : 1))) await write(entry);
  for (const pack of packs) await unpackFiles(pack, backup, placeOf, options);
  return await broken;
}

async function unpackFiles(
  { pack, files }: Pack,
  backup: string,
  placeOf: (path: string) => string,
  options: ReadingOptions,
): Promise<void> {
  const pieces: Buffer[] = [];
  await readPart(backup, pack, bytesOf(files), (piece) => pieces.push(piece), options);
  const content = Buffer.concat(pieces);
  let position = 0;
  for (const { path, bytes } of files)
    writeFileSync(placeOf(path), content.subarray(position, (position += bytes)), { flag: "wx", mode: 0o600 });
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
