/** Whether a value lies between the bounds of a filter: numbers among numbers, dates among dates, other texts among texts. Pure. */
import { dateSpan } from "../foundation/iso-date.ts";
import type { ValueRange } from "./types.ts";

/** A value as it is compared. */
export interface Comparable {
  readonly value: string | number;
  /** Where it is a date, when that begins, in milliseconds since 1970; else NaN. */
  readonly moment: number;
}

export const toComparable = (value: string | number): Comparable => ({
  value,
  moment: typeof value === "string" ? (dateSpan(value)?.start ?? Number.NaN) : Number.NaN,
});

/**
 * Tells of values whether they lie in the range, whose bounds are of one kind. A date that is no moment is all of its day, month or year:
 * `lte` reaches to its end, `gt` begins behind it. A value counts from when it begins.
 */
export function rangeTest(range: ValueRange): (value: string | number, moment: number) => boolean {
  const bounds = (["gt", "gte", "lt", "lte"] as const).flatMap((name) =>
    range[name] === undefined ? [] : [boundTest(name, range[name])],
  );
  const [one, other] = bounds;
  if (other === undefined) return one ?? (() => true);
  if (bounds.length === 2) return (value, moment) => one!(value, moment) && other(value, moment);
  return (value, moment) => bounds.every((holds) => holds(value, moment));
}

function boundTest(
  name: keyof ValueRange,
  bound: string | number,
): (value: string | number, moment: number) => boolean {
  const isAbove = name === "gt" || name === "gte";
  const countsItself = name === "gte" || name === "lt";
  const span = typeof bound === "string" ? dateSpan(bound) : null;
  if (span === null) {
    const type = typeof bound;
    // Below the bound itself, or through it.
    const isBelow = (value: string | number): boolean => (countsItself ? value < bound : value <= bound);
    return (value) => typeof value === type && isBelow(value) !== isAbove;
  }
  const { start, end } = span;
  const isBefore = countsItself
    ? (moment: number) => moment < start
    : end === null
      ? (moment: number) => moment <= start
      : (moment: number) => moment < end;
  return (_, moment) => !Number.isNaN(moment) && isBefore(moment) !== isAbove;
}
