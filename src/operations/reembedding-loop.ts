/** Keeps `reembedAll` running in the background of a server: again after a failure, and anew when another model is chosen. */
import type { Engines } from "./engines.ts";
import { reembedAll } from "./reembed.ts";

const FIRST_PAUSE_MILLISECONDS = 1000;
const LONGEST_PAUSE_MILLISECONDS = 60_000;

export class ReembeddingLoop {
  private readonly stopping = new AbortController();
  private current = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private isStarted = false;
  private isBusy = false;
  private again = false;

  constructor(private readonly engines: Pick<Engines, "store" | "models" | "log">) {}

  /** Begins, or begins anew: with the model that is chosen now. */
  restart(): void {
    if (this.stopping.signal.aborted) return;
    this.isStarted = true;
    this.current.abort();
    this.current = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, this.current.signal]);
    this.running = this.running.then(() => this.run(signal));
  }

  /** Looks once more, when what is under way has ended, for datasets of other models. Not before the first `restart`. */
  lookAgain(): void {
    if (!this.isStarted) return;
    if (this.isBusy) this.again = true;
    else this.restart();
  }

  /** Ends behind the step that is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(signal: AbortSignal): Promise<void> {
    this.isBusy = true;
    do {
      this.again = false;
      await this.untilDone(signal);
    } while (this.again && !signal.aborted);
    this.isBusy = false;
  }

  private async untilDone(signal: AbortSignal): Promise<void> {
    for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause = Math.min(LONGEST_PAUSE_MILLISECONDS, pause * 2)) {
      try {
        return await reembedAll(this.engines, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.engines.log.error("A dataset could not be embedded anew; trying again", {
          afterMilliseconds: pause,
          cause: error,
        });
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
      });
    }
  }
}
