/** How slowly a body may come: a client may crawl, pause and go on, but hold no place in which nothing arrives. */
import { fail, type LecternError } from "../foundation/errors.ts";

/** What is used of a body's reader; Bun's own type asks for more than its declared body gives. */
export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

export interface PaceLimits {
  /** Longest wait for the next byte, seconds. */
  readonly idleSeconds: number;
  /** Bytes a second, averaged over `WINDOW_IN_IDLE_TIMES` idle times; 0: none. */
  readonly leastRate: number;
}

/** Longer than the longest pause, so that a client who made one and then went on is not taken for a slow one. */
const WINDOW_IN_IDLE_TIMES = 3;

/** Watches one body. Only the time in which we wait for the client counts: a slow disk is not its fault. */
export class ReceivingPace {
  /** Of the present window, milliseconds. */
  private waited = 0;
  private received = 0;

  constructor(private readonly limits: PaceLimits) {}

  /** The body's next piece. Throws REQUEST_TIMEOUT when it does not come, or when the last ones came too slowly. */
  async next(reader: BodyReader): Promise<Awaited<ReturnType<BodyReader["read"]>>> {
    const begun = performance.now();
    const piece = await this.inTime(reader.read());
    this.waited += performance.now() - begun;
    this.received += piece.value?.byteLength ?? 0;
    if (!piece.done) this.checkRate();
    return piece;
  }

  private async inTime<Piece>(reading: Promise<Piece>): Promise<Piece> {
    const { idleSeconds } = this.limits;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(tooSlow(`nothing arrived for ${idleSeconds} seconds`)),
      idleSeconds * 1000,
    );
    try {
      return await Promise.race([reading, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  private checkRate(): void {
    const { idleSeconds, leastRate } = this.limits;
    if (this.waited < WINDOW_IN_IDLE_TIMES * idleSeconds * 1000) return;
    if (this.received / (this.waited / 1000) < leastRate)
      throw tooSlow(`fewer than ${leastRate} bytes a second arrived`);
    this.waited = 0;
    this.received = 0;
  }
}

function tooSlow(reason: string): LecternError {
  return fail("REQUEST_TIMEOUT", { reason });
}
