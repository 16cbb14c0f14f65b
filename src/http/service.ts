/** What every route works with: the engines, the limits, and what the server is doing right now. */
import { openAuditLog, type AuditLog } from "../data-directory/audit-log.ts";
import { fail, type LecternError } from "../foundation/errors.ts";
import type { Log } from "../foundation/log.ts";
import type { Engines } from "../operations/engines.ts";
import { createMetrics, type CounterMetrics, type Metrics } from "./metrics.ts";

export interface HttpOptions {
  /** Origin that download links begin with; null: the request's own. */
  readonly publicUrl: string | null;
  /** Bytes. */
  readonly maxFileBytes: number;
  readonly maxFilesPerUpload: number;
  /** Bytes. */
  readonly maxJsonBytes: number;
  /** UTF-16 units. */
  readonly maxQuestionCharacters: number;
  readonly maxConcurrentRequests: number;
  readonly maxConcurrentUploads: number;
  /** Bytes. */
  readonly stagingBytesPerCustomer: number;
  readonly uploadIdleSeconds: number;
  /** Bytes a second. */
  readonly uploadLeastRate: number;
  /** Whether every request is a line of the log. */
  readonly accessLog: "on" | "off";
  /** Whether the interface of OpenAI is spoken, too. */
  readonly openaiApi: "on" | "off";
  /** Whether there is a web console, and sessions of it are taken. */
  readonly console: "on" | "off";
  /** How long somebody who signed in to it stays so. */
  readonly consoleSessionHours: number;
  /** Bytes of a model that is uploaded in the console. */
  readonly maxModelBytes: number;
  /** Where the console's backups are; null: it makes none. */
  readonly backupDirectory: string | null;
  readonly dataDirectory: string;
  /** Bytes. */
  readonly auditLogBytes: number;
}

/** Part of the room for uploads that is kept for customers who have none running: one with slow clients cannot hold it all. */
const KEPT_SHARE = 0.25;
/** Seconds after which a client refused for lack of room may try again. */
const RETRY_WHEN_BUSY = 5;
/** Seconds that a restart usually takes. */
const RETRY_WHEN_STOPPING = 10;

/** What a stopping server answers. */
export function shuttingDown(): LecternError {
  return fail("SHUTTING_DOWN", { retryAfter: RETRY_WHEN_STOPPING });
}

export class Service {
  readonly metrics: Metrics = createMetrics();
  readonly log: Log;
  readonly audit: AuditLog;
  /** Counts them by the code of the error. */
  readonly refusals: CounterMetrics;
  /** Sets for how many seconds a request's connection may lie idle; 0: for ever. Bound when the server listens. */
  allowIdle: (request: Request, seconds: number) => void = () => {};
  /** The address that a request came from. Bound when the server listens. */
  addressOf: (request: Request) => string = () => "";
  /** Requests whose answers are not yet sent to the end. Bound when the server listens. */
  countPending: () => number = () => 0;
  /** When the certificate that is shown expires; null: no TLS. */
  certificateExpires: Date | null = null;
  /** Whether datasets are still being brought into memory after the start, so that their first searches would wait. */
  isWarmingUp = false;
  /** Why the embedding model that was chosen is not the one in use, as a sentence; null: it is. */
  modelProblem: string | null = null;
  private running = 0;
  private uploads = 0;
  /** By customer, only those that have any. */
  private readonly uploadsOf = new Map<string, number>();
  private readonly stopping = new AbortController();

  constructor(
    readonly engines: Engines,
    readonly options: HttpOptions,
  ) {
    this.log = engines.log;
    this.audit = openAuditLog({
      ...options,
      rotates: true,
      onTrouble: (reason) =>
        this.log.error("Changes are made, but cannot be noted in audit.log until that can be written", { reason }),
    });
    this.refusals = this.metrics.counter(
      "lectern_refusals_total",
      "Requests refused, by the code of the error.",
      "code",
    );
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Aborted when the server begins to stop. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  get runningRequests(): number {
    return this.running;
  }

  get runningUploads(): number {
    return this.uploads;
  }

  /** Counts a piece of work until `leave`, so that a stopping server waits for it. */
  enter(): void {
    this.running++;
  }

  leave(): void {
    this.running--;
  }

  /** From now on every new request is refused. */
  stop(): void {
    this.stopping.abort();
  }

  /** Throws SHUTTING_DOWN once the server is stopping. */
  checkOpen(): void {
    if (this.isStopping) throw shuttingDown();
  }

  /** Throws BUSY while more requests are under way than may be, this one counted. */
  checkRoom(): void {
    if (this.countPending() > this.options.maxConcurrentRequests) throw fail("BUSY", { retryAfter: RETRY_WHEN_BUSY });
  }

  /** Does a customer's upload while there is room for one more. Throws BUSY. */
  async admitUpload<Result>(customerId: string, work: () => Promise<Result>): Promise<Result> {
    const { maxConcurrentUploads } = this.options;
    const own = this.uploadsOf.get(customerId) ?? 0;
    const room =
      own === 0 ? maxConcurrentUploads : maxConcurrentUploads - Math.floor(maxConcurrentUploads * KEPT_SHARE);
    if (this.uploads >= room) throw fail("BUSY", { retryAfter: RETRY_WHEN_BUSY });
    this.countUpload(customerId, 1);
    try {
      return await work();
    } finally {
      this.countUpload(customerId, -1);
    }
  }

  private countUpload(customerId: string, change: 1 | -1): void {
    this.uploads += change;
    const own = (this.uploadsOf.get(customerId) ?? 0) + change;
    if (own === 0) this.uploadsOf.delete(customerId);
    else this.uploadsOf.set(customerId, own);
  }
}
