/** Whether the stored files are those that the database knows, and what was uploaded. */
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import {
  checkIntact,
  findDiscrepancies,
  isDamaged,
  readDeletions,
  surveyFiles,
  surveySetAside,
  type Discrepancies,
} from "../../files/index.ts";
import { documentsDatabasePath, openReading } from "../../store/database.ts";
import { bad, good, warning, type Finding } from "./finding.ts";

const SUBJECT = "files";
/** Named one by one; the rest is counted. */
const MOST_NAMED = 5;
/** Uploads and deletions of a server that runs beside this are over after so long, or they are stuck. */
const SECOND_LOOK_MILLISECONDS = 1000;

interface KnownFile {
  readonly fileId: string;
  readonly storagePath: string;
  readonly size: number | null;
  readonly sha256: string | null;
}

interface StoredFiles {
  readonly known: ReadonlyMap<string, KnownFile>;
  /** Deleted, and not cleared up yet. */
  readonly discarded: ReadonlySet<string>;
  /** Accepted, and still to be read: known, too. */
  readonly unread: number;
  /** Accepted, and could not be read. */
  readonly failed: number;
}

/** Compares names and sizes; with `deep` every byte. A million files take some seconds without. */
export async function checkFiles(dataDirectory: string, deep: boolean): Promise<Finding[]> {
  try {
    const { known, unread, failed } = storedFiles(dataDirectory);
    const differences = await lastingDiscrepancies(dataDirectory);
    const damaged = await damagedFiles(dataDirectory, known, deep);
    const findings = [
      ...describe(dataDirectory, differences, known),
      ...damaged,
      ...(await describeSetAside(dataDirectory)),
    ];
    const whole = good(
      SUBJECT,
      `${known.size} stored files are there${deep ? ", byte for byte what was uploaded" : ", of the right size"}.`,
    );
    return [...(findings.length > 0 ? findings : [whole]), ...describeUnread(unread, failed)];
  } catch (error) {
    return [
      warning(
        SUBJECT,
        `The stored files cannot be compared with ${documentsDatabasePath(dataDirectory)}: ${(error as Error).message}`,
        "Mend the database first.",
      ),
    ];
  }
}

function storedFiles(dataDirectory: string): StoredFiles {
  const path = documentsDatabasePath(dataDirectory);
  if (!existsSync(path)) return { known: new Map(), discarded: new Set(), unread: 0, failed: 0 };
  const database = openReading(path);
  try {
    const isThere = database.query("SELECT 1 FROM pragma_table_info('files') WHERE name = 'sha256'").get() !== null;
    const columns = isThere ? "fileId, storagePath, size, sha256" : "fileId, storagePath, size, NULL AS sha256";
    const rows =
      database.query("SELECT 1 FROM sqlite_schema WHERE name = 'files'").get() === null
        ? []
        : database
            .query<KnownFile & { isDiscarded: 0 | 1 }, []>(
              `SELECT ${columns}, datasetId NOT IN (SELECT id FROM datasets) AS isDiscarded FROM files`,
            )
            .all();
    const { known = [], discarded = [] } = Object.groupBy(rows, (row) => (row.isDiscarded ? "discarded" : "known"));
    const unread = uploadJobs(database);
    return {
      known: new Map([...known, ...unread.filter(({ isFailed }) => !isFailed)].map((row) => [row.fileId, row])),
      discarded: new Set([...discarded, ...unread.filter(({ isFailed }) => isFailed)].map(({ fileId }) => fileId)),
      unread: unread.filter(({ isFailed }) => !isFailed).length,
      failed: unread.filter(({ isFailed }) => isFailed).length,
    };
  } finally {
    database.close();
  }
}

/** Files that were accepted and are not ready; a database of an earlier version has none. */
function uploadJobs(database: Database): (KnownFile & { isFailed: 0 | 1 })[] {
  if (database.query("SELECT 1 FROM sqlite_schema WHERE name = 'uploadJobs'").get() === null) return [];
  return database
    .query<KnownFile & { isFailed: 0 | 1 }, []>(
      "SELECT fileId, storagePath, size, sha256, errorCode IS NOT NULL AS isFailed FROM uploadJobs",
    )
    .all();
}

