/**
 * Makes a backup of a data directory, whether a server works in it or not.
 *
 * Most stored files are copied before the backup's moment, and those that came meanwhile are held open at it; what was deleted before it is
 * taken out again. The databases are read behind the moment, while writers go on, as they were at it.
 */
import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { accessDatabasePath, accessMigrations } from "../access/index.ts";
import { readServerAddress } from "../data-directory/lock.ts";
import { refuseMisplaced } from "../data-directory/places.ts";
import { readDeletions, surveyFiles } from "../files/index.ts";
import { fail } from "../foundation/errors.ts";
import { letOthersIn } from "../foundation/let-others-in.ts";
import { syncFileSystem } from "../native/sync-file-system.ts";
import { documentsDatabasePath, openReading } from "../store/database.ts";
import { documentMigrations } from "../store/migrations.ts";
import { MANIFEST } from "./archive-format.ts";
import { writeArchive } from "./archive.ts";
import { otherContents } from "./contents.ts";
import { putDatabase } from "./database-parts.ts";
import { countAll, KnownFiles, type KnownFile, type LastRows } from "./known-files.ts";
import { FORMAT, FORMAT_VERSION, writeManifest, type Counts, type Entry, type Head } from "./manifest.ts";
import { ifThere, MOST_OPENED, takeMoment, type Moment, type Snapshot } from "./moment.ts";
import { ARCHIVE_ENDING, openBackup, type OpenedBackup } from "./open.ts";
import { withRoom } from "./no-room.ts";
import { openPartial } from "./partial.ts";
import { linkedParts, PartWriter, readingOf, referredParts } from "./parts.ts";
import { schemaOf } from "./schema-version.ts";

/** Uploads that outrun the copying for so many rounds will go on to. */
const MOST_ROUNDS = 20;
/** What is deleted whole is cleared up within a minute or two; beyond, the backup says that it is not. */
const CLEARING_MILLISECONDS = 120_000;
const CLEARING_LOOK_MILLISECONDS = 250;
/** A file that was written so shortly before the earlier backup may have been written again unnoticed. */
const SETTLED_MILLISECONDS = 2_000;
const FILES_BETWEEN_PAUSES = 64;

export interface BackupRequest {
  readonly dataDirectory: string;
  /** A folder, or a file whose name ends as `ARCHIVE_ENDING` says; not there yet. */
  readonly target: string;
  /** An earlier backup of the same kind, whose content is not stored again. */
  readonly since: string | null;
  readonly withModels: boolean;
  /** This program's. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** Told about how many bytes there are; resolves to what counts them. */
  readonly begin: (bytes: number) => (bytes: number) => void;
}

export interface BackupSummary {
  readonly path: string;
  readonly id: string;
  /** The moment it holds, ISO 8601. */
  readonly created: string;
  readonly counts: Counts;
  readonly files: number;
  /** Of everything that would be restored. */
  readonly bytes: number;
  /** Of what was not in the earlier backup. */
  readonly newBytes: number;
  /** How long writers waited, milliseconds. */
  readonly heldMilliseconds: number;
  /** Paths of stored files that are not what was uploaded; they are in the backup as they are. */
  readonly damaged: readonly string[];
  /** Paths of stored files that the database knows and that are not there. */
  readonly missing: readonly string[];
  /** What was left out since it is neither a file nor a folder. */
  readonly strange: readonly string[];
  readonly modelsLeftOut: readonly string[];
  /** Files deleted before the moment whose rows a server had not cleared up yet. */
  readonly uncleared: number;
}

/** Resolves when the backup has its name and would survive a power loss. Throws OPERATION_FAILED; nothing of it is left then. */
export async function createBackup(request: BackupRequest): Promise<BackupSummary> {
  const target = resolve(request.target);
  const isArchive = target.endsWith(ARCHIVE_ENDING);
  requireDataDirectory(request.dataDirectory);
  requirePlace(target, request.dataDirectory);
  const earlier = request.since === null ? null : await openEarlier(request.since, isArchive);
  const partial = openPartial(target);
  try {
    const copying = new Copying(request, target, isArchive, earlier, partial.path);
    return await withRoom(dirname(target), () => copying.run());
  } finally {
    partial.discard();
  }
}

class Copying {
  private readonly writer: PartWriter;
  private readonly entries = new Map<string, Entry>();
  private readonly damaged: string[] = [];
  private advance: (bytes: number) => void = () => {};
  private worked = 0;

