/** Dates as ISO 8601 writes them, as stretches of time: a day lasts a day, a time of day is a moment. Pure. */

/** Milliseconds since 1970. */
export interface DateSpan {
  readonly start: number;
  /** The first moment after it; null for a moment. */
  readonly end: number | null;
}

const SHAPE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/;
const MINUTE = 60_000;

/** Whether a text is written as a date is, though it may name a day that there is not. */
export const isWrittenAsDate = (text: string): boolean => SHAPE.test(text);

/** A year, a month, a day, or a day and a time; UTC where it names no other offset. null where it is none of these. */
export function dateSpan(text: string): DateSpan | null {
  const parts = SHAPE.exec(text);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second = "0", offset] = parts;
  const start = utc(Number(year), Number(month ?? 1), Number(day ?? 1));
  if (start === null) return null;
  if (month === undefined) return { start, end: utc(Number(year) + 1, 1, 1) };
  if (day === undefined)
    return { start, end: month === "12" ? utc(Number(year) + 1, 1, 1) : utc(Number(year), Number(month) + 1, 1) };
  if (hour === undefined) return { start, end: start + 24 * 60 * MINUTE };
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second.replace(",", "."))];
  if (hours > 23 || minutes > 59 || seconds >= 60) return null;
  const apart = minutesOf(offset);
  if (apart === null) return null;
  return { start: start + (hours * 60 + minutes - apart) * MINUTE + seconds * 1000, end: null };
}

/** The beginning of a day; null where there is no such day. */
/** ISO 8601 of milliseconds since 1970; null stays null. */
export function isoTime(milliseconds: number): string;
export function isoTime(milliseconds: number | null): string | null;
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

function utc(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

function minutesOf(offset: string | undefined): number | null {
  if (offset === undefined || /^z$/i.test(offset)) return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(":", ""))];
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