/** Those that are still there at a second look: what a running server is doing just now is none. */
async function lastingDiscrepancies(dataDirectory: string): Promise<Discrepancies> {
  const look = async (): Promise<Discrepancies> => {
    const { known, discarded } = storedFiles(dataDirectory);
    return findDiscrepancies(
      { known: new Set(known.keys()), discarded, deleted: await readDeletions(dataDirectory) },
      await surveyFiles(dataDirectory),
    );
  };
  const first = await look();
  if (first.unknown.length === 0 && first.missing.length === 0) return first;
  await Bun.sleep(SECOND_LOOK_MILLISECONDS);
  const second = await look();
  const both = (left: readonly string[], right: readonly string[]): string[] =>
    left.filter((fileId) => right.includes(fileId));
  return { ...second, unknown: both(second.unknown, first.unknown), missing: both(second.missing, first.missing) };
}

function describe(
  dataDirectory: string,
  { unknown, missing }: Discrepancies,
  known: ReadonlyMap<string, KnownFile>,
): Finding[] {
  const findings: Finding[] = [];
  if (unknown.length > 0) {
    findings.push(
      bad(
        SUBJECT,
        `${documentsDatabasePath(dataDirectory)} is older than the documents beside it: ${count(unknown)} unknown to it: ${names(unknown)}.`,
        "Put back the right database with its -wal file. If there is none, stop the server and index them again: lectern doctor --adopt",
      ),
    );
  }
  if (missing.length > 0) {
    const paths = missing.map((fileId) => join(dataDirectory, known.get(fileId)?.storagePath ?? fileId));
    findings.push(
      bad(
        SUBJECT,
        `${count(missing)} missing: ${names(paths)}.`,
        "Put them back from a backup. Their passages are still found; DELETE /v1/files/:fileId takes them away.",
      ),
    );
  }
  return findings;
}

async function damagedFiles(
  dataDirectory: string,
  known: ReadonlyMap<string, KnownFile>,
  deep: boolean,
): Promise<Finding[]> {
  const problems: string[] = [];
  for (const { storagePath, size, sha256 } of known.values()) {
    const path = join(dataDirectory, storagePath);
    try {
      if (deep) await checkIntact(path, { size, sha256 });
      else if (!(await hasSize(path, size))) problems.push(`${path} is not a file of ${size} bytes`);
    } catch (error) {
      if (isDamaged(error)) problems.push(error.message.replace(/\.$/, ""));
      else if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  if (problems.length === 0) return [];
  return [
    bad(
      SUBJECT,
      `${problems.length} stored ${problems.length === 1 ? "file is" : "files are"} not what was uploaded: ${names(problems)}.`,
      "Put them back from a backup, or upload them again. Until then their downloads are refused.",
    ),
  ];
}

async function hasSize(path: string, size: number | null): Promise<boolean> {
  const information = await lstat(path);
  return information.isFile() && (size === null || information.size === size);
}

/** What was uploaded with async=true. */
function describeUnread(unread: number, failed: number): Finding[] {
  const findings: Finding[] = [];
  if (unread > 0)
    findings.push(
      good(
        SUBJECT,
        `${unread} of them ${unread === 1 ? "is" : "are"} still to be read, which a running server does in the background.`,
      ),
    );
  if (failed > 0)
    findings.push(
      good(
        SUBJECT,
        `${failed} more could not be read, ${failed === 1 ? "which shows" : "which show"} why until ${failed === 1 ? "it is" : "they are"} deleted.`,
      ),
    );
  return findings;
}

async function describeSetAside(dataDirectory: string): Promise<Finding[]> {
  const setAside = await surveySetAside(dataDirectory);
  if (setAside.length === 0) return [];
  return [
    warning(
      SUBJECT,
      `${count(setAside)} set aside in ${join(dataDirectory, "lost+found")}: no database knew of them.`,
      "Stop the server and index them again: lectern doctor --adopt. What nobody needs may be deleted there.",
    ),
  ];
}

const count = (list: readonly unknown[]): string =>
  list.length === 1 ? "1 stored file is" : `${list.length} stored files are`;

function names(list: readonly string[]): string {
  const more = list.length - MOST_NAMED;
  return list.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
