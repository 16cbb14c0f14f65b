/** Copies both databases as they were at a backup's moment. */
import { accessDatabasePath } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { documentsDatabasePath } from "../store/database.ts";
import { putDatabase } from "./database-parts.ts";
import type { Entry, Head, Manifest } from "./manifest.ts";
import type { Moment, Snapshot } from "./moment.ts";
import type { PartWriter } from "./parts.ts";
import { SecondThread } from "./second-thread.ts";

export interface DatabaseCopies {
  readonly dataDirectory: string;
  /** The backup's, with what writes its parts. */
  readonly folder: string;
  readonly writer: PartWriter;
  readonly earlier: Manifest | null;
  readonly seeds: Head["seeds"];
}

/**
 * `advance` is told how many bytes were read, and may throw. Throws OPERATION_FAILED where SQLite finds a database broken, in a first
 * backup: what could not be used later is none.
 */
export async function copyDatabases(
  moment: Moment,
  { dataDirectory, folder, writer, earlier, seeds }: DatabaseCopies,
  advance: (bytes: number) => void,
): Promise<Entry[]> {
  // Later backups take most of a database from this one: there is little to do, and not all of it to be looked at.
  await using thread = earlier === null ? new SecondThread() : null;
  const checked = thread?.firstBroken([documentsDatabasePath(dataDirectory), accessDatabasePath(dataDirectory)]);
  // Nobody asks where copying fails before.
  checked?.catch(() => {});
  const copy = async (snapshot: Snapshot, path: string, helper: SecondThread | null): Promise<Entry> => {
    const before = earlier?.entries.get(path) ?? null;
    const image = snapshot.image();
    return await putDatabase(
      writer,
      { path, image, earlier: before, seeds, modified: Date.now(), folder, thread: helper },
      advance,
    );
  };
  const copied = [await copy(moment.documents, "lectern.db", thread), await copy(moment.access, "access.db", null)];
  const broken = await checked;
  if (!broken) return copied;
  throw fail("OPERATION_FAILED", {
    reason: `${broken.path} is damaged, so that no backup of it would be worth keeping: ${broken.faults}. Keep the earlier ones; \`lectern doctor\` says more.`,
  });
}
