/** Checkpoints, written one after the other in a thread that is there only for so long. */
import { startThread, type Connection } from "../remote/index.ts";
import type { BuildJob } from "./types.ts";
import type { CheckpointBuilder } from "./vectors/builder.ts";

/** Milliseconds that the native call under way may take at the end: a thread that is ended inside one takes the process with it. */
const CLOSE_MILLISECONDS = 30_000;

export class Builds {
  /** Jobs that are being done or wait for it. */
  waiting = 0;
  private thread: Connection<CheckpointBuilder> | null = null;
  private running: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** Writes it when its turn comes, and tells whoever wanted it why it failed, null when it did not; nobody at the end. */
  build(job: BuildJob, tell: (failure: string | null) => Promise<void>): void {
    this.waiting++;
    this.running = this.running.then(async () => {
      const failure = await this.write(job);
      if (--this.waiting === 0) await this.endThread();
      if (!this.isClosed) await tell(failure);
    });
  }

  /** Waits for the native call under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.endThread();
    await this.running;
  }

  /** A thread that ended by itself is replaced for the next one. */
  private async write(job: BuildJob): Promise<string | null> {
    if (this.isClosed) return null;
    if (this.thread === null || this.thread.isEnded) this.thread = startThread("src/search/vectors/builder.ts");
    try {
      await this.thread.calls.build(job);
      return null;
    } catch (error) {
      return (((error as Error).cause ?? error) as Error).message;
    }
  }

  private async endThread(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    await thread?.close((builder) => builder.stop(), CLOSE_MILLISECONDS);
  }
}
