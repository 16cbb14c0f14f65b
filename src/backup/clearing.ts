/** What was deleted stands in the database until the server has cleared it up, and a backup had better be without it. */
import { readServerAddress } from "../data-directory/lock.ts";
import { documentsDatabasePath, openReading } from "../store/database.ts";
import { KnownFiles } from "./known-files.ts";

/** What is deleted whole is cleared up within a minute or two; beyond, the backup says that it is not. */
const CLEARING_MILLISECONDS = 120_000;
const CLEARING_LOOK_MILLISECONDS = 250;

/** Waits for a running server. Returns how many of the files that had been deleted when this began are not cleared up. */
export async function awaitClearing(dataDirectory: string, signal: AbortSignal): Promise<number> {
  using database = openReading(documentsDatabasePath(dataDirectory));
  const known = new KnownFiles(database);
  const deleted = new Set(known.unclearedRows());
  const deadline = performance.now() + CLEARING_MILLISECONDS;
  for (;;) {
    const left = known.unclearedRows().filter((row) => deleted.has(row)).length;
    if (left === 0 || performance.now() > deadline || readServerAddress(dataDirectory) === null) return left;
    await Bun.sleep(CLEARING_LOOK_MILLISECONDS);
    signal.throwIfAborted();
  }
}
