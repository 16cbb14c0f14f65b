/** Keeps a part of the server running that works elsewhere: what ended by itself is started again, with growing pauses while that fails. */
import { fail } from "../foundation/errors.ts";
import { nextPause } from "../foundation/growing-pause.ts";
import type { Connection } from "./connection.ts";

/** One that ran for so long is started again at once. */
const STEADY_MILLISECONDS = 30_000;
const PAUSES = { least: 1000, most: 60_000 };

/** Told what became of a part of the server, and why. */
export type TroubleReport = (what: string, cause: unknown) => void;

export interface RestartingOptions<Api> {
  /** What clients are told is being restarted, as the beginning of a sentence. */
  readonly part: string;
  /** A connection whose other end is open. */
  start(): Promise<Connection<Api>>;
  /** Told when it ended by itself, and when it could not be started again. */
  readonly onTrouble: TroubleReport;
}

export class Restarting<Api> {
  private connection: Connection<Api> | null = null;
  private starting: Promise<Connection<Api>> | null = null;
  private startedAt = 0;
  private pause = 0;
  private pausedUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed: Error | null = null;

  private constructor(private readonly options: RestartingOptions<Api>) {}

  /** Throws what the first start throws. */
  static async open<Api>(options: RestartingOptions<Api>): Promise<Restarting<Api>> {
    const restarting = new Restarting(options);
    restarting.keep(await options.start());
    return restarting;
  }

  /** Whether it works right now. */
  get isRunning(): boolean {
    return this.connection !== null;
  }

  /** Throws RESTARTING while it does not work. */
  check(): void {
    if (!this.isRunning) throw this.restarting();
  }

  /**
   * Asks the other end, at once where it runs, so that questions and `close` keep their order; waits while it is being started. Throws
   * RESTARTING between two tries.
   */
  async use<Answer>(question: (connection: Connection<Api>) => Promise<Answer>): Promise<Answer> {
    if (this.closed) throw this.closed;
    if (this.connection) return question(this.connection);
    if (this.starting) return question(await this.starting);
    throw this.restarting();
  }

  /** Tells the other end what concerns only what it has in memory: nobody, when it is gone or ends meanwhile. */
  async tell(message: (connection: Connection<Api>) => Promise<void>): Promise<void> {
    const { connection } = this;
    try {
      if (connection) await message(connection);
    } catch (error) {
      if (!connection?.isEnded || this.closed) throw error;
    }
  }

  /** Ends it as `Connection.close` does, and starts no other. */
  async close(...how: Parameters<Connection<Api>["close"]>): Promise<void> {
    if (this.closed) return;
    this.closed = fail("SHUTTING_DOWN", { retryAfter: 10 });
    clearTimeout(this.timer);
    const connection = this.connection ?? (await this.starting?.catch(() => null));
    await connection?.close(...how);
  }

  private keep(connection: Connection<Api>): void {
    this.connection = connection;
    this.startedAt = performance.now();
    void connection.whenEnded.then((reason) => this.lost(reason));
  }

  private lost(reason: unknown): void {
    this.connection = null;
    if (this.closed) return;
    this.options.onTrouble(`${this.options.part} ended by itself and is started again`, reason);
    if (performance.now() - this.startedAt >= STEADY_MILLISECONDS) this.pause = 0;
    this.startAfter(this.pause);
    this.lengthenPause();
  }

  private startAfter(milliseconds: number): void {
    this.pausedUntil = performance.now() + milliseconds;
    if (milliseconds === 0) return void this.start();
    this.timer = setTimeout(() => void this.start(), milliseconds);
    this.timer.unref();
  }

  private async start(): Promise<void> {
    this.starting = this.options.start();
    try {
      const connection = await this.starting;
      if (!this.closed) this.keep(connection);
    } catch (error) {
      if (this.closed) return;
      this.options.onTrouble(
        `${this.options.part} could not be started again; it is tried again in ${Math.ceil(this.pause / 1000)} s`,
        error,
      );
      this.startAfter(this.pause);
      this.lengthenPause();
    } finally {
      this.starting = null;
    }
  }

  private lengthenPause(): void {
    this.pause = nextPause(this.pause, PAUSES);
  }

  private restarting(): Error {
    const seconds = Math.max(1, Math.ceil((this.pausedUntil - performance.now()) / 1000));
    return fail("RESTARTING", { part: this.options.part, retryAfter: seconds });
  }
}
