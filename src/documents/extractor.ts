/**
 * The parent's side of extraction: waiting files in front of a few child processes started on demand, fair to every customer.
 *
 * One process is never held for long: while somebody waits who used less, a file that has kept the last of them for half a second
 * is put back, and read from its beginning in one of the others. Where there is only one process, it waits for each file's end.
 *
 * Scans and recordings, which take minutes and hours, are read beside the others as soon as they show progress: they hold all processes but
 * one at most, and are not put back once they are under way. Where they would leave the others fewer than two, one process more is started.
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
/** Processes that are there for files that are not recognised, as long as there are so many at all. */
const LEFT_TO_OTHERS = 2;
/** Seconds: what a process that never rests comes to as they fade. More is held against nobody. */
const MOST_USED_SECONDS = 87;
/** How often it is looked whether one must be put back, while files wait and every process is taken. */
const LOOK_MILLISECONDS = 50;

interface File extends QueuedFile {
  /** Whether its reading is known or expected to take long: such files never hold all processes. */
  long: boolean;
  /** Whether it has shown progress in being recognised, which takes minutes and hours. */
  recognised: boolean;
  readonly request: ExtractionRequest;
  readonly take: TakePassages;
  /** Passages that were taken, also of a reading that was put back: the same file makes the same ones again. */
  taken: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (fraction: number) => void;
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
  /** Processes that files which are recognised may hold together. */
  private readonly mostRecognised: number;
  private readonly waiting = new Set<File>();
  private readonly readings = new Set<Reading>();
  private readonly idle: ExtractorChild[] = [];
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  private lookTimer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(options: ExtractorOptions) {
    this.options = options;
    this.record = new ReadingRecord(options.maxPauseSeconds);
    this.mostRecognised = Math.max(1, options.processes - 1);
  }

  extract(
    request: ExtractionRequest,
    take: TakePassages,
    signal?: AbortSignal,
    onProgress: (fraction: number) => void = () => {},
  ): Promise<ExtractedDocument> {
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
    const known = { request, take, taken: 0, customerId, size, arrivedAt: now, long, recognised: false };
    this.wait({ ...known, signal, onProgress, resolve, reject, forget: () => {} });
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
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.waiting.delete(next);
      next.forget();
      void this.read(next);
    }
    this.keepRoom();
  }

  /** The file whose turn it is, of those for which there is a process. */
  private next(): File | undefined {
    const longToo = this.longReadings() < this.mostLong;
    const isRoom = this.otherReadings() < this.roomForOthers;
    const recognisedToo =
      this.readings.size < this.options.processes && this.recognisedReadings() < this.mostRecognised;
    return this.choose((file) => (file.recognised ? recognisedToo : isRoom && (longToo || this.mayBeShort(file))));
  }

  private choose(isEligible: (file: File) => boolean): File | undefined {
    const now = performance.now();
    const eligible = [...this.waiting].filter(isEligible);
    return nextFile(eligible, (customerId) => this.usedSeconds(customerId, now));
  }

  /** No long file, and none of a customer who has one being read: the next is likely to be as long. */
  private mayBeShort({ long, customerId }: File): boolean {
    return !long && ![...this.readings].some(({ file }) => isLong(file) && file.customerId === customerId);
  }

  /** Processes for files that are not recognised. */
  private get roomForOthers(): number {
    const { processes } = this.options;
    return Math.max(Math.min(processes, LEFT_TO_OTHERS), processes - this.recognisedReadings());
  }

  /** Of these, what long files may hold together. */
  private get mostLong(): number {
    return Math.max(1, this.roomForOthers - 1);
  }

  private longReadings(): number {
    return [...this.readings].filter(({ file }) => isLong(file)).length;
  }

  private recognisedReadings(): number {
    return [...this.readings].filter(({ file }) => file.recognised).length;
  }

  private otherReadings(): number {
    return this.readings.size - this.recognisedReadings();
  }

  /** What a customer lately used, and is using. */
  private usedSeconds(customerId: string, now: number): number {
    const running = [...this.readings].filter(({ file }) => file.customerId === customerId);
    return running.reduce(
      (sum, { startedAt }) => sum + countedSeconds(startedAt, now),
      this.record.secondsOf(customerId, now),
    );
  }

  private async read(file: File): Promise<void> {
    clearTimeout(this.idleTimer);
    const startedAt = performance.now();
    let reading: Reading | undefined;
    try {
      const begun = { file, child: this.takeChild(), startedAt };
      this.readings.add((reading = begun));
      const onProgress = (fraction: number) => this.progressed(begun, fraction);
      file.resolve(await begun.child.read(file.request, takingNew(file), file.signal, onProgress));
    } catch (error) {
      if (error === PUT_BACK) this.putBack(file);
      else file.reject(error);
    } finally {
      const now = performance.now();
      this.record.addSeconds(file.customerId, countedSeconds(startedAt, now), now);
      if (reading !== undefined) this.giveBack(reading);
      if (reading?.child.brokenByFile) this.suspect(file.customerId, now);
      this.startNext();
    }
  }

  /** A file that turns out to be recognised makes room for the others; one too many has hardly begun, and waits for its turn. */
  private progressed({ file, child }: Reading, fraction: number): void {
    if (!file.recognised) {
      file.recognised = true;
      if (this.recognisedReadings() > this.mostRecognised) return child.kill(PUT_BACK);
      this.startNext();
    }
    file.onProgress(fraction);
  }

  /** Frees a process when long files have come to hold all of them, and somebody waits who used less. */
  private keepRoom(): void {
    clearTimeout(this.lookTimer);
    const room = this.roomForOthers;
    if (this.closed || room === 1 || this.otherReadings() < room) return;
    const first = this.choose((file) => !file.recognised && this.mayBeShort(file));
    if (first === undefined) return;
    const now = performance.now();
    const most = this.usedSeconds(first.customerId, now) + LONG_MILLISECONDS / 1000;
    const held = [...this.readings].filter(
      ({ file, child }) =>
        !file.long &&
        !file.recognised &&
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

/** Whether it holds one of the processes for files that are not recognised, and for long. */
const isLong = (file: File): boolean => file.long && !file.recognised;

const countedSeconds = (since: number, now: number): number => Math.min(MOST_USED_SECONDS, (now - since) / 1000);

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
