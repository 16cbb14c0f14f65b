/** Keeps work running in the background of a server: again after a failure, and anew when there is more to do. */
import { nextPause } from "../foundation/growing-pause.ts";
import type { Log } from "../foundation/log.ts";

const PAUSES = { least: 1000, most: 60_000 };

export interface BackgroundWork {
  /** Does all there is to do; when aborted, throws behind the step that is under way. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Logged with the cause when the work failed and will be tried again. */
  readonly failure: string;
  readonly log: Log;
}

export class BackgroundLoop {
  private readonly stopping = new AbortController();
  private current = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private isStarted = false;
  private isBusy = false;
  private again = false;

  constructor(private readonly background: BackgroundWork) {}

  /** Begins, or begins anew: what is under way is aborted. */
  restart(): void {
    if (this.stopping.signal.aborted) return;
    this.isStarted = true;
    this.current.abort();
    this.current = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, this.current.signal]);
    this.running = this.running.then(() => this.run(signal));
  }

  /** Looks once more, when what is under way has ended, for what there is to do. Not before the first `restart`. */
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
    const { work, failure, log } = this.background;
    for (let pause = nextPause(0, PAUSES); ; pause = nextPause(pause, PAUSES)) {
      try {
        return await work(signal);
      } catch (error) {
        if (signal.aborted) return;
        log.error(failure, { afterMilliseconds: pause, cause: error });
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
      });
    }
  }
}
