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

/** Numbers, or moments, from the one to the other, both included. */
export interface Interval {
  readonly of: "numbers" | "moments";
  readonly low: number;
  readonly high: number;
}

type Bound = keyof ValueRange;

/**
 * The range as an interval; null where texts are compared. A date that is no moment is all of its day, month or year: `lte` reaches to its
 * end, `gt` begins behind it. A value counts from when it begins.
 */
export function intervalOf(range: ValueRange): Interval | null {
  const intervals = boundsOf(range).map(([name, bound]) => boundInterval(name, bound));
  const of = intervals[0]?.of;
  if (of === undefined || intervals.some((interval) => interval?.of !== of)) return null;
  return {
    of,
    low: Math.max(...intervals.map((interval) => interval!.low)),
    high: Math.min(...intervals.map((interval) => interval!.high)),
  };
}

/** Tells of values whether they lie in the range. */
export function rangeTest(range: ValueRange): (value: string | number, moment: number) => boolean {
  const tests = boundsOf(range).map(([name, bound]) => boundTest(name, bound));
  return (value, moment) => tests.every((holds) => holds(value, moment));
}

function boundsOf(range: ValueRange): [Bound, string | number][] {
  return Object.entries(range).filter(([, bound]) => bound !== undefined) as [Bound, string | number][];
}

function boundTest(name: Bound, bound: string | number): (value: string | number, moment: number) => boolean {
  const interval = boundInterval(name, bound);
  if (interval !== null) {
    const { of, low, high } = interval;
    return (value, moment) => {
      const at = of === "moments" ? moment : typeof value === "number" ? value : Number.NaN;
      return at >= low && at <= high;
    };
  }
  const isAbove = name === "gt" || name === "gte";
  // Below the bound itself, or through it.
  const countsItself = name === "gte" || name === "lt";
  return (value) => typeof value === "string" && (countsItself ? value < bound : value <= bound) !== isAbove;
}

function boundInterval(name: Bound, bound: string | number): Interval | null {
  const span = typeof bound === "number" ? { start: bound, end: null } : dateSpan(bound);
  if (span === null) return null;
  const of = typeof bound === "number" ? "numbers" : "moments";
  const { start, end } = span;
  if (name === "gte") return { of, low: start, high: Infinity };
  if (name === "lt") return { of, low: -Infinity, high: before(start) };
  if (name === "gt") return { of, low: end ?? after(start), high: Infinity };
  return { of, low: -Infinity, high: end === null ? start : before(end) };
}

const bits = new DataView(new ArrayBuffer(8));

/** The next number that can be told from it. */
function after(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

const before = (value: number): number => -after(-value);
