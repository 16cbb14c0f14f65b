/** When something in a calendar is, in words: its days and hours as they are written, in the time zone that is named with them. */
import type { Component, Property } from "./content-lines.ts";
import { shownDay, shownTime } from "./moments.ts";

const TIME = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2})(?::?\d{2})?(?:\.\d+)?(Z)?)?/;
const DURATION = /^[+-]?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:\d{1,6}S)?)?$/;
const DAY_MILLISECONDS = 86_400_000;
const FREQUENCIES: Readonly<Record<string, readonly [each: string, many: string]>> = {
  HOURLY: ["every hour", "hours"],
  DAILY: ["every day", "days"],
  WEEKLY: ["every week", "weeks"],
  MONTHLY: ["every month", "months"],
  YEARLY: ["every year", "years"],
};
const WEEKDAYS: Readonly<Record<string, string>> = {
  MO: "Monday",
  TU: "Tuesday",
  WE: "Wednesday",
  TH: "Thursday",
  FR: "Friday",
  SA: "Saturday",
  SU: "Sunday",
};
const ORDINALS: Readonly<Record<string, string>> = {
  "1": "the first ",
  "2": "the second ",
  "3": "the third ",
  "4": "the fourth ",
  "5": "the fifth ",
  "-1": "the last ",
  "-2": "the last but one ",
};

interface Time {
  readonly day: string;
  /** "" where it is all day. */
  readonly hour: string;
  /** Midnight of the day, as if in UTC. */
  readonly midnight: number;
  readonly isUtc: boolean;
}

/** E.g. "12 May 2026 10:00–11:00 Europe/Berlin"; "" where it is not said. */
export function shownPeriod({ properties }: Component): string {
  const property = (name: string): Property | undefined => properties.find((candidate) => candidate.name === name);
  const written = property("DTSTART");
  const start = timeOf(written?.value ?? "");
  if (start === null || written === undefined) return "";
  const zone = zoneOf(start, written);
  const end = lastTime(timeOf(property("DTEND")?.value ?? ""));
  const begins = [start.day, start.hour].filter((part) => part !== "").join(" ");
  if (end === null || (end.day === start.day && end.hour === start.hour))
    return [begins, zone, lengthOf(property("DURATION")?.value ?? "")].filter((part) => part !== "").join(" ");
  const ends =
    end.day === start.day ? `–${end.hour}` : ` – ${[end.day, end.hour].filter((part) => part !== "").join(" ")}`;
  return `${begins}${ends} ${zone}`.trim();
}

/** One time, e.g. "12 May 2026 10:00 Europe/Berlin"; as it is written where it cannot be understood. */
export function shownTimeOf(property: Property): string {
  const time = timeOf(property.value);
  if (time === null) return property.value;
  return [time.day, time.hour, zoneOf(time, property)].filter((part) => part !== "").join(" ");
}

/** As ISO 8601 has it, or "". */
export function isoTimeOf({ value }: Property): string {
  const [, year, month, day, hour, minute, utc] = TIME.exec(value) ?? [];
  if (timeOf(value) === null) return "";
  return `${year}-${month}-${day}${hour === undefined ? "" : `T${hour}:${minute}:00${utc ?? ""}`}`;
}

/** A rule of recurrence in words, e.g. "every 2 weeks on Monday, Friday until 12 May 2026". */
export function shownRule(rule: string): string {
  const parts = new Map(
    rule
      .slice(0, 2000)
      .toUpperCase()
      .split(";")
      .map((part) => part.split("=", 2) as [string, string]),
  );
  const [each, many] = FREQUENCIES[parts.get("FREQ") ?? ""] ?? [];
  if (each === undefined) return rule;
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const list = (key: string): string[] => (parts.get(key) ?? "").split(",").filter((value) => value !== "");
  const days = list("BYDAY").map((day) => {
    const [, which = "", weekday = ""] = /^([+-]?\d*)([A-Z]{2})$/.exec(day) ?? [];
    return `${ORDINALS[which.replace("+", "")] ?? ""}${WEEKDAYS[weekday] ?? day}`;
  });
  const dates = list("BYMONTHDAY").map((day) => `day ${day}`);
  const months = list("BYMONTH").map((month) => shownDay(2000, Number(month), 1)?.split(" ")[1] ?? month);
  const until = timeOf(parts.get("UNTIL") ?? "");
  return [
    interval > 1 ? `every ${interval} ${many}` : each,
    days.length + dates.length > 0 ? `on ${[...days, ...dates].join(", ")}` : "",
    months.length > 0 ? `in ${months.join(", ")}` : "",
    until === null ? "" : `until ${until.day}`,
    parts.has("COUNT") ? `${parts.get("COUNT")} times` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function timeOf(written: string): Time | null {
  const [, year, month, date, hour, minute, utc] = TIME.exec(written.trim()) ?? [];
  const day = shownDay(Number(year), Number(month), Number(date));
  if (year === undefined || day === null) return null;
  return {
    day,
    hour: hour === undefined ? "" : shownTime(Number(hour), Number(minute)),
    midnight: Date.UTC(Number(year), Number(month) - 1, Number(date)),
    isUtc: utc !== undefined,
  };
}

/** The last day of what lasts whole days, of which calendars write the day after. */
function lastTime(end: Time | null): Time | null {
  if (end === null || end.hour !== "") return end;
  const last = new Date(end.midnight - DAY_MILLISECONDS);
  return { ...end, day: shownDay(last.getUTCFullYear(), last.getUTCMonth() + 1, last.getUTCDate()) ?? end.day };
}

function zoneOf(time: Time, { parameters }: Property): string {
  if (time.hour === "") return "";
  return time.isUtc ? "UTC" : (parameters.get("TZID") ?? "").slice(0, 100);
}

function lengthOf(duration: string): string {
  const [, weeks, days, hours, minutes] = DURATION.exec(duration.trim()) ?? [];
  const named = [
    [weeks, "week"],
    [days, "day"],
    [hours, "hour"],
    [minutes, "minute"],
  ] as const;
  const parts = named.flatMap(([count, unit]) =>
    count === undefined || Number(count) === 0 ? [] : [`${Number(count)} ${unit}${Number(count) === 1 ? "" : "s"}`],
  );
  return parts.length === 0 ? "" : `(${parts.join(" ")})`;
}
