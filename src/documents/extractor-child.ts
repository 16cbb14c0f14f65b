/** One extractor child process: starts it, gives it one file at a time, and kills it at the limits. */
import { readFileSync } from "node:fs";
import { fail } from "../errors.ts";
import type { LecternError } from "../errors.ts";
import type { ChildMessage, ReadMessage } from "./extractor-protocol.ts";
import type { ExtractedDocument, ExtractionRequest, ExtractorOptions } from "./types.ts";

const POLL_MILLISECONDS = 50;
/** A reader gives way to searches: what it may take of the clock is so many times what it may take of a processor. */
const MOST_CLOCK_TIME = 4;
/** As Linux counts processor time, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;
const START_SECONDS = 30;
/** The end of what a child wrote to stderr, kept to explain a crash in the log. */
const KEPT_STDERR_CHARACTERS = 2000;

interface RunningRead {
  request: ExtractionRequest;
  /** Those that have come so far. */
  chunks: string[];
  resolve(document: ExtractedDocument): void;
  reject(reason: unknown): void;
}

export class ExtractorChild {
  readonly #options: ExtractorOptions;
  readonly #process: Bun.Subprocess<"ignore", "ignore", "pipe">;
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #current: RunningRead | null = null;
  /** Resident bytes when the child had read nothing yet. */
  #baseline = 0;
  #killReason: unknown;
  #stderr = "";
  #dead = false;
  #brokenByFile = false;
  /** When the file being read was handed over, in milliseconds. */
  #readSince: number | null = null;

