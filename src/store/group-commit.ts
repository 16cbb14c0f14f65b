/**
 * Commits several waiting writes as one transaction, so that they share one fsync. Where one of them fails, each gets
 * a transaction of its own: a broken write never takes a good one down. What frees room may use the disk's reserve for it.
 */
import type { Database } from "bun:sqlite";
import { toStorageError, withReserve } from "./reserve-file.ts";
import type { ApplyWrite } from "./writes.ts";
import type { ChunkPiece, WriteRequest, WriteResult } from "./write-requests.ts";

export interface WaitingWrite {
  request: WriteRequest;
  pieces: readonly ChunkPiece[];
  succeed(result: WriteResult): void;
  fail(error: unknown): void;
}

/** They make the database's pages and the stored bytes free again, or lead to it. */
const FREES_ROOM: ReadonlySet<WriteRequest["kind"]> = new Set([
  "deleteFiles",
  "failUploadJob",
  "removeUploadJobs",
  "withdrawFiles",
  "discardDatasets",
  "noteDiscarded",
  "clearFiles",
  "forgetCustomer",
  "removeDiscarded",
]);

/** Every write has been answered, and what succeeded is committed, when this returns. `dataDirectory`: whose reserve may be used. */
export function commitTogether(
  database: Database,
  apply: ApplyWrite,
  group: readonly WaitingWrite[],
  dataDirectory: string,
): void {
  const commit = (): WriteResult[] =>
    database.transaction(() => group.map(({ request, pieces }) => apply(request, pieces))).immediate();
  try {
    const results = group.every(({ request }) => FREES_ROOM.has(request.kind))
      ? withReserve(dataDirectory, commit)
      : commit();
    group.forEach((write, index) => write.succeed(results[index]!));
  } catch (error) {
    const [only, ...others] = group;
    if (only && others.length === 0) only.fail(toStorageError(error));
    else for (const write of group) commitTogether(database, apply, [write], dataDirectory);
  }
}
