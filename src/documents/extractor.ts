/**
 * The parent's side of extraction: waiting files in front of a few child processes started on demand, fair to every customer.
 *
 * One process is never held for long: while somebody waits who used less, a file that has kept the last of them for half a second
 * is put back, and read from its beginning in one of the others. Where there is only one process, it waits for each file's end.
 */
import { fail } from "../foundation/errors.ts";
import { nextFile, type QueuedFile } from "./extraction-queue.ts";
import { ExtractorChild } from "./extractor-child.ts";
import { ReadingRecord } from "./reading-record.ts";
import type {
  DocumentExtractor,
  ExtractedDocument,
  ExtractionRequest,
  ExtractorOptions,
  Passage,
  TakePassages,
} from "./types.ts";

const RETRY_AFTER_SECONDS = 5;
/** Milliseconds of reading after which a file counts as long. */
const LONG_MILLISECONDS = 500;
/** How often it is looked whether one must be put back, while files wait and every process is taken. */
const LOOK_MILLISECONDS = 50;

interface File extends QueuedFile {
  /** Whether its reading is known or expected to take long: such files never hold all processes. */
  long: boolean;
  readonly request: ExtractionRequest;
  readonly take: TakePassages;
  /** Passages that were taken, also of a reading that was put back: the same file makes the same ones again. */
  taken: number;
  readonly signal: AbortSignal | undefined;
  resolve(document: ExtractedDocument): void;
  reject(reason: unknown): void;
  /** Stops listening to the signal. */
  forget(): void;
}

interface Reading {
  readonly file: File;
  readonly child: ExtractorChild;
  readonly startedAt: number;
}

/** Makes an extractor. No process runs until the first file comes. */
export function openDocumentExtractor(options: ExtractorOptions): DocumentExtractor {
  return new ExtractorPool(options);
}

class ExtractorPool implements DocumentExtractor {
  private readonly options: ExtractorOptions;
  private readonly record: ReadingRecord;
  /** Processes that long files may hold together. */
  private readonly mostLong: number;
  private readonly waiting = new Set<File>();
  private readonly readings = new Set<Reading>();
  private readonly idle: ExtractorChild[] = [];
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  private lookTimer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(options: ExtractorOptions) {
    this.options = options;
    this.record = new ReadingRecord(options.maxPauseSeconds);
    this.mostLong = Math.max(1, options.processes - 1);
  }

