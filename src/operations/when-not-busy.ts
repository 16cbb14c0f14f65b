/** Waits for its turn where uploads and searches may fill a queue: for work that has time. */
import { LecternError } from "../foundation/errors.ts";

const BUSY_MILLISECONDS = 250;

/** Does `work`, again for as long as it throws BUSY. Throws the signal's reason once it is aborted, and what else `work` throws. */
export async function whenNotBusy<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LecternError && error.code === "BUSY")) throw error;
      await Bun.sleep(BUSY_MILLISECONDS);
      signal.throwIfAborted();
    }
  }
}
