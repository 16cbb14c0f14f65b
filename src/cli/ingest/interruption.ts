/** Ctrl-C, and SIGTERM, for work that shall come to an orderly end. A second one ends the process at once. */

/** As shells tell of processes that these signals ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

type EndingSignal = keyof typeof EXIT_CODES;

const SIGNALS = Object.keys(EXIT_CODES) as EndingSignal[];

export class Interruption implements Disposable {
  private readonly controller = new AbortController();
  private ending: EndingSignal | null = null;

  constructor() {
    for (const name of SIGNALS) process.once(name, this.interrupt);
  }

  /** Aborted as soon as the process shall end. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Of a process that was interrupted; null: it was not. */
  get exitCode(): number | null {
    return this.ending === null ? null : EXIT_CODES[this.ending];
  }

  [Symbol.dispose](): void {
    for (const name of SIGNALS) process.removeListener(name, this.interrupt);
  }

  private readonly interrupt = (name: EndingSignal): void => {
    this.ending ??= name;
    this.controller.abort(name);
  };
}
