/** Copies both databases as they were at a backup's moment, and has them checked. */
import { accessDatabasePath } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { documentsDatabasePath } from "../store/database.ts";
import { putDatabase } from "./database-parts.ts";
import type { Entry, Head, Manifest } from "./manifest.ts";
import type { Moment, Snapshot } from "./moment.ts";
import type { PartWriter } from "./parts.ts";
import type { SecondThread } from "./second-thread.ts";

export interface DatabaseCopies {
  /** The backup's, with what writes its parts. */
  readonly folder: string;
  readonly writer: PartWriter;
  readonly earlier: Manifest | null;
  readonly seeds: Head["seeds"];
  /** Helps with a first backup. */
  readonly thread: SecondThread | null;
}

/** `advance` is told how many bytes were read, and may throw. Nothing reads the moment's files any more once this has ended. */
export async function copyDatabases(
  moment: Moment,
  { folder, writer, earlier, seeds, thread }: DatabaseCopies,
  advance: (bytes: number) => void,
): Promise<Entry[]> {
  const copy = (snapshot: Snapshot, path: string, helper: SecondThread | null): Promise<Entry> => {
    const before = earlier?.entries.get(path) ?? null;
    const image = snapshot.image();
    const database = { path, image, earlier: before, seeds, modified: Date.now(), folder, thread: helper };
    return putDatabase(writer, database, advance);
  };
  return [await copy(moment.documents, "lectern.db", thread), await copy(moment.access, "access.db", null)];
}

/** Throws OPERATION_FAILED where SQLite finds a database broken: what could not be used later is no backup. */
export async function requireSound(dataDirectory: string, thread: SecondThread): Promise<void> {
  const broken = await thread.firstBroken([documentsDatabasePath(dataDirectory), accessDatabasePath(dataDirectory)]);
  if (broken === null) return;
  throw fail("OPERATION_FAILED", {
    reason: `${broken.path} is damaged, so that no backup of it would be worth keeping: ${broken.faults}. Keep the earlier ones; \`lectern doctor\` says more.`,
  });
}
