/** Which stored files the documents' database knows, and how many of what there is. Understands the tables of earlier versions. */
import type { Database } from "bun:sqlite";
import type { Counts } from "./manifest.ts";

export interface KnownFile {
  readonly fileId: string;
  /** Relative to the data directory. */
  readonly storagePath: string;
  /** Of the bytes, hexadecimal; null where it was never recorded. */
  readonly sha256: string | null;
}

/** The last rows at some moment: what comes later has higher numbers. */
export interface LastRows {
  readonly file: number;
  readonly job: number;
}

/** Nothing is deleted and cleared up before its row is gone. */
const FROM_THE_FIRST: LastRows = { file: 0, job: 0 };

export class KnownFiles {
  private readonly hasJobs: boolean;
  private readonly sha256: string;

  constructor(private readonly database: Database) {
    this.hasJobs = hasTable(database, "uploadJobs");
    this.sha256 = database.query("SELECT 1 FROM pragma_table_info('files') WHERE name = 'sha256'").get()
      ? "sha256"
      : "NULL AS sha256";
  }

  lastRows(): LastRows {
    return { file: this.last("files"), job: this.hasJobs ? this.last("uploadJobs") : 0 };
  }

  /** Stored or to be read, and not deleted: those whose bytes are there. Optionally only such as came behind these rows. */
  list(after: LastRows = FROM_THE_FIRST): KnownFile[] {
    const stored = this.database
      .query<KnownFile, [number]>(
        `SELECT fileId, storagePath, ${this.sha256} FROM files WHERE id > ? AND datasetId IN (SELECT id FROM datasets)`,
      )
      .all(after.file);
    if (!this.hasJobs) return stored;
    const unread = this.database
      .query<KnownFile, [number]>(
        "SELECT fileId, storagePath, sha256 FROM uploadJobs WHERE id > ? AND errorCode IS NULL",
      )
      .all(after.job);
    return [...stored, ...unread];
  }

  /** Rows of files that are deleted and not cleared up yet: what they said is still in the database, and nobody is shown it. */
  unclearedRows(): number[] {
    return this.database
      .query<{ id: number }, []>("SELECT id FROM files WHERE datasetId NOT IN (SELECT id FROM datasets)")
      .all()
      .map(({ id }) => id);
  }

  private last(table: "files" | "uploadJobs"): number {
    return this.database.query<{ last: number | null }, []>(`SELECT max(id) AS last FROM ${table}`).get()!.last ?? 0;
  }
}

export function countAll(documents: Database, access: Database): Counts {
  const sum = documents
    .query<{ documents: number; passages: number; datasets: number }, []>(
      "SELECT total(fileCount) AS documents, total(chunkCount) AS passages, count(*) AS datasets FROM datasets WHERE fileCount > 0",
    )
    .get()!;
  const count = (rows: string): number =>
    access.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${rows}`).get()!.count;
  return { customers: count("customers WHERE removed IS NULL"), keys: count("apiKeys WHERE revoked IS NULL"), ...sum };
}

function hasTable(database: Database, name: string): boolean {
  return database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null;
}