  constructor(options: ExtractorOptions) {
    this.#options = options;
    // A start that fails is reported through the read that waits for it.
    this.#ready.promise.catch(() => undefined);
    this.#process = Bun.spawn(options.command, {
      env: { ...options.environment, BUN_JSC_forceRAMSize: String(heapBytes(options)) },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      serialization: "advanced",
      ipc: (message: ChildMessage) => this.#receive(message),
      onExit: (_process, exitCode, signal) => this.#exited(exitCode, signal),
    });
    void this.#keepStderr();
  }

  get alive(): boolean {
    return !this.#dead;
  }

  /** True when the child is gone because a file ran into a limit or broke it. */
  get brokenByFile(): boolean {
    return this.#brokenByFile;
  }

  /** Milliseconds for which a file has been read; 0 while there is none. */
  millisecondsRead(now: number): number {
    return this.#readSince === null ? 0 : now - this.#readSince;
  }

  /** True when the child holds on to so much memory after a file that a fresh one should take its place. */
  get worn(): boolean {
    const grown = (residentBytes(this.#process.pid) ?? 0) - this.#baseline;
    return grown > (this.#options.maxMemoryMegabytes * 1024 * 1024) / 2;
  }

  /** Reads one file. The child must not be reading another. An abort kills the child: a parser cannot be interrupted. */
  async read(request: ExtractionRequest, signal: AbortSignal | undefined): Promise<ExtractedDocument> {
    const abort = () => this.kill(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const startTimer = setTimeout(
      () => this.kill(startFailure(`it was not ready after ${START_SECONDS} s`)),
      START_SECONDS * 1000,
    );
    try {
      await this.#ready.promise;
      clearTimeout(startTimer);
      return await this.#readWithinLimits(request);
    } finally {
      clearTimeout(startTimer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Ends the process at once. A file being read is refused with the reason. */
  kill(reason?: unknown): void {
    if (this.#dead) return;
    this.#killReason ??= reason;
    this.#dead = true;
    this.#process.kill("SIGKILL");
  }

  /** Resolves when the process is gone. */
  async ended(): Promise<void> {
    await this.#process.exited;
  }

  async #readWithinLimits(request: ExtractionRequest): Promise<ExtractedDocument> {
    const { maxSeconds, maxMemoryMegabytes, maxTextCharacters, maxChunks } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<ExtractedDocument>();
    this.#current = { request, chunks: [], resolve, reject };
    const tooLong = `reading it takes longer than ${maxSeconds} seconds`;
    const clockLimit = setTimeout(() => this.#refuseAndKill(request, tooLong), maxSeconds * MOST_CLOCK_TIME * 1000);
    const processorLimit = (processorSeconds(this.#process.pid) ?? 0) + maxSeconds;
    const limits = setInterval(() => {
      if ((processorSeconds(this.#process.pid) ?? 0) > processorLimit) this.#refuseAndKill(request, tooLong);
      const grown = (residentBytes(this.#process.pid) ?? 0) - this.#baseline;
      if (grown > maxMemoryMegabytes * 1024 * 1024) {
        this.#refuseAndKill(request, `reading it takes more than ${maxMemoryMegabytes} MB of memory`);
      }
    }, POLL_MILLISECONDS);
    this.#readSince = performance.now();
    try {
      this.#process.send({ kind: "read", request, limits: { maxTextCharacters, maxChunks } } satisfies ReadMessage);
      return await promise;
    } finally {
      clearTimeout(clockLimit);
      clearInterval(limits);
      this.#current = null;
      this.#readSince = null;
    }
  }

  #refuseAndKill(request: ExtractionRequest, reason: string): void {
    if (this.#dead) return;
    this.#brokenByFile = true;
    this.kill(unreadable(request, reason));
  }

  #receive(message: ChildMessage): void {
    if (message.kind === "ready") {
      this.#baseline = residentBytes(this.#process.pid) ?? 0;
      this.#isReady = true;
      this.#ready.resolve();
    } else if (message.kind === "chunks") {
      this.#current?.chunks.push(...message.chunks);
    } else if (message.kind === "done") {
      this.#current?.resolve({ ...message.document, chunks: this.#current.chunks });
    } else {
      const cause = message.cause === undefined ? undefined : new Error(message.cause);
      this.#current?.reject(fail(message.code, message.values, message.details, cause));
    }
  }

  #exited(exitCode: number | null, signal: number | string | null): void {
    this.#dead = true;
    const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
    if (!this.#isReady) this.#ready.reject(this.#killReason ?? startFailure(`it ended with ${how}: ${this.#stderr}`));
    const current = this.#current;
    if (current === null) return;
    if (this.#killReason !== undefined) return current.reject(this.#killReason);
    this.#brokenByFile = true;
    // Nobody else kills: the kernel does, when memory runs out, and takes this process first.
    const reason =
      signal === "SIGKILL" ? "reading it takes more memory than there is" : "it breaks the program that reads it";
    current.reject(unreadable(current.request, reason, new Error(`${how}: ${this.#stderr}`)));
  }

  async #keepStderr(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of this.#process.stderr) {
      this.#stderr = (this.#stderr + decoder.decode(bytes, { stream: true })).slice(-KEPT_STDERR_CHARACTERS);
    }
  }
}

/**
 * The memory that the child's garbage collector believes the machine has. It collects in time then, instead of letting
 * garbage grow to the limit; the rest is for what lies outside its heap.
 */
function heapBytes({ maxMemoryMegabytes }: ExtractorOptions): number {
  return Math.round(maxMemoryMegabytes * 1024 * 1024 * 0.4);
}

function unreadable(request: ExtractionRequest, reason: string, cause?: Error): LecternError {
  const file = request.originalName;
  return fail("UNREADABLE_FILE", { file, reason }, { file }, cause);
}

/** The file is not to blame when no child comes up at all. */
function startFailure(what: string): LecternError {
  return fail("INTERNAL", {}, undefined, new Error(`The extractor process did not start: ${what}`));
}

/** Seconds of a processor that the first thread of a process, which reads, has used; null where /proc does not tell. */
function processorSeconds(processId: number): number | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${processId}/task/${processId}/stat`, "utf8");
  } catch {
    return null;
  }
  // Behind the name, which may hold anything, the 12th and 13th field.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process, or null where /proc does not tell (no Linux, or the process is gone). */
function residentBytes(processId: number): number | null {
  let status: string;
  try {
    status = readFileSync(`/proc/${processId}/status`, "utf8");
  } catch {
    return null;
  }
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
