/** Whether the SQLite files are there, whole, and fit each other. */
import type { Database } from "bun:sqlite";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { accessDatabasePath, accessMigrations } from "../../access/index.ts";
import { documentsDatabasePath, openReading } from "../../store/database.ts";
import { givesBackSpace } from "../../store/erasure.ts";
import { isMigrated, type Migration } from "../../store/migrate.ts";
import { documentMigrations } from "../../store/migrations.ts";
import { documentFaults, ownerFaults } from "./consistency.ts";
import { bad, good, warning, type Finding } from "./finding.ts";

const RESTORE = "Stop the server and put back the last backup of the whole data directory.";

interface Examined {
  readonly subject: string;
  readonly path: string;
  readonly migrations: readonly Migration[];
  /** What else lies in the data directory and shows that the database has been there; null where nothing does. */
  readonly beside: string | null;
  /** Looks at what the tables say. Only in a whole database of this version. */
  readonly look: (database: Database) => Finding[];
}

/** Reads every page of both databases, and what each row must agree with; a gigabyte takes a few seconds. Sees one state of each beside a running server. */
export function checkDatabases(dataDirectory: string): Finding[] {
  const ofDocuments = checkDocuments(dataDirectory);
  const ofAccess = checkAccess(dataDirectory);
  const areReadable = [...ofDocuments, ...ofAccess].every(({ state }) => state !== "bad");
  const ofOwners = areReadable ? checkOwners(dataDirectory) : [];
  // One that says what is wrong takes the place of the one that says that the file is whole.
  return [...ofDocuments, ...(ofOwners.length > 0 ? ofOwners : ofAccess)];
}

/** `lectern.db` by itself. */
export function checkDocuments(dataDirectory: string, path = documentsDatabasePath(dataDirectory)): Finding[] {
  return examine({
    subject: "documents",
    path,
    migrations: documentMigrations,
    beside: holdsFiles(join(dataDirectory, "files")) ? "uploaded files" : null,
    look: (database) => [
      ...documentFaults(database).map((fault) => bad("documents", `${path}: ${fault}`, RESTORE)),
      ...spaceFindings(database),
    ],
  });
}

/** `access.db` by itself. */
export function checkAccess(dataDirectory: string, path = accessDatabasePath(dataDirectory)): Finding[] {
  return examine({
    subject: "customers",
    path,
    migrations: accessMigrations,
    beside: sizeOf(documentsDatabasePath(dataDirectory)) > 0 ? "lectern.db" : null,
    look: () => [],
  });
}

/** Whether whoever has documents in the one is in the other. Both must be readable. */
function checkOwners(dataDirectory: string): Finding[] {
  const [documents, access] = [documentsDatabasePath(dataDirectory), accessDatabasePath(dataDirectory)];
  if (sizeOf(access) === 0) return [];
  return ownerFaults(access, documents).map((fault) =>
    bad(
      "customers",
      fault,
      `${RESTORE} Documents of a customer who was removed go for good when it is made again and removed again: lectern customer create ID, lectern customer remove ID.`,
    ),
  );
}

function examine({ subject, path, migrations, beside, look }: Examined): Finding[] {
  if (sizeOf(path) === 0) {
    if (beside === null) return [good(subject, `${path} is not there yet.`)];
    return [bad(subject, `${path} is missing or empty, and there are ${beside} beside it.`, RESTORE)];
  }
  try {
    using database = openReading(path);
    database.run("BEGIN");
    const faults = database
      .query<{ integrity_check: string }, []>("PRAGMA integrity_check(3)")
      .all()
      .map((row) => row.integrity_check);
    if (faults[0] !== "ok") return [bad(subject, `${path} is damaged: ${faults.join("; ")}`, RESTORE)];
    if (!isMigrated(database, migrations))
      return [
        warning(
          subject,
          `${path} is whole, and was last used by another version of Lectern.`,
          "An earlier version's is brought up to date by the next start; a later version's needs that version.",
        ),
      ];
    const findings = look(database);
    return findings.length > 0 ? findings : [good(subject, `${path} is whole.`)];
  } catch (error) {
    return [bad(subject, `${path} cannot be read: ${(error as Error).message}`, RESTORE)];
  }
}

function spaceFindings(database: Database): Finding[] {
  if (givesBackSpace(database)) return [];
  return [
    warning(
      "documents",
      `${database.filename} was made by an earlier version: it keeps its size when documents are deleted.`,
      "Once, with the server stopped: lectern compact",
    ),
  ];
}

function holdsFiles(folder: string): boolean {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  // A folder in its place is no database, and not missing either.
  return found === undefined ? 0 : found.isFile() ? found.size : Number.NaN;
}
