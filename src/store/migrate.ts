/**
 * Brings a database up to the schema of this program, with the files that drizzle-kit writes and in the table that
 * drizzle keeps (`__drizzle_migrations`). drizzle's own runner reads a folder, which an executable does not have,
 * and lets two processes that open a new database at once collide.
 */
import { createHash } from "node:crypto";
import { SQLiteError, type Database } from "bun:sqlite";
import { fail } from "../foundation/errors.ts";
import { openWritable, type WritableOptions } from "./database.ts";

export interface Migration {
  readonly tag: string;
  /** When it was generated, milliseconds since 1970: the order of migrations. */
  readonly when: number;
  readonly statements: readonly string[];
  /** SHA-256 of the file, hexadecimal. */
  readonly hash: string;
}

interface Journal {
  readonly entries: ReadonlyArray<{ readonly tag: string; readonly when: number }>;
}

/** Joins drizzle-kit's journal with the text of its files, by tag. Throws when a file is not there. */
export function orderMigrations(journal: Journal, files: Readonly<Record<string, string>>): Migration[] {
  return journal.entries.map(({ tag, when }) => {
    const text = files[tag];
    if (text === undefined) throw new Error(`The migration ${tag} is in the journal but not in the program.`);
    return {
      tag,
      when,
      statements: text.split("--> statement-breakpoint"),
      hash: createHash("sha256").update(text).digest("hex"),
    };
  });
}

/**
 * Opens a database for writing, made where it is not there, and brings it up to this program's schema. Throws OPERATION_FAILED, naming
 * the file, where it cannot be used.
 */
export function openMigrated(path: string, options: WritableOptions, migrations: readonly Migration[]): Database {
  let database: Database | undefined;
  try {
    database = openWritable(path, options);
    migrate(database, migrations);
    return database;
  } catch (error) {
    database?.close();
    // What the operating system refused names its path itself.
    if (!(error instanceof SQLiteError)) throw error;
    throw fail(
      "OPERATION_FAILED",
      { reason: `${path} cannot be used: ${error.message}. \`lectern doctor\` says more.` },
      undefined,
      error,
    );
  }
}

/**
 * Applies the migrations that the database lacks, all or none; several processes may do so at once.
 * Throws OPERATION_FAILED when a newer Lectern has already migrated the database further.
 */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  // Looking first spares an up-to-date database the write lock, which a busy server may hold for a while.
  if (isMigrated(database, migrations)) return;
  database
    .transaction(() => {
      database.run(
        "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
      );
      refuseNewer(database, migrations);
      const last = lastApplied(database);
      for (const migration of migrations.filter(({ when }) => when > last)) {
        for (const statement of migration.statements) database.run(statement);
        database.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)", [
          migration.hash,
          migration.when,
        ]);
      }
    })
    .immediate();
}

/** Throws OPERATION_FAILED when a newer Lectern has migrated the database further than these migrations do. */
export function refuseNewer(database: Database, migrations: readonly Migration[]): void {
  if (lastApplied(database) <= (migrations.at(-1)?.when ?? 0)) return;
  throw fail("OPERATION_FAILED", {
    reason: `${database.filename} was written by a newer version of Lectern. Start that version, or a newer one, on this data directory.`,
  });
}

/** Whether the database is just as these migrations leave it: neither an earlier nor a later version's. */
export function isMigrated(database: Database, migrations: readonly Migration[]): boolean {
  return lastApplied(database) === (migrations.at(-1)?.when ?? 0);
}

/** When the last applied migration was generated; 0 for a new database. */
function lastApplied(database: Database): number {
  const table = database
    .query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '__drizzle_migrations'")
    .get();
  if (!table) return 0;
  const row = database
    .query<{ last: number | null }, []>("SELECT max(created_at) AS last FROM __drizzle_migrations")
    .get();
  return row?.last ?? 0;
}
