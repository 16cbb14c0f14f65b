/** The parent's side of extraction: a bounded queue of files in front of a few child processes started on demand. */
import { fail } from "../errors.ts";
import { ExtractorChild } from "./extractor-child.ts";
import type { DocumentExtractor, ExtractedDocument, ExtractionRequest, ExtractorOptions } from "./types.ts";

const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  request: ExtractionRequest;
  signal: AbortSignal | undefined;
  resolve(document: ExtractedDocument): void;
  reject(reason: unknown): void;
  forget(): void;
}

/** Makes an extractor. No process runs until the first file comes. */
export function openDocumentExtractor(options: ExtractorOptions): DocumentExtractor {
  return new ExtractorPool(options);
}

class ExtractorPool implements DocumentExtractor {
  readonly #options: ExtractorOptions;
  readonly #waiting: Waiting[] = [];
  readonly #idle: ExtractorChild[] = [];
  readonly #busy = new Set<ExtractorChild>();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: ExtractorOptions) {
    this.#options = options;
  }

  extract(request: ExtractionRequest, signal?: AbortSignal): Promise<ExtractedDocument> {
    if (this.#closed) return Promise.reject(shuttingDown());
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#waiting.length >= this.#options.maxQueued && this.#busy.size >= this.#options.processes) {
      return Promise.reject(fail("BUSY", { retryAfter: RETRY_AFTER_SECONDS }));
    }
    const { promise, resolve, reject } = Promise.withResolvers<ExtractedDocument>();
    const abort = () => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(signal?.reason);
    };
    const forget = () => signal?.removeEventListener("abort", abort);
    const waiting: Waiting = { request, signal, resolve, reject, forget };
    signal?.addEventListener("abort", abort, { once: true });
    this.#waiting.push(waiting);
    this.#startNext();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    for (const waiting of this.#waiting.splice(0)) {
      waiting.forget();
      waiting.reject(shuttingDown());
    }
    const children = [...this.#idle.splice(0), ...this.#busy];
    for (const child of children) child.kill(shuttingDown());
    await Promise.all(children.map((child) => child.ended()));
  }

  #startNext(): void {
    while (this.#waiting.length > 0 && this.#busy.size < this.#options.processes) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next.forget();
      void this.#serve(next);
    }
  }

  async #serve(waiting: Waiting): Promise<void> {
    clearTimeout(this.#idleTimer);
    let child: ExtractorChild | undefined;
    try {
      child = this.#takeChild();
      this.#busy.add(child);
      waiting.resolve(await child.read(waiting.request, waiting.signal));
    } catch (error) {
      waiting.reject(error);
    } finally {
      if (child !== undefined) this.#giveBack(child);
      this.#startNext();
    }
  }

  #takeChild(): ExtractorChild {
    for (let child = this.#idle.pop(); child !== undefined; child = this.#idle.pop()) {
      if (child.alive) return child;
    }
    return new ExtractorChild(this.#options);
  }

  #giveBack(child: ExtractorChild): void {
    this.#busy.delete(child);
    if (this.#closed || !child.alive) return;
    if (child.worn) child.kill();
    else this.#idle.push(child);
    if (this.#busy.size === 0) this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      for (const child of this.#idle.splice(0)) child.kill();
    }, this.#options.idleSeconds * 1000);
    this.#idleTimer.unref();
  }
}

function shuttingDown() {
  return fail("SHUTTING_DOWN", { retryAfter: RETRY_AFTER_SECONDS });
}
