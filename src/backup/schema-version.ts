/** How far a database is migrated. */
import type { Database } from "bun:sqlite";
import { fail } from "../foundation/errors.ts";
import type { Migration } from "../store/migrate.ts";

/**
 * When its newest migration was generated, milliseconds since 1970; 0 where it has none. Throws OPERATION_FAILED where that is newer than
 * this program's.
 */
export function schemaOf(database: Database, migrations: readonly Migration[]): number {
  const isMigrated = database.query("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get() !== null;
  const newest = isMigrated
    ? (database.query<{ last: number | null }, []>("SELECT max(created_at) AS last FROM __drizzle_migrations").get()!
        .last ?? 0)
    : 0;
  if (newest > (migrations.at(-1)?.when ?? 0))
    throw fail("OPERATION_FAILED", {
      reason: `${database.filename} was written by a newer version of Lectern. Back it up with that version, or a newer one.`,
    });
  return newest;
}