  constructor(
    private readonly request: BackupRequest,
    private readonly target: string,
    private readonly isArchive: boolean,
    private readonly earlier: OpenedBackup | null,
    /** Where the backup grows. */
    private readonly folder: string,
  ) {
    const parts = earlier && (isArchive ? referredParts(earlier.manifest.parts) : linkedParts(earlier.path));
    this.writer = new PartWriter(this.folder, parts);
  }

  async run(): Promise<BackupSummary> {
    const { dataDirectory, withModels } = this.request;
    const others = otherContents(dataDirectory, withModels);
    const copied = await this.copyBeforehand(others.files);
    const uncleared = await this.awaitClearing();
    using moment = await this.momentBehind(copied);
    const files = await this.settleFiles(moment, others.files);
    const seeds = this.earlier?.manifest.head.seeds ?? [newSeed(), newSeed()];
    const [documents, access] = [moment.documents, moment.access];
    const databases = [
      await this.copyDatabase(documents, "lectern.db", seeds),
      await this.copyDatabase(access, "access.db", seeds),
    ];
    const entries = [...databases, ...files.entries];
    const counts = countAll(documents.database, access.database);
    const head: Head = {
      format: FORMAT,
      version: FORMAT_VERSION,
      id: randomUUID(),
      lectern: this.request.version,
      created: new Date(moment.time).toISOString(),
      schemas: {
        documents: schemaOf(documents.database, documentMigrations),
        access: schemaOf(access.database, accessMigrations),
      },
      counts,
      modelsLeftOut: others.modelsLeftOut,
      seeds,
      base: this.isArchive && this.earlier ? baseOf(this.earlier) : null,
    };
    moment[Symbol.dispose]();
    await this.publish(head, entries);
    return {
      path: this.target,
      id: head.id,
      created: head.created,
      counts,
      files: entries.length,
      bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
      newBytes: this.writer.written,
      heldMilliseconds: moment.held,
      damaged: this.damaged.filter((path) => files.paths.has(path)),
      missing: files.missing,
      strange: others.strange,
      modelsLeftOut: others.modelsLeftOut,
      uncleared,
    };
  }

  /** Copies what is there. Returns behind which rows there may be more. */
  private async copyBeforehand(others: readonly string[]): Promise<LastRows> {
    const { dataDirectory } = this.request;
    using database = openReading(documentsDatabasePath(dataDirectory));
    const known = new KnownFiles(database);
    this.advance = this.request.begin(this.estimate(known.list(), others));
    for (const path of others) await this.copyPath(path);
    for (const path of await this.unknownFiles(known.list())) await this.copyPath(path);
    return await this.copyKnownFiles(known);
  }

  /** Copies stored files, again until hardly anything is new. */
  private async copyKnownFiles(known: KnownFiles): Promise<LastRows> {
    for (let round = 0; ; round++) {
      const last = known.lastRows();
      const fresh = known.list().filter(({ storagePath }) => !this.entries.has(storagePath));
      for (const file of fresh) await this.copyKnown(file);
      if (fresh.length < MOST_OPENED / 4 || round === MOST_ROUNDS) return last;
    }
  }

