/**
 * Clears up in the background what was deleted and discarded: nothing reaches it any more, but its bytes and rows are there. For each few
 * files first the bytes go, then the rows, which are what is left to do: whatever ends the process, the next one goes on.
 */
import type { FileStorage } from "../files/index.ts";
import type { Log } from "../foundation/log.ts";
import type { Store, StoredFile } from "../store/index.ts";
import { BackgroundLoop } from "./background-loop.ts";
import { collect, pagesOf } from "./paging.ts";

/** Chunks removed in one transaction: some ten milliseconds, for which uploads wait. */
const CHUNKS_PER_STEP = 256;
const PAUSE_BETWEEN_STEPS = 20;
/** After bytes could not be removed. */
const PAUSE_AFTER_FAILURE = 60_000;

interface ClearingEngines {
  readonly store: Store;
  readonly storage: FileStorage;
  readonly log: Log;
}

export class Clearing {
  private readonly loop: BackgroundLoop;
  /** Discarded datasets whose files are still to be noted as deleted. */
  private readonly unnoted = new Set<number>();
  /** Files whose bytes could not be removed, left alone for a while, and why it was so with the last of them. */
  private readonly stuck = new Set<string>();
  private cause: unknown;
  private retry: Timer | undefined;

  constructor(private readonly engines: ClearingEngines) {
    this.loop = new BackgroundLoop({
      work: (signal) => this.clear(signal),
      failure: "Deleted files could not be cleared up; trying again",
      log: engines.log,
    });
  }

  /** Begins with what the last process left. To be called once, before any deletion. */
  start(): void {
    for (const { id, isNoted } of this.engines.store.discardedDatasets()) if (!isNoted) this.unnoted.add(id);
    this.loop.restart();
  }

  /** There is more to clear up. */
  lookAgain(): void {
    this.loop.lookAgain();
  }

  /** Leaves it to this to note the files of discarded datasets as deleted as well: whoever was to do so has failed. */
  takeUp(discardedIds: readonly number[]): void {
    for (const discardedId of discardedIds) this.unnoted.add(discardedId);
    this.lookAgain();
  }

  /** Ends behind the step that is under way. */
  async stop(): Promise<void> {
    await this.loop.stop();
    clearTimeout(this.retry);
  }

  private async clear(signal: AbortSignal): Promise<void> {
    const { store } = this.engines;
    try {
      for (const { id, isNoted } of store.discardedDatasets()) {
        if (!isNoted && !this.unnoted.has(id)) continue;
        if (!isNoted) await this.note(id);
        this.unnoted.delete(id);
        for (const files of pagesOf((page) => store.discardedFiles(id, page))) await this.clearFiles(files, signal);
      }
    } finally {
      if (this.stuck.size > 0) this.retryLater();
    }
  }

  private async note(discardedId: number): Promise<void> {
    const { store, storage } = this.engines;
    const files = await collect(pagesOf((page) => store.discardedFiles(discardedId, page)));
    await storage.noteDeletions(files.map(({ fileId }) => fileId));
    await store.noteDiscarded([discardedId]);
  }

  private async clearFiles(files: readonly StoredFile[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const fileRows = await this.unlink(files.filter(({ fileId }) => !this.stuck.has(fileId)));
    while (await this.engines.store.clearFiles(fileRows, CHUNKS_PER_STEP)) await pause(signal);
    await pause(signal);
  }

  /** Removes the bytes of a page of files, side by side. Returns the rows of those whose bytes are gone. */
  private async unlink(files: readonly StoredFile[]): Promise<number[]> {
    const unlinked: number[] = [];
    await Promise.all(
      files.map(async ({ id, fileId }) => {
        try {
          await this.engines.storage.unlink([fileId]);
          unlinked.push(id);
        } catch (error) {
          this.stuck.add(fileId);
          this.cause = error;
        }
      }),
    );
    return unlinked;
  }

  private retryLater(): void {
    if (this.retry !== undefined) return;
    this.engines.log.error("The bytes of deleted files could not be removed; trying again", {
      files: this.stuck.size,
      afterMilliseconds: PAUSE_AFTER_FAILURE,
      cause: this.cause,
    });
    this.retry = setTimeout(() => {
      this.retry = undefined;
      this.stuck.clear();
      this.lookAgain();
    }, PAUSE_AFTER_FAILURE);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await Bun.sleep(PAUSE_BETWEEN_STEPS);
  signal.throwIfAborted();
}
