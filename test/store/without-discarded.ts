/** Databases as the version left them that deleted everything in one transaction: without `discardedDatasets`. */
import { documentsDatabasePath, openExisting } from "../../src/store/database.ts";
import { documentMigrations } from "../../src/store/migrations.ts";

/** Undoes the migration. Only while nobody writes. */
export function leaveWithoutDiscarded(dataDirectory: string): void {
  using database = openExisting(documentsDatabasePath(dataDirectory));
  database.run("DROP TABLE discardedDatasets");
  database.run("CREATE INDEX files_customer ON files (customerId, id)");
  database.run("DELETE FROM __drizzle_migrations WHERE created_at = ?", [
    documentMigrations.find(({ tag }) => tag === "0005_discarded_datasets")!.when,
  ]);
}
