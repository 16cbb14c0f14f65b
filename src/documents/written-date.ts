/** Dates as people and programs write them → ISO 8601, where there is no doubt which day is meant. */

const ISO =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(\d{1,2}:\d\d(?::\d\d)?)(?:[.,]\d+)? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?(Z)?)?$/;
/** Day first, as everywhere where days are parted by dots. */
const DOTTED = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/;
/** With the month's name, so that it cannot be taken for the day: "18 Nov 2019", "Mon, 18 Nov 2019 10:00:00 GMT". */
const NAMED = /^[\w ,.:+-]*[A-Za-z]{3}[\w ,.:+-]*$/;
const LONGEST = 60;

/** A day, or a day and a time; undefined where the text is no date, or none that can be understood in one way only. */
export function writtenDate(text: string): string | undefined {
  const clean = text.trim();
  if (clean.length > LONGEST) return undefined;
  if (/^\d{4}(?:-\d\d)?$/.test(clean)) return isoDay(clean.slice(0, 4), clean.slice(5) || "1", "1") && clean;
  const iso = ISO.exec(clean);
  if (iso !== null) return timed(isoDay(iso[1], iso[2], iso[3]), iso[4], iso[5]);
  const compact = COMPACT.exec(clean);
  if (compact !== null) {
    const time = compact[4] === undefined ? undefined : `${compact[4]}:${compact[5]}:${compact[6] ?? "00"}`;
    return timed(isoDay(compact[1], compact[2], compact[3]), time, compact[7]);
  }
  const dotted = DOTTED.exec(clean);
  if (dotted !== null) return isoDay(dotted[3], dotted[2], dotted[1]);
  return NAMED.test(clean) && /\d{4}/.test(clean) ? namedDate(clean) : undefined;
}

function namedDate(text: string): string | undefined {
  const date = new Date(text.replace(/(\d)(?:st|nd|rd|th)\b/g, "$1"));
  if (Number.isNaN(date.getTime()) || !text.includes(String(date.getFullYear()))) return undefined;
  // With a zone it is a moment; without one, what was read as local time is the day that was written.
  if (/\d:\d\d.*(?:GMT|UTC|Z|[+-]\d{4})/.test(text)) return date.toISOString().replace(".000Z", "Z");
  return isoDay(String(date.getFullYear()), String(date.getMonth() + 1), String(date.getDate()));
}

function isoDay(year = "", month = "", day = ""): string | undefined {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

function timed(day: string | undefined, time: string | undefined, zone = ""): string | undefined {
  if (day === undefined || time === undefined) return day;
  const clock = `${time.padStart(time.indexOf(":") === 1 ? time.length + 1 : time.length, "0")}${time.length < 6 ? ":00" : ""}`;
  const offset = /^(?:UTC|GMT|Z)$/i.test(zone) ? "Z" : zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  return Number.isNaN(Date.parse(`${day}T${clock}${offset}`)) ? day : `${day}T${clock}${offset}`;
}
