/** What lies in a data directory under which name, and whether each is what it should be: a file or a folder. */
import { lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../foundation/errors.ts";

interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder";
  /** What to do when something else lies in its place. */
  readonly mend: string;
  /** Whether a server can do nothing without it. */
  readonly needed: boolean;
  /** Whether a link to a file is none as well: what is written there would end up in another file. */
  readonly isNoLink?: true;
}

const RESTORE = "Put back the last backup of the whole data directory.";
const MOVE_AWAY = "Move it away: the next start makes a new one.";

const entries: readonly Entry[] = [
  ...["lectern.db", "access.db"].flatMap((database) =>
    ["-wal", "-shm"].map(
      (ending): Entry => ({
        name: `${database}${ending}`,
        kind: "file",
        mend: `Move it away, or have \`lectern doctor --repair\` do so: the database is then what it was without it.`,
        needed: true,
        isNoLink: true,
      }),
    ),
  ),
  { name: "lectern.db", kind: "file", mend: RESTORE, needed: true },
  { name: "access.db", kind: "file", mend: RESTORE, needed: true },
  { name: "access.changes", kind: "file", mend: MOVE_AWAY, needed: true },
  { name: "secret", kind: "file", mend: RESTORE, needed: true },
  { name: "lectern.toml", kind: "file", mend: "Move it away: every option has a default.", needed: true },
  { name: "lectern.lock", kind: "file", mend: MOVE_AWAY, needed: true, isNoLink: true },
  { name: "server.json", kind: "file", mend: MOVE_AWAY, needed: true },
  { name: "reserve", kind: "file", mend: `${MOVE_AWAY} Until then uploads are refused.`, needed: false },
  // Without it, a start takes it that the machine was restarted.
  { name: "boot", kind: "file", mend: MOVE_AWAY, needed: false },
  { name: "audit.log", kind: "file", mend: `${MOVE_AWAY} Until then, who changes what is not noted.`, needed: false },
  { name: "files", kind: "folder", mend: RESTORE, needed: true },
  {
    name: "files/deletions",
    kind: "file",
    mend: `${MOVE_AWAY} An older database that is put back may then bring deleted files back.`,
    needed: true,
  },
  { name: "lost+found", kind: "folder", mend: MOVE_AWAY, needed: true },
  { name: "staging", kind: "folder", mend: MOVE_AWAY, needed: true },
  {
    name: "indexes",
    kind: "folder",
    mend: `${MOVE_AWAY} The indexes in it are made again from lectern.db.`,
    needed: true,
  },
  {
    name: "models",
    kind: "folder",
    mend: "Move it away, and add the models again: lectern model add FOLDER",
    needed: false,
  },
];

export interface Misplaced {
  /** In the data directory. */
  readonly name: string;
  readonly path: string;
  /** What is so. */
  readonly sentence: string;
  readonly mend: string;
  readonly needed: boolean;
}

/** Names under which something of the wrong kind lies. What is not there at all is none of them. */
export function misplacedEntries(dataDirectory: string): Misplaced[] {
  return entries.flatMap(({ name, kind, mend, needed, isNoLink }) => {
    const path = join(dataDirectory, name);
    const look = isNoLink ? lstatSync : statSync;
    const found = isBelowFile(dataDirectory, name) ? undefined : look(path, { throwIfNoEntry: false });
    if (found === undefined || (kind === "file" ? found.isFile() : found.isDirectory())) return [];
    return [
      {
        name,
        path,
        sentence: `${path} is ${found.isDirectory() ? "a folder" : found.isFile() ? "a file" : "something else"} and should be a ${kind}.`,
        mend,
        needed,
      },
    ];
  });
}

/** What lies in a folder that is none is not there; the folder's own entry says so. */
const isBelowFile = (dataDirectory: string, name: string): boolean =>
  name.includes("/") && statSync(join(dataDirectory, dirname(name)), { throwIfNoEntry: false })?.isFile() === true;

/** Throws OPERATION_FAILED, naming the path and what to do, where a server could not work with what lies in the data directory. */
export function refuseMisplaced(dataDirectory: string): void {
  const misplaced = misplacedEntries(dataDirectory).find(({ needed }) => needed);
  if (misplaced) throw fail("OPERATION_FAILED", { reason: `${misplaced.sentence} ${misplaced.mend}` });
}
