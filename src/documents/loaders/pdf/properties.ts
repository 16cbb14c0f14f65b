/** What a PDF says of itself. */
import type { DocumentProperties } from "../../../foundation/place.ts";

/** Titles that programs give: the name of the file from which it was made. */
const PROGRAM_TITLE =
  /^(?:Microsoft (?:Word|PowerPoint|Excel) - |untitled|.*\.(?:docx?|pptx?|xlsx?|indd|qxd|tex|dvi|ps)$)/i;
const PDF_DATE = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+-])(\d{2})'?(\d{2})?|(Z))?/;

/** `info` is what pdf.js makes of the information dictionary and the catalogue. */
export function propertiesOf(info: Readonly<Record<string, unknown>>): DocumentProperties {
  const text = (key: string) => (typeof info[key] === "string" ? info[key].trim() : "");
  const title = text("Title");
  return {
    title: PROGRAM_TITLE.test(title) ? "" : title,
    author: text("Author"),
    subject: text("Subject"),
    date: isoDate(text("CreationDate")) ?? "",
    language: text("Language"),
  };
}

/** A PDF's date, e.g. "D:20140124111144+01'00'", as ISO 8601 has it. */
export function isoDate(date: string): string | undefined {
  const match = PDF_DATE.exec(date);
  if (match === null) return undefined;
  const [, year, month = "01", day = "01", hour, minute = "00", second = "00", sign, hours, minutes = "00", z] = match;
  const zone = z ?? (sign === undefined ? "" : `${sign}${hours}:${minutes}`);
  const whole =
    hour === undefined ? `${year}-${month}-${day}` : `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
  return Number.isNaN(Date.parse(whole)) ? undefined : whole;
}
