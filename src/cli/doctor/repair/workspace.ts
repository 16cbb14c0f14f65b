/**
 * The folder of one repair, `before-repair/TIME`: what is made anew lies in its `new` until it takes the place of what was damaged, which is
 * then kept in the folder under the same path as before.
 */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { fail } from "../../../foundation/errors.ts";
import type { Move } from "../../../data-directory/moves.ts";

const FOLDERS = "before-repair";
const NEW = "new";
const DATABASES = ["lectern.db", "access.db"] as const;
type DatabaseName = (typeof DATABASES)[number];

export class Workspace {
  /** Relative to the data directory. */
  readonly folder: string;

  constructor(readonly dataDirectory: string) {
    removeLeftovers(join(dataDirectory, FOLDERS));
    this.folder = join(FOLDERS, new Date().toISOString().replaceAll(":", "-"));
    mkdirSync(join(dataDirectory, this.folder, NEW), { recursive: true, mode: 0o700 });
    // SQLite deletes a log of which it can read nothing when the last one who looked closes the database.
    for (const name of DATABASES) if (hasLog(this.at(name))) linkSync(`${this.at(name)}-wal`, this.keptLog(name));
  }

  /** Absolute, of something in the data directory. */
  at(name: string): string {
    return join(this.dataDirectory, name);
  }

  /** Absolute: where something is made that is to take the place of `name`. */
  newPath(name: string): string {
    return this.at(join(this.folder, NEW, name));
  }

  /** Into the folder. */
  aside(name: string): Move {
    return { from: name, to: join(this.folder, name) };
  }

  /** A database that was made anew takes the place of the damaged one, which goes aside with its log. */
  replace(name: DatabaseName): Move[] {
    const log = `${name}-wal`;
    return [
      this.aside(name),
      existsSync(this.at(log)) || !existsSync(this.keptLog(name))
        ? this.aside(log)
        : { from: join(this.folder, NEW, `${log}.kept`), to: join(this.folder, log) },
      this.aside(`${name}-shm`),
      { from: join(this.folder, NEW, name), to: name },
    ];
  }

  /** Where a database can be read; null where there is none. Beside what is no log of it, it is read under another name. */
  readable(name: DatabaseName): string | null {
    const path = this.at(name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size === 0) return null;
    if (["-wal", "-shm"].every((ending) => !isThere(path + ending) || isFile(path + ending))) return path;
    const other = this.newPath(`${name}.read`);
    if (!existsSync(other)) linkSync(path, other);
    if (isFile(`${path}-wal`) && !existsSync(`${other}-wal`)) linkSync(`${path}-wal`, `${other}-wal`);
    return other;
  }

  /** Throws OPERATION_FAILED where the disk has less room than what is made anew may take. */
  checkRoom(name: DatabaseName): void {
    const { bavail, bsize } = statfsSync(this.dataDirectory);
    const needed = ["", "-wal"].reduce((sum, ending) => sum + sizeOf(this.at(name + ending)), 0);
    if (bavail * bsize > needed) return;
    throw fail("OPERATION_FAILED", {
      reason: `Making ${this.at(name)} anew takes ${needed} bytes of free space, and ${bavail * bsize} are free. Make room, then try again.`,
    });
  }

  /** Nothing was changed, and nothing is: leaves all as it was. */
  abandon(): void {
    for (const name of DATABASES) {
      const log = `${this.at(name)}-wal`;
      if (existsSync(this.keptLog(name)) && !isThere(log)) linkSync(this.keptLog(name), log);
    }
    this.clear();
  }

  /** Takes away what was only made use of. */
  clear(): void {
    rmSync(this.at(join(this.folder, NEW)), { recursive: true, force: true });
    removeIfEmpty(this.at(this.folder));
    removeIfEmpty(this.at(FOLDERS));
  }

  private keptLog(name: DatabaseName): string {
    return this.newPath(`${name}-wal.kept`);
  }
}

/** What repairs before this one made and did not come to use. */
function removeLeftovers(folders: string): void {
  for (const name of existsSync(folders) ? readdirSync(folders) : []) {
    rmSync(join(folders, name, NEW), { recursive: true, force: true });
    removeIfEmpty(join(folders, name));
  }
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
const sizeOf = (path: string): number => (isFile(path) ? lstatSync(path).size : 0);
const hasLog = (path: string): boolean => isFile(path) && sizeOf(`${path}-wal`) > 0;
