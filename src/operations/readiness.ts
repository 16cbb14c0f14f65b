/** Whether the server can do its work right now, looking only at what is known without asking anybody. */
import { fail } from "../foundation/errors.ts";
import type { Engines } from "./engines.ts";

/**
 * Throws what a request that needs the whole server would be told: INSUFFICIENT_STORAGE, RESTARTING while one of the threads that
 * write, embed or search is gone, BUSY when the database does not answer. Returns what is stored.
 */
export function checkReady({ diskRoom, store, models, secondStage }: Engines): { chunks: number } {
  if (diskRoom.reserve.missing) throw fail("INSUFFICIENT_STORAGE");
  store.checkWritable();
  for (const { embedder, search } of models.all) for (const part of [embedder, search]) part.check();
  secondStage?.ranking.check();
  try {
    return { chunks: store.statistics().chunks };
  } catch (error) {
    throw fail("BUSY", { retryAfter: 1 }, undefined, error);
  }
}
