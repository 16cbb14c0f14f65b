/**
 * What the reading of each customer's files has lately cost: the seconds it took, by which the queue is fair, and how often it
 * ran into the limits, for which uploads pause. Both fade. Pure; `now` is in milliseconds.
 */

/** Half of the seconds used are forgotten after this time: whoever had much a few minutes ago is like any other. */
const USE_HALF_LIFE = 60_000;
const HIT_HALF_LIFE = 600_000;
/** A folder of honest files may hold one or two that are too large. */
const HITS_WITHOUT_PAUSE = 2;
/** Seconds of the pause after one hit more; each further one doubles them. */
const FIRST_PAUSE_SECONDS = 30;
/** Fewer than this many hits, faded ones counted in part, are forgotten. */
const FORGOTTEN_HITS = 0.5;

/** A number that fades. */
interface Fading {
  readonly value: number;
  readonly at: number;
}

export class ReadingRecord {
  private readonly seconds = new Map<string, Fading>();
  private readonly hits = new Map<string, Fading>();
  private readonly pausedUntil = new Map<string, number>();

  /** `maxPauseSeconds`: the longest pause; 0: none. */
  constructor(private readonly maxPauseSeconds: number) {}

  /** Seconds lately used, faded. */
  secondsOf(customerId: string, now: number): number {
    return faded(this.seconds.get(customerId), now, USE_HALF_LIFE);
  }

  addSeconds(customerId: string, seconds: number, now: number): void {
    this.seconds.set(customerId, { value: this.secondsOf(customerId, now) + seconds, at: now });
  }

  /** Whether files of this customer lately ran into the limits, so that more of them must be expected to. */
  isSuspect(customerId: string, now: number): boolean {
    return faded(this.hits.get(customerId), now, HIT_HALF_LIFE) >= FORGOTTEN_HITS;
  }

  /** A file ran into a limit, or broke its process. */
  addHit(customerId: string, now: number): void {
    const hits = faded(this.hits.get(customerId), now, HIT_HALF_LIFE) + 1;
    this.hits.set(customerId, { value: hits, at: now });
    // Rounded, since a hit of a minute ago has faded a little.
    const beyond = Math.round(hits) - HITS_WITHOUT_PAUSE;
    if (beyond <= 0) return;
    this.pausedUntil.set(
      customerId,
      now + Math.min(this.maxPauseSeconds, FIRST_PAUSE_SECONDS * 2 ** (beyond - 1)) * 1000,
    );
  }

  /** Whole seconds for which the customer's uploads still pause; 0: they do not. */
  pauseOf(customerId: string, now: number): number {
    return Math.max(0, Math.ceil(((this.pausedUntil.get(customerId) ?? now) - now) / 1000));
  }
}

function faded(fading: Fading | undefined, now: number, halfLife: number): number {
  return fading === undefined ? 0 : fading.value * 2 ** ((fading.at - now) / halfLife);
}
