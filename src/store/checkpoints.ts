/**
 * Checkpoints databases that another thread writes, so that that thread never waits for the fsync: every now and then
 * their write-ahead logs are moved into place.
 */
import { existsSync } from "node:fs";
import type { Database } from "bun:sqlite";
import { checkpoint, openExisting, PATIENCE_MILLISECONDS } from "./database.ts";

/** Starts with the first round after `milliseconds`; paths where there is no database yet are looked at again each round. */
export function startCheckpoints(paths: readonly string[], milliseconds: number): { stop(): void } {
  const open = new Map<string, Database>();

  function visit(path: string): void {
    try {
      let database = open.get(path);
      if (!database) {
        if (!existsSync(path)) return;
        open.set(path, (database = openExisting(path, PATIENCE_MILLISECONDS)));
      }
      checkpoint(database);
    } catch {
      // The log stays as it is and loses nothing. What stops a checkpoint (a full or broken disk) stops commits
      // too, and they report it to someone.
    }
  }

  const timer = setInterval(() => paths.forEach(visit), milliseconds);
  return {
    stop() {
      clearInterval(timer);
      for (const database of open.values()) database.close();
    },
  };
}
