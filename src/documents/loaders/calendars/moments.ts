/** Points in time as documents of correspondence show them: for people, and as ISO 8601 has it. */

export interface Moment {
  /** E.g. "12 May 2026 10:00 +02:00". */
  readonly shown: string;
  /** E.g. "2026-05-12T10:00:00+02:00". */
  readonly iso: string;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** E.g. "12 May 2026"; null for a day that is not in the calendar. */
export function shownDay(year: number, month: number, day: number): string | null {
  const name = MONTHS[month - 1];
  return name === undefined || day < 1 || day > 31 || !Number.isInteger(day) ? null : `${day} ${name} ${year}`;
}

/** E.g. "09:05". */
export function shownTime(hour: number, minute: number): string {
  return `${pad(hour)}:${pad(minute)}`;
}

/** A moment as clocks showed it that were so many minutes ahead of UTC; null for an impossible one. */
export function momentAt(milliseconds: number, offsetMinutes: number): Moment | null {
  const local = new Date(milliseconds + offsetMinutes * 60_000);
  if (Number.isNaN(local.getTime()) || local.getUTCFullYear() < 1 || local.getUTCFullYear() > 9999) return null;
  const day = shownDay(local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate());
  const sign = offsetMinutes < 0 ? "-" : "+";
  const minutes = Math.abs(offsetMinutes);
  const offset = `${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
  return {
    shown: `${day} ${shownTime(local.getUTCHours(), local.getUTCMinutes())} ${offsetMinutes === 0 ? "UTC" : offset}`,
    iso: local.toISOString().slice(0, 19) + (offsetMinutes === 0 ? "Z" : offset),
  };
}

/** A date as mail writes it (RFC 5322, section 3.3), in the sender's time; null when it cannot be understood. */
export function mailMoment(written: string): Moment | null {
  const offset = /([+-])(\d{2}):?([0-5]\d)\s*(?:\([^()]*\)\s*)?$/.exec(written.slice(0, 200));
  const minutes = offset === null ? 0 : Number(`${offset[1]}1`) * (Number(offset[2]) * 60 + Number(offset[3]));
  return momentAt(Date.parse(written.slice(0, 200)), minutes);
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
