/** Pauses between tries of what fails: each twice as long as the one before. Pure. */
export interface PauseRange {
  /** Milliseconds of the first one. */
  readonly least: number;
  /** Milliseconds that none exceeds. */
  readonly most: number;
}

/** Milliseconds of the pause after one of `last`; 0: the first. */
export const nextPause = (last: number, { least, most }: PauseRange): number =>
  Math.min(most, Math.max(least, 2 * last));