  /** About how many bytes there are to read. */
  private estimate(known: readonly KnownFile[], others: readonly string[]): number {
    const { dataDirectory } = this.request;
    const paths = ["lectern.db", "access.db", ...others, ...known.map(({ storagePath }) => storagePath)];
    const bytes = paths.reduce(
      (sum, path) => sum + (statSync(join(dataDirectory, path), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
    return this.isArchive ? 2 * bytes : bytes;
  }

  /** Stored files that the database has lost, which a later `doctor --adopt` finds; with their records. */
  private async unknownFiles(known: readonly KnownFile[]): Promise<string[]> {
    const { dataDirectory } = this.request;
    const ids = new Set(known.map(({ fileId }) => fileId));
    const [{ stored, recorded }, deleted] = await Promise.all([
      surveyFiles(dataDirectory),
      readDeletions(dataDirectory),
    ]);
    const paths: string[] = [];
    for (const fileId of stored) {
      if (ids.has(fileId) || deleted.has(fileId)) continue;
      const path = `files/${fileId.slice(-2)}/${fileId}`;
      paths.push(path, ...(recorded.has(fileId) ? [`${path}.json`] : []));
    }
    return paths;
  }

  private async copyKnown({ storagePath, sha256 }: KnownFile): Promise<void> {
    // Committed and not confirmed yet; or confirmed between the two looks.
    for (const from of [storagePath, `${storagePath}.new`, storagePath])
      if (await this.copyPath(storagePath, sha256, from)) break;
    await this.copyPath(`${storagePath}.json`);
  }

  /** Copies a file, from where it lies; false where nothing is there. `sha256`: what its bytes should have. */
  private async copyPath(path: string, sha256: string | null = null, from = path): Promise<boolean> {
    const place = join(this.request.dataDirectory, from);
    if (this.takeUnchanged(path, statSync(place, { throwIfNoEntry: false }), sha256)) return true;
    // Links stand for models alone, and were looked at when these were listed.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | (path.startsWith("files/") ? constants.O_NOFOLLOW : 0);
    const descriptor = ifThere(() => openSync(place, flags));
    if (descriptor === null) return false;
    try {
      await this.copyOpen(path, descriptor, sha256);
      return true;
    } finally {
      closeSync(descriptor);
    }
  }

  private async copyOpen(path: string, descriptor: number, sha256: string | null): Promise<void> {
    const modified = Math.trunc(fstatSync(descriptor).mtimeMs);
    const read = await this.writer.putAll(readingOf(descriptor), this.advance);
    const parts = read.bytes === 0 ? [] : [read.sha256];
    this.entries.set(path, { path, bytes: read.bytes, modified, partBytes: Math.max(1, read.bytes), parts });
    if (sha256 !== null && parts[0] !== sha256) this.damaged.push(path);
    if (++this.worked % FILES_BETWEEN_PAUSES === 0) await letOthersIn();
    this.request.signal.throwIfAborted();
  }

  /** Takes a file as the earlier backup has it, where it has not been touched since, and is what was uploaded. */
  private takeUnchanged(path: string, found: Stats | undefined, sha256: string | null): boolean {
    const before = this.earlier?.manifest.entries.get(path);
    if (before === undefined || found === undefined) return false;
    const modified = Math.trunc(found.mtimeMs);
    const isSettled = modified < Date.parse(this.earlier!.manifest.head.created) - SETTLED_MILLISECONDS;
    if (!isSettled || before.modified !== modified || before.bytes !== found.size || !found.isFile()) return false;
    if (sha256 !== null && before.parts[0] !== sha256) return false;
    if (!before.parts.every((part) => this.writer.has(part, found.size))) return false;
    this.entries.set(path, before);
    this.advance(found.size);
    return true;
  }

  /**
   * What was deleted stands in the database until the server has cleared it up. Returns how much of what had been deleted when this began
   * has not been.
   */
  private async awaitClearing(): Promise<number> {
    const { dataDirectory, signal } = this.request;
    using database = openReading(documentsDatabasePath(dataDirectory));
    const known = new KnownFiles(database);
    const deleted = new Set(known.unclearedRows());
    const deadline = performance.now() + CLEARING_MILLISECONDS;
    for (;;) {
      const left = known.unclearedRows().filter((row) => deleted.has(row)).length;
      if (left === 0 || performance.now() > deadline || readServerAddress(dataDirectory) === null) return left;
      await Bun.sleep(CLEARING_LOOK_MILLISECONDS);
      signal.throwIfAborted();
    }
  }

  private async momentBehind(copied: LastRows): Promise<Moment> {
    let last = copied;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const moment = takeMoment(this.request.dataDirectory, last);
      if (moment !== null) return moment;
      using database = openReading(documentsDatabasePath(this.request.dataDirectory));
      last = await this.copyKnownFiles(new KnownFiles(database));
    }
    throw fail("OPERATION_FAILED", {
      reason: `Documents come faster than ${dirname(this.target)} takes them. Make the backup when less is uploaded, or onto a faster disk.`,
    });
  }

  /** What of the stored files the moment holds, and not what was deleted before; copies those that came last. */
  private async settleFiles(
    moment: Moment,
    others: readonly string[],
  ): Promise<{ entries: Entry[]; paths: ReadonlySet<string>; missing: string[] }> {
    const known = new KnownFiles(moment.documents.database).list();
    const sums = new Map(known.map(({ storagePath, sha256 }) => [storagePath, sha256]));
    for (const [path, descriptor] of moment.opened)
      if (!this.entries.has(path)) await this.copyOpen(path, descriptor, sums.get(path) ?? null);
    const missing: string[] = [];
    for (const file of known) {
      if (!this.entries.has(file.storagePath)) await this.copyKnown(file);
      if (!this.entries.has(file.storagePath)) missing.push(file.storagePath);
    }
    if (moment.deletions !== null) await this.copyDeletions(moment.deletions);
    if (moment.changes !== null) this.addWhole("access.changes", moment.changes, moment.time);

    const paths = new Set(["access.changes", "files/deletions", ...others]);
    for (const { storagePath } of known) paths.add(storagePath).add(`${storagePath}.json`);
    for (const path of await this.unknownFiles(known)) paths.add(path);
    return { entries: [...this.entries.values()].filter(({ path }) => paths.has(path)), paths, missing };
  }

  /** As long as it was at the moment; lines are only added. */
  private async copyDeletions({ descriptor, bytes }: { descriptor: number; bytes: number }): Promise<void> {
    const content = Buffer.alloc(bytes);
    const length = readingOf(descriptor)(content, 0);
    this.addWhole("files/deletions", content.subarray(0, length), Math.trunc(fstatSync(descriptor).mtimeMs));
  }

  private addWhole(path: string, content: Buffer, modified: number): void {
    const parts = content.length === 0 ? [] : [this.writer.put(content)];
    this.entries.set(path, { path, bytes: content.length, modified, partBytes: Math.max(1, content.length), parts });
  }

  private copyDatabase(snapshot: Snapshot, path: string, seeds: Head["seeds"]): Promise<Entry> {
    const earlier = this.earlier?.manifest.entries.get(path) ?? null;
    const image = snapshot.image();
    return putDatabase(this.writer, { path, image, earlier, seeds, modified: Date.now() }, (bytes) => {
      this.advance(bytes);
      this.request.signal.throwIfAborted();
    });
  }

  /** Gives the backup its name, once nothing of it could be lost any more. */
  private async publish(head: Head, entries: readonly Entry[]): Promise<void> {
    const kept = new Set(entries.flatMap(({ parts }) => parts));
    this.writer.keepOnly(kept);
    writeFileSync(join(this.folder, MANIFEST), writeManifest(head, entries), { mode: 0o600, flag: "wx" });
    const { signal } = this.request;
    if (this.isArchive) {
      const archive = join(this.folder, "archive");
      await writeArchive(this.folder, archive, { signal, advance: this.advance });
      syncFileSystem(this.folder);
      this.rename(archive);
    } else {
      syncFileSystem(this.folder);
      signal.throwIfAborted();
      this.rename(this.folder);
    }
    syncFileSystem(dirname(this.target));
  }

  private rename(from: string): void {
    // Somebody may have put something there meanwhile, which a file would take the place of.
    requireFree(this.target);
    renameSync(from, this.target);
  }
}

function requireDataDirectory(dataDirectory: string): void {
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
function requirePlace(target: string, dataDirectory: string): void {
  requireFree(target);
  const parent = dirname(target);
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory())
    throw fail("OPERATION_FAILED", { reason: `${parent} is no folder in which a backup could be put. Make it first.` });
  if (`${realpathSync(parent)}${sep}`.startsWith(`${realpathSync(dataDirectory)}${sep}`))
    throw fail("OPERATION_FAILED", {
      reason: `${target} lies in the data directory that is to be backed up. Choose a place outside, best on another disk.`,
    });
}

function requireFree(target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined)
    throw fail("OPERATION_FAILED", { reason: `${target} is there already. Choose a name that is not there yet.` });
}

async function openEarlier(path: string, isArchive: boolean): Promise<OpenedBackup> {
  const earlier = await openBackup(path);
  if ((earlier.kind === "archive") !== isArchive)
    throw fail("OPERATION_FAILED", {
      reason: `${path} is ${isArchive ? "a folder and the new backup a file" : "a file and the new backup a folder"}: --since takes an earlier backup of the same kind.`,
    });
  return earlier;
}

const baseOf = ({ path, manifest: { head } }: OpenedBackup): Head["base"] => ({
  id: head.id,
  name: basename(path),
  created: head.created,
});

const newSeed = (): string => randomBytes(8).toString("hex");
