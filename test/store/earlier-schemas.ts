/** Databases as earlier versions left them. Only while nobody writes. */
import { documentsDatabasePath, openExisting } from "../../src/store/database.ts";
import { documentMigrations } from "../../src/store/migrations.ts";
import { decodeVector } from "../../src/store/stored-vector.ts";

/** As the version left them that recognised recordings which are read later, whatever came with them. */
function leaveWithoutSubtitlesOfJobs(dataDirectory: string): void {
  using database = openExisting(documentsDatabasePath(dataDirectory));
  database.run("ALTER TABLE uploadJobs DROP COLUMN subtitlesFileId");
  database.run("DELETE FROM __drizzle_migrations WHERE created_at = ?", [whenOf("0010_subtitles_of_upload_jobs")]);
}

/** As the version left them that stored vectors in half precision. Their dimensions are an even number. */
export function leaveInHalfPrecision(dataDirectory: string): void {
  leaveWithoutSubtitlesOfJobs(dataDirectory);
  using database = openExisting(documentsDatabasePath(dataDirectory));
  const rows = database.query<{ chunkId: number; vector: Uint8Array }, []>("SELECT chunkId, vector FROM vectors").all();
  for (const { chunkId, vector: stored } of rows) {
    const vector = decodeVector(stored, stored.byteLength - 1);
    const halves = new Uint8Array(Float16Array.from(vector, (level) => level / 127).buffer);
    database.run("UPDATE vectors SET vector = ? WHERE chunkId = ?", [halves, chunkId]);
  }
  database.run("DELETE FROM __drizzle_migrations WHERE created_at = ?", [whenOf("0009_int8_vectors")]);
}

/** As the version left them that answered an upload when it was indexed, and did not ask for its languages. */
export function leaveWithoutUploadJobs(dataDirectory: string): void {
  leaveInHalfPrecision(dataDirectory);
  using database = openExisting(documentsDatabasePath(dataDirectory));
  database.run("DROP TABLE uploadJobs");
  for (const column of ["language", "ocrLanguages"]) database.run(`ALTER TABLE files DROP COLUMN ${column}`);
  database.run("DELETE FROM __drizzle_migrations WHERE created_at = ?", [whenOf("0008_upload_jobs")]);
}

/** As the version left them in which no file could take the place of another. */
export function leaveWithoutReplacement(dataDirectory: string): void {
  leaveWithoutUploadJobs(dataDirectory);
  using database = openExisting(documentsDatabasePath(dataDirectory));
  for (const index of ["files_externalId", "files_pending"]) database.run(`DROP INDEX ${index}`);
  for (const column of ["externalId", "relativePath", "isPending"])
    database.run(`ALTER TABLE files DROP COLUMN ${column}`);
  database.run("DELETE FROM __drizzle_migrations WHERE created_at = ?", [whenOf("0007_replacement")]);
}

/** As the version left them that did not know where passages stand. */
export function leaveWithoutPlaces(dataDirectory: string): void {
  leaveWithoutReplacement(dataDirectory);
  using database = openExisting(documentsDatabasePath(dataDirectory));
  database.run("DROP TABLE chunkAttributes");
  for (const [table, column] of [
    ["chunks", "contextLength"],
    ["chunks", "place"],
    ["files", "properties"],
  ])
    database.run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  database.run("DELETE FROM __drizzle_migrations WHERE created_at = ?", [whenOf("0006_chunk_places")]);
}

/** As the version left them that deleted everything in one transaction: without `discardedDatasets`. */
export function leaveWithoutDiscarded(dataDirectory: string): void {
  leaveWithoutPlaces(dataDirectory);
  using database = openExisting(documentsDatabasePath(dataDirectory));
  database.run("DROP TABLE discardedDatasets");
  database.run("CREATE INDEX files_customer ON files (customerId, id)");
  database.run("DELETE FROM __drizzle_migrations WHERE created_at = ?", [whenOf("0005_discarded_datasets")]);
}

export function whenOf(migration: string): number {
  return documentMigrations.find(({ tag }) => tag === migration)!.when;
}
