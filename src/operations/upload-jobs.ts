/**
 * The files that were accepted and are read in the background: which is read next, how many at once, and how far they are. What is to be
 * done stands in the store, so that a restart goes on with it; here is only what this process does about it.
 */
import { fail } from "../foundation/errors.ts";
import { nextPause } from "../foundation/growing-pause.ts";
import type { UploadJob } from "../store/index.ts";

/** Part of the room that is kept for customers who have no file in it. */
const KEPT_SHARE = 0.25;
/** Seconds after which an upload refused for lack of room may try again. */
const RETRY_WHEN_FULL = 30;
/** Milliseconds before a file is tried again that could not be read for want of something of ours. */
const PAUSES = { least: 1000, most: 60_000 };

/** What became of a file that was begun: there is nothing left to do about it, or it is to be tried again. */
export type JobOutcome = "ended" | { readonly retryAfterMilliseconds: number | null };

/** Reads one file. Rejects only where that is a mistake of ours; an abort ends it with the file as it was, unless it is stored by then. */
export type ReadJob = (
  fileId: string,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
) => Promise<JobOutcome>;

export interface UploadJobLimits {
  /** Files read at the same time. */
  readonly backgroundFiles: number;
  /** Files waiting and being read. */
  readonly backgroundQueue: number;
}

interface Job {
  readonly id: number;
  readonly fileId: string;
  readonly customerId: string;
  /** Files of one key are read in the order in which they came: a later one takes an earlier one's place. */
  readonly key: string | null;
  /** When it may be begun, in milliseconds. */
  notBefore: number;
  pause: number;
  progress: number;
  /** Whether it is not to be begun again. */
  isLetGo: boolean;
  running: { readonly stopping: AbortController; readonly ended: Promise<void> } | null;
}

export class UploadJobs {
  /** Everything that is to be read, by file id, in the order of acceptance. */
  private readonly jobs = new Map<string, Job>();
  private read: ReadJob | null = null;
  private isStopped = false;
  private timer: Timer | undefined;
  /** When a file of a customer was last begun. */
  private readonly lastBegun = new Map<string, number>();
  private begun = 0;

  constructor(private readonly limits: UploadJobLimits) {}

  get waiting(): number {
    return this.jobs.size - this.running;
  }

  get running(): number {
    return this.underWay().length;
  }

  /** How much of a file has been recognised, from 0 to 1. */
  progressOf(fileId: string): number {
    return this.jobs.get(fileId)?.progress ?? 0;
  }

  /** Throws BUSY where there is no room for so many more files of a customer. */
  checkRoom(customerId: string, count: number): void {
    const { backgroundQueue } = this.limits;
    const hasAny = [...this.jobs.values()].some((job) => job.customerId === customerId);
    const room = hasAny ? backgroundQueue - Math.floor(backgroundQueue * KEPT_SHARE) : backgroundQueue;
    if (this.jobs.size + count > room) throw fail("BUSY", { retryAfter: RETRY_WHEN_FULL });
  }

  /** Takes files up that the store has noted. */
  add(jobs: readonly UploadJob[]): void {
    for (const { id, fileId, customerId, datasetName, externalId } of jobs) {
      const key = externalId === null ? null : JSON.stringify([customerId, datasetName, externalId]);
      this.jobs.set(fileId, {
        id,
        fileId,
        customerId,
        key,
        notBefore: 0,
        pause: 0,
        progress: 0,
        isLetGo: false,
        running: null,
      });
    }
    this.beginNext();
  }

  /** From now on files are read. To be called once. */
  start(read: ReadJob): void {
    this.read = read;
    this.beginNext();
  }

  /** Lets go of a file: when this resolves, nothing is done about it any more. Tells whether it had been begun. */
  async letGo(fileId: string): Promise<boolean> {
    const job = this.jobs.get(fileId);
    if (job === undefined) return false;
    const { running } = job;
    job.isLetGo = true;
    running?.stopping.abort(new DOMException("The file was deleted.", "AbortError"));
    await running?.ended;
    this.forget(job);
    return running !== null;
  }

  /** Ends what is under way, to be begun again by the next process. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    const running = this.underWay();
    for (const { stopping } of running) stopping.abort(new DOMException("The server stops.", "AbortError"));
    await Promise.all(running.map(({ ended }) => ended));
  }

  private underWay(): NonNullable<Job["running"]>[] {
    return [...this.jobs.values()].map(({ running }) => running).filter((running) => running !== null);
  }

  private beginNext(): void {
    clearTimeout(this.timer);
    if (this.read === null || this.isStopped) return;
    while (this.running < this.limits.backgroundFiles) {
      const next = this.next();
      if (next === undefined) break;
      this.begin(next, this.read);
    }
    this.wakeLater();
  }

  /** Of the customer who has the fewest under way, and among those of who was served longest ago, the one that came first. */
  private next(): Job | undefined {
    const now = performance.now();
    const underWay = Map.groupBy(
      [...this.jobs.values()].filter(({ running }) => running !== null),
      ({ customerId }) => customerId,
    );
    const rank = ({ customerId }: Job): [number, number] => [
      underWay.get(customerId)?.length ?? 0,
      this.lastBegun.get(customerId) ?? -1,
    ];
    const keys = new Set<string>();
    let best: { readonly job: Job; readonly rank: [number, number] } | undefined;
    for (const job of this.jobs.values()) {
      const isBehind = job.key !== null && keys.has(job.key);
      if (job.key !== null) keys.add(job.key);
      if (isBehind || job.isLetGo || job.running !== null || job.notBefore > now) continue;
      const own = rank(job);
      if (best === undefined || own[0] < best.rank[0] || (own[0] === best.rank[0] && own[1] < best.rank[1]))
        best = { job, rank: own };
    }
    return best?.job;
  }

  private begin(job: Job, read: ReadJob): void {
    const stopping = new AbortController();
    this.lastBegun.set(job.customerId, ++this.begun);
    const onProgress = (fraction: number): void => {
      job.progress = Math.max(job.progress, fraction);
    };
    const ended = read(job.fileId, stopping.signal, onProgress).then((outcome) => {
      job.running = null;
      if (outcome === "ended") this.forget(job);
      else {
        job.pause = nextPause(job.pause, PAUSES);
        job.notBefore = performance.now() + (outcome.retryAfterMilliseconds ?? job.pause);
      }
      this.beginNext();
    });
    job.running = { stopping, ended };
  }

  private forget(job: Job): void {
    this.jobs.delete(job.fileId);
    if (![...this.jobs.values()].some(({ customerId }) => customerId === job.customerId))
      this.lastBegun.delete(job.customerId);
  }

  private wakeLater(): void {
    const waiting = [...this.jobs.values()].filter(({ running }) => running === null).map(({ notBefore }) => notBefore);
    const now = performance.now();
    const later = waiting.filter((notBefore) => notBefore > now);
    if (later.length === 0) return;
    this.timer = setTimeout(() => this.beginNext(), Math.min(...later) - now + 1);
    this.timer.unref();
  }
}
