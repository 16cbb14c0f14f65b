/** What the commands for backups have in common: a bar, and an orderly end when they are interrupted. */
import { Interruption } from "../ingest/interruption.ts";
import { startByteProgress } from "../progress.ts";
import { note } from "../terminal.ts";

export interface Working {
  readonly signal: AbortSignal;
  /** Begins to draw towards so many bytes; returns what counts them. */
  readonly begin: (bytes: number) => (bytes: number) => void;
}

/** Milliseconds between two messages. */
const TOLD_EVERY = 250;

/** Tells a program that started this one and listens, such as a server, what share is done. */
function startTelling(total: number): (bytes: number) => void {
  let [done, lastTold] = [0, 0];
  return (bytes) => {
    done += bytes;
    const time = performance.now();
    if (process.send === undefined || time - lastTold < TOLD_EVERY) return;
    lastTold = time;
    process.send({ share: Math.min(1, done / Math.max(1, total)) });
  };
}

/** Runs the work; resolves to the exit code. What is made is whole or not there, also when it is interrupted. */
export async function withByteProgress(work: (working: Working) => Promise<void>): Promise<number> {
  using interruption = new Interruption();
  let finish = (): void => {};
  const begin: Working["begin"] = (bytes) => {
    const progress = startByteProgress(bytes);
    finish = progress.finish;
    const tellParent = startTelling(bytes);
    return (done) => {
      progress.advance(done);
      tellParent(done);
    };
  };
  try {
    await work({
      signal: interruption.signal,
      begin,
    });
    return 0;
  } catch (error) {
    if (interruption.exitCode === null) throw error;
    note("lectern: Interrupted. Nothing was kept.");
    return interruption.exitCode;
  } finally {
    finish();
  }
}
