/**
 * Commits several waiting writes as one transaction, so that they share one fsync. Where one of them fails, each gets
 * a transaction of its own: a broken write never takes a good one down.
 */
import type { Database } from "bun:sqlite";
import type { ApplyWrite } from "./writes.ts";
import type { ChunkPiece, WriteRequest, WriteResult } from "./writer-protocol.ts";

export interface WaitingWrite {
  request: WriteRequest;
  pieces: readonly ChunkPiece[];
  succeed(result: WriteResult): void;
  fail(error: unknown): void;
}

/** Every write has been answered, and what succeeded is committed, when this returns. */
export function commitTogether(database: Database, apply: ApplyWrite, group: readonly WaitingWrite[]): void {
  try {
    const results = database.transaction(() => group.map(({ request, pieces }) => apply(request, pieces))).immediate();
    group.forEach((write, index) => write.succeed(results[index]!));
  } catch (error) {
    const [only, ...others] = group;
    if (only && others.length === 0) only.fail(error);
    else for (const write of group) commitTogether(database, apply, [write]);
  }
}
