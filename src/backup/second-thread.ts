/** A second thread for a backup that is made or restored: most of the work is a processor's, and there are others. */
import { startThread } from "../remote/thread.ts";
import type { BlockRange, PutBlocks } from "./blocks.ts";
import type { BackupWork, BlockWork } from "./worker.ts";

export interface Faults {
  readonly path: string;
  /** What SQLite said. */
  readonly faults: string;
}

/** Does one thing after the other, in the order in which they are asked for. */
export class SecondThread implements AsyncDisposable {
  private readonly thread = startThread<BackupWork>("src/backup/worker.ts");
  /** What was asked for last. */
  private last: Promise<unknown> = Promise.resolve();

  /** The first of these databases that SQLite finds broken; null: none is. */
  async firstBroken(paths: readonly string[]): Promise<Faults | null> {
    const found = await this.noted(Promise.all(paths.map((path) => this.thread.calls.faultsIn(path))));
    const index = found.findIndex((faults) => faults !== null);
    return index === -1 ? null : { path: paths[index]!, faults: found[index]! };
  }

  /** Says of what `putBlocks` puts blocks. The image's descriptors stay open until this is disposed of. */
  async copyFrom(work: BlockWork): Promise<void> {
    await this.noted(this.thread.calls.copyFrom(work));
  }

  putBlocks(range: BlockRange): Promise<PutBlocks & { written: number }> {
    return this.noted(this.thread.calls.putBlocks(range));
  }

  /** Waits for what was asked for: the thread may not be ended amid SQLite's work, nor descriptors be closed that it reads. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.last;
    this.thread.kill(new Error("Nothing is left to do."));
  }

  private noted<Result>(work: Promise<Result>): Promise<Result> {
    this.last = Promise.allSettled([this.last, work]);
    return work;
  }
}