  extract(request: ExtractionRequest, take: TakePassages, signal?: AbortSignal): Promise<ExtractedDocument> {
    const { customerId, size } = request;
    const now = performance.now();
    if (this.closed) return Promise.reject(shuttingDown());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const retryAfter = this.record.pauseOf(customerId, now);
    if (retryAfter > 0) return Promise.reject(fail("UPLOADS_PAUSED", { retryAfter }));
    if (this.waiting.size >= this.options.maxQueued && this.readings.size >= this.options.processes) {
      return Promise.reject(fail("BUSY", { retryAfter: RETRY_AFTER_SECONDS }));
    }
    const { promise, resolve, reject } = Promise.withResolvers<ExtractedDocument>();
    const long = this.record.isSuspect(customerId, now);
    const known = { request, take, taken: 0, customerId, size, arrivedAt: now, long };
    this.wait({ ...known, signal, resolve, reject, forget: () => {} });
    this.startNext();
    return promise;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.idleTimer);
    this.refuse([...this.waiting], shuttingDown());
    const children = [...this.idle.splice(0), ...[...this.readings].map(({ child }) => child)];
    for (const child of children) child.kill(shuttingDown());
    await Promise.all(children.map((child) => child.exited()));
  }

  private wait(file: File): void {
    const abort = () => this.refuse([file], file.signal?.reason);
    file.signal?.addEventListener("abort", abort, { once: true });
    file.forget = () => file.signal?.removeEventListener("abort", abort);
    this.waiting.add(file);
  }

  private refuse(files: readonly File[], reason: unknown): void {
    for (const file of files) {
      this.waiting.delete(file);
      file.forget();
      file.reject(reason);
    }
  }

  private startNext(): void {
    while (this.readings.size < this.options.processes) {
      const next = this.next(this.longReadings() < this.mostLong);
      if (next === undefined) break;
      this.waiting.delete(next);
      next.forget();
      void this.read(next);
    }
    this.keepRoom();
  }

  /** Without `longToo`, no long file, and none of a customer who has one being read: the next is likely to be as long. */
  private next(longToo: boolean): File | undefined {
    const now = performance.now();
    const atLength = new Set([...this.readings].filter(({ file }) => file.long).map(({ file }) => file.customerId));
    const eligible = [...this.waiting].filter((file) => longToo || !(file.long || atLength.has(file.customerId)));
    return nextFile(eligible, (customerId) => this.usedSeconds(customerId, now));
  }

  private longReadings(): number {
    return [...this.readings].filter(({ file }) => file.long).length;
  }

  /** What a customer lately used, and is using. */
  private usedSeconds(customerId: string, now: number): number {
    const running = [...this.readings].filter(({ file }) => file.customerId === customerId);
    return running.reduce(
      (sum, { startedAt }) => sum + (now - startedAt) / 1000,
      this.record.secondsOf(customerId, now),
    );
  }

  private async read(file: File): Promise<void> {
    clearTimeout(this.idleTimer);
    const startedAt = performance.now();
    let reading: Reading | undefined;
    try {
      reading = { file, child: this.takeChild(), startedAt };
      this.readings.add(reading);
      file.resolve(await reading.child.read(file.request, takingNew(file), file.signal));
    } catch (error) {
      if (error === PUT_BACK) this.putBack(file);
      else file.reject(error);
    } finally {
      const now = performance.now();
      this.record.addSeconds(file.customerId, (now - startedAt) / 1000, now);
      if (reading !== undefined) this.giveBack(reading);
      if (reading?.child.brokenByFile) this.suspect(file.customerId, now);
      this.startNext();
    }
  }

  /** Frees a process when long files have come to hold all of them, and somebody waits who used less. */
  private keepRoom(): void {
    clearTimeout(this.lookTimer);
    const { processes } = this.options;
    if (this.closed || processes === 1 || this.readings.size < processes) return;
    const first = this.next(false);
    if (first === undefined) return;
    const now = performance.now();
    const most = this.usedSeconds(first.customerId, now) + LONG_MILLISECONDS / 1000;
    const held = [...this.readings].filter(
      ({ file, child }) =>
        !file.long &&
        child.millisecondsRead(now) >= LONG_MILLISECONDS &&
        this.usedSeconds(file.customerId, now) >= most,
    );
    for (const { file, child } of held.sort((one, other) => one.startedAt - other.startedAt)) {
      if (this.longReadings() < this.mostLong) file.long = true;
      else child.kill(PUT_BACK);
    }
    this.lookTimer = setTimeout(() => this.keepRoom(), LOOK_MILLISECONDS);
    this.lookTimer.unref();
  }

  private putBack(file: File): void {
    file.long = true;
    if (this.closed) file.reject(shuttingDown());
    else if (file.signal?.aborted) file.reject(file.signal.reason);
    else this.wait(file);
  }

  /** After a file that ran into a limit: the customer's others are expected to, and when it was one too many, they are refused. */
  private suspect(customerId: string, now: number): void {
    this.record.addHit(customerId, now);
    const waiting = [...this.waiting].filter((file) => file.customerId === customerId);
    for (const file of waiting) file.long = true;
    const retryAfter = this.record.pauseOf(customerId, now);
    if (retryAfter > 0) this.refuse(waiting, fail("UPLOADS_PAUSED", { retryAfter }));
  }

  private takeChild(): ExtractorChild {
    for (let child = this.idle.pop(); child !== undefined; child = this.idle.pop()) {
      if (child.alive) return child;
    }
    return new ExtractorChild(this.options);
  }

  private giveBack(reading: Reading): void {
    const { child } = reading;
    this.readings.delete(reading);
    if (this.closed) return;
    if (child.alive && child.worn) child.kill();
    else if (child.alive) this.idle.push(child);
    if (this.readings.size === 0) this.endWhenIdle();
  }

  private endWhenIdle(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      for (const child of this.idle.splice(0)) child.kill();
    }, this.options.idleSeconds * 1000);
    this.idleTimer.unref();
  }
}

/** Passes on what was not taken of an earlier reading. */
function takingNew(file: File): TakePassages {
  let read = 0;
  return async (passages: readonly Passage[]) => {
    const fresh = passages.slice(Math.max(0, file.taken - read));
    read += passages.length;
    if (fresh.length === 0) return;
    file.taken = read;
    await file.take(fresh);
  };
}

/** Why a child is ended whose file is to be read by another. */
const PUT_BACK = Symbol("put back");

function shuttingDown() {
  return fail("SHUTTING_DOWN", { retryAfter: RETRY_AFTER_SECONDS });
}
