/** One extractor child process: gives it one file at a time, and kills it at the limits. */
import { fail, type LecternError } from "../foundation/errors.ts";
import { ChildProcess, type ProcessEnd } from "../remote/index.ts";
import type { FileReader } from "./extractor-role.ts";
import { ReadingTime } from "./reading-time.ts";
import type { ExtractedDocument, ExtractionRequest, ExtractorOptions, TakePassages } from "./types.ts";

const POLL_MILLISECONDS = 50;
const START_SECONDS = 30;

export class ExtractorChild {
  private readonly child: ChildProcess<FileReader>;
  private current: ExtractionRequest | null = null;
  private isReady = false;
  /** Resident bytes when the child had read nothing yet. */
  private baseline = 0;
  private isBroken = false;
  /** When the file being read was handed over, in milliseconds. */
  private readSince: number | null = null;
  private onProgress: (fraction: number) => void = () => {};

  constructor(private readonly options: ExtractorOptions) {
    this.child = new ChildProcess<FileReader>({
      command: options.command,
      environment: { ...options.environment, BUN_JSC_forceRAMSize: String(heapBytes(options)) },
      reasonFor: (end) => this.ended(end),
      startsPrograms: true,
    });
    this.child.ready.then(
      () => {
        this.baseline = this.child.residentBytes();
        this.isReady = true;
        this.child.connection.calls
          .reportTo((fraction) => this.onProgress(fraction), options.onTrouble)
          .catch(() => undefined);
      },
      () => undefined,
    );
  }

  get alive(): boolean {
    return this.child.alive;
  }

  /** True when the child is gone because a file ran into a limit or broke it. */
  get brokenByFile(): boolean {
    return this.isBroken;
  }

  /** Milliseconds for which a file has been read; 0 while there is none. */
  millisecondsRead(now: number): number {
    return this.readSince === null ? 0 : now - this.readSince;
  }

  /** True when the child holds on to so much memory after a file that a fresh one should take its place. */
  get worn(): boolean {
    return this.grownBytes > (this.options.maxMemoryMegabytes * 1024 * 1024) / 2;
  }

  /**
   * Reads one file. The child must not be reading another. An abort kills the child: a parser cannot be interrupted. `onProgress` is told
   * each time that more of it has been recognised.
   */
  async read(
    request: ExtractionRequest,
    take: TakePassages,
    signal: AbortSignal | undefined,
    onProgress: (fraction: number) => void,
  ): Promise<ExtractedDocument> {
    const abort = () => this.kill(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const startTimer = setTimeout(
      () => this.kill(startFailure(`it was not ready after ${START_SECONDS} s`)),
      START_SECONDS * 1000,
    );
    try {
      await this.child.ready;
      clearTimeout(startTimer);
      return await this.readWithinLimits(request, take, onProgress);
    } finally {
      clearTimeout(startTimer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Ends the process at once. A file being read is refused with the reason. */
  kill(reason?: unknown): void {
    this.child.kill(reason);
  }

  /** Resolves when the process is gone. */
  exited(): Promise<void> {
    return this.child.exited();
  }

  private get grownBytes(): number {
    return this.child.residentBytes() - this.baseline;
  }

  private async readWithinLimits(
    request: ExtractionRequest,
    take: TakePassages,
    onProgress: (fraction: number) => void,
  ): Promise<ExtractedDocument> {
    const { maxTextCharacters, maxChunks, recognition, maxMemoryMegabytes } = this.options;
    let memory = maxMemoryMegabytes;
    this.current = request;
    const time = new ReadingTime(this.options, () => this.child.processorSeconds());
    this.onProgress = (fraction) => {
      memory = Math.max(memory, this.options.maxRecognitionMemoryMegabytes);
      if (time.progressed(fraction)) onProgress(fraction);
    };
    const limits = setInterval(() => {
      const tooLong = time.excess();
      if (tooLong !== null) this.refuseAndKill(request, tooLong);
      if (this.grownBytes > memory * 1024 * 1024) {
        const option = memory === maxMemoryMegabytes ? "--extract-memory" : "--recognise-memory";
        this.refuseAndKill(
          request,
          `reading it takes more than ${memory} MB of memory; whoever runs the server can allow more by ${option}`,
        );
      }
    }, POLL_MILLISECONDS);
    this.readSince = performance.now();
    try {
      let document: ExtractedDocument | null = null;
      const { read } = this.child.connection.streams;
      for await (const item of read(request, { maxTextCharacters, maxChunks }, recognition)) {
        if ("document" in item) document = item.document;
        else await take(item.passages);
      }
      if (document === null) throw new Error("the extractor process said nothing of the document");
      return document;
    } finally {
      clearInterval(limits);
      this.onProgress = () => {};
      this.current = null;
      this.readSince = null;
    }
  }

  private refuseAndKill(request: ExtractionRequest, reason: string): void {
    if (!this.alive) return;
    this.isBroken = true;
    this.kill(unreadable(request, reason));
  }

  /** What is said of a file whose reader ended by itself. */
  private ended(end: ProcessEnd): unknown {
    if (!this.isReady) return startFailure(`it ended with ${end.message}`);
    if (this.current === null) return end;
    this.isBroken = true;
    // Nobody else kills: the kernel does, when memory runs out, and takes this process first.
    const reason =
      end.signal === "SIGKILL" ? "reading it takes more memory than there is" : "it breaks the program that reads it";
    return unreadable(this.current, reason, end);
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
