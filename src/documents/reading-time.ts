/**
 * How long one file may be read. A parser that hangs is stopped soon; a scan or a recording is given time for as long as ever more of it
 * has been recognised, up to a limit for all of it.
 */
import type { ExtractorOptions } from "./types.ts";

/** A reader gives way to searches: what it may take of the clock is so many times what it may take of a processor. */
const MOST_CLOCK_TIME = 4;
const SECONDS_PER_HOUR = 3600;

interface Moment {
  /** Seconds of a processor. */
  readonly processor: number;
  /** Seconds by the clock. */
  readonly clock: number;
}

export class ReadingTime {
  private readonly begun: Moment;
  /** When more of the file had been recognised, or it was begun. */
  private renewed: Moment;
  private recognised = 0;

  /** Begins now. `processorSeconds`: what the reading process has used so far. */
  constructor(
    private readonly limits: Pick<ExtractorOptions, "maxSeconds" | "maxRecognitionHours">,
    private readonly processorSeconds: () => number,
  ) {
    this.begun = this.renewed = this.now();
  }

  /** So much has been recognised, from 0 to 1. Whether that is more than before. */
  progressed(fraction: number): boolean {
    if (!(fraction > this.recognised)) return false;
    this.recognised = fraction;
    this.renewed = this.now();
    return true;
  }

  /** Why the file is to be read no longer; null: it may be. */
  excess(): string | null {
    const { maxSeconds, maxRecognitionHours } = this.limits;
    const now = this.now();
    if (isPast(now, this.renewed, maxSeconds))
      return this.recognised === 0
        ? `reading it takes longer than ${maxSeconds} seconds`
        : `no more of it has been recognised for ${maxSeconds} seconds`;
    if (isPast(now, this.begun, maxRecognitionHours * SECONDS_PER_HOUR))
      return `recognising it takes longer than ${maxRecognitionHours} hours; split it`;
    return null;
  }

  private now(): Moment {
    return { processor: this.processorSeconds(), clock: performance.now() / 1000 };
  }
}

function isPast(now: Moment, since: Moment, seconds: number): boolean {
  return now.processor - since.processor > seconds || now.clock - since.clock > seconds * MOST_CLOCK_TIME;
}
