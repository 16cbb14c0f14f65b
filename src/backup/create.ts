/**
 * Makes a backup of a data directory, whether a server works in it or not.
 *
 * Most stored files are copied before the backup's moment, and those that came meanwhile are held open at it; what was deleted before it is
 * taken out again. The databases are read behind the moment, while writers go on, as they were at it.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { fstatSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { accessMigrations } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { syncFileSystem } from "../native/sync-file-system.ts";
import { documentsDatabasePath, openReading } from "../store/database.ts";
import { documentMigrations } from "../store/migrations.ts";
import { MANIFEST } from "./archive-format.ts";
import { writeArchive } from "./archive.ts";
import { awaitClearing } from "./clearing.ts";
import { otherContents } from "./contents.ts";
import { copyDatabases, requireSound } from "./copy-databases.ts";
import { FileCopies } from "./file-copies.ts";
import { countAll, KnownFiles, type KnownFile, type LastRows } from "./known-files.ts";
import { FORMAT, FORMAT_VERSION, sizeOf, writeManifest, type Counts, type Files, type Head } from "./manifest.ts";
import { MOST_OPENED, takeMoment, type Moment } from "./moment.ts";
import { withRoom } from "./no-room.ts";
import { ARCHIVE_ENDING, type OpenedBackup } from "./open.ts";
import { openPartial } from "./partial.ts";
import { linkedParts, makeShelves, PartWriter, readingOf, referredParts } from "./parts.ts";
import { openEarlier, requireDataDirectory, requireFree, requirePlace } from "./places.ts";
import { SecondThread } from "./second-thread.ts";
import { schemaOf } from "./schema-version.ts";
import { unknownFiles } from "./unknown-files.ts";

/** Uploads that outrun the copying for so many rounds will go on to. */
const MOST_ROUNDS = 20;
/** Without it tokens and download links end; see src/access/secret.ts. */
const SECRET = "secret";

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
  /** Paths of what should be there and is not: the secret, stored files that the database knows. */
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
  private readonly files: FileCopies;
  private advance: (bytes: number) => void = () => {};

  constructor(
    private readonly request: BackupRequest,
    private readonly target: string,
    private readonly isArchive: boolean,
    private readonly earlier: OpenedBackup | null,
    /** Where the backup grows. */
    private readonly folder: string,
  ) {
    const parts = earlier && (isArchive ? referredParts(earlier.manifest.parts) : linkedParts(earlier.path));
    makeShelves(this.folder);
    this.writer = new PartWriter(this.folder, parts);
    this.files = new FileCopies({
      dataDirectory: request.dataDirectory,
      writer: this.writer,
      earlier: earlier?.manifest ?? null,
      // What a file leaves to the one before it could not be read back, to go into another pack.
      packs: !isArchive,
      signal: request.signal,
      advance: (bytes) => this.advance(bytes),
    });
  }

  async run(): Promise<BackupSummary> {
    const { dataDirectory, withModels } = this.request;
    // Later backups take most of a database from this one: there is little to do, and not all of it to be looked at.
    await using thread = this.earlier === null ? new SecondThread() : null;
    const checked = thread && requireSound(dataDirectory, thread);
    // Nobody asks where something else fails before.
    checked?.catch(() => {});
    const others = otherContents(dataDirectory, withModels);
    const beforehand = await this.copyBeforehand(others.files);
    const uncleared = await awaitClearing(dataDirectory, this.request.signal);
    using moment = await this.momentBehind(beforehand);
    const settled = await this.settleFiles(moment, others.files);
    const seeds = this.earlier?.manifest.head.seeds ?? [newSeed(), newSeed()];
    const { folder, writer } = this;
    const earlier = this.earlier?.manifest ?? null;
    const databases = await copyDatabases(moment, { folder, writer, earlier, seeds, thread }, (bytes) => {
      this.advance(bytes);
      this.request.signal.throwIfAborted();
    });
    await checked;
    const { documents, access } = moment;
    const copied: Files = {
      entries: new Map([...databases.map((entry) => [entry.path, entry] as const), ...settled.files.entries]),
      packs: settled.files.packs,
    };
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
    await this.publish(head, copied);
    return {
      path: this.target,
      id: head.id,
      created: head.created,
      counts,
      ...sizeOf(copied),
      newBytes: this.writer.written,
      heldMilliseconds: moment.held,
      damaged: this.files.damaged.filter((path) => settled.paths.has(path)),
      missing: others.files.includes(SECRET) ? settled.missing : [SECRET, ...settled.missing],
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
    for (const path of others) await this.files.copyPath(path);
    for (const path of await unknownFiles(dataDirectory, known.list())) await this.files.copyPath(path);
    return await this.copyKnownFiles(known);
  }

  /** Copies stored files, again until hardly anything is new. */
  private async copyKnownFiles(known: KnownFiles): Promise<LastRows> {
    for (let round = 0; ; round++) {
      const last = known.lastRows();
      const fresh = known.list().filter(({ storagePath }) => !this.files.has(storagePath));
      for (const file of fresh) await this.files.copyKnown(file);
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

  private async momentBehind(copied: LastRows): Promise<Moment> {
    let last = copied;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const moment = takeMoment(this.request.dataDirectory, last);
      if (moment !== null) return moment;
      using database = openReading(documentsDatabasePath(this.request.dataDirectory));
      last = await this.copyKnownFiles(new KnownFiles(database));
    }
    throw fail("OPERATION_FAILED", {
      reason: `Documents come faster than ${dirname(this.target)} takes them, or a process holds a database for too long. Make the backup when less is uploaded, or onto a faster disk.`,
    });
  }

  /** What of the stored files the moment holds, and not what was deleted before; copies those that came last. */
  private async settleFiles(
    moment: Moment,
    others: readonly string[],
  ): Promise<{ files: Files; paths: ReadonlySet<string>; missing: string[] }> {
    const known = new KnownFiles(moment.documents.database).list();
    const sums = new Map(known.map(({ storagePath, sha256 }) => [storagePath, sha256]));
    for (const [path, descriptor] of moment.opened)
      if (!this.files.has(path)) await this.files.copyOpen(path, descriptor, sums.get(path) ?? null);
    for (const file of known) if (!this.files.has(file.storagePath)) await this.files.copyKnown(file);
    if (moment.deletions !== null) await this.copyDeletions(moment.deletions);
    if (moment.changes !== null) this.files.addWhole("access.changes", moment.changes, moment.time);

    const paths = new Set(["access.changes", "files/deletions", ...others]);
    for (const { storagePath } of known) paths.add(storagePath).add(`${storagePath}.json`);
    for (const path of await unknownFiles(this.request.dataDirectory, known)) paths.add(path);
    const files = await this.files.settle(paths, sums);
    const missing = known.map(({ storagePath }) => storagePath).filter((path) => !this.files.has(path));
    return { files, paths, missing };
  }

  /** As long as it was at the moment; lines are only added. */
  private copyDeletions({ descriptor, bytes }: { descriptor: number; bytes: number }): void {
    const content = Buffer.alloc(bytes);
    const length = readingOf(descriptor)(content, 0);
    this.files.addWhole("files/deletions", content.subarray(0, length), Math.trunc(fstatSync(descriptor).mtimeMs));
  }

  /** Gives the backup its name, once nothing of it could be lost any more. */
  private async publish(head: Head, files: Files): Promise<void> {
    const parts = [...files.entries.values()].flatMap((entry) => entry.parts);
    this.writer.keepOnly(new Set([...parts, ...files.packs.map(({ pack }) => pack)]));
    writeFileSync(join(this.folder, MANIFEST), writeManifest(head, files), { mode: 0o600, flag: "wx" });
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

const baseOf = ({ path, manifest: { head } }: OpenedBackup): Head["base"] => ({
  id: head.id,
  name: basename(path),
  created: head.created,
});

const newSeed = (): string => randomBytes(8).toString("hex");
