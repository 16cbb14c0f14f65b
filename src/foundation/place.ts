/** Where in its document a passage stands, and what a document says of itself: the names and types that reading, storing and answers share. */

/** Numbers count from 1; times are in seconds. Only what a format knows is there. */
export interface Place {
  page?: number;
  slide?: number;
  sheet?: string;
  /** As the format's own programs number it. */
  row?: number;
  chapter?: string;
  /** The headings under which it stands, the highest first, joined by `HEADING_SEPARATOR`. */
  heading?: string;
  line?: number;
  startTime?: number;
  endTime?: number;
  /** The path inside a container, e.g. an archive; members of members are joined by "/". */
  member?: string;
}

/** Where a passage begins, and where it ends when that is elsewhere. */
export interface PassagePlace extends Place {
  lastPage?: number;
  lastSlide?: number;
  lastRow?: number;
  lastLine?: number;
}

/** What a document says of itself. */
export interface DocumentProperties {
  title?: string;
  author?: string;
  /** As ISO 8601 has it: a day, or a day and a time. */
  date?: string;
  subject?: string;
  /** As BCP 47 has it, e.g. "de". */
  language?: string;
}

export const HEADING_SEPARATOR = " › ";

export const PLACE_KEYS = [
  "page",
  "lastPage",
  "slide",
  "lastSlide",
  "sheet",
  "row",
  "lastRow",
  "chapter",
  "heading",
  "line",
  "lastLine",
  "startTime",
  "endTime",
  "member",
] as const satisfies readonly (keyof PassagePlace)[];

/** What of a result's metadata says where it stands; a file's own metadata may have put anything there. */
export function placeOf(metadata: Readonly<Record<string, unknown>>): PassagePlace {
  const texts: ReadonlySet<string> = new Set(["sheet", "chapter", "heading", "member"]);
  return Object.fromEntries(
    PLACE_KEYS.filter((key) => typeof metadata[key] === (texts.has(key) ? "string" : "number")).map((key) => [
      key,
      metadata[key],
    ]),
  );
}

/** Those of them that filters reach: not where a passage ends. */
export const FILTERED_PLACE_KEYS = PLACE_KEYS.filter((key) => !key.startsWith("last"));

export const PROPERTY_KEYS = [
  "title",
  "author",
  "date",
  "subject",
  "language",
] as const satisfies readonly (keyof DocumentProperties)[];

/** A passage's document and place for people, e.g. `handbook.pdf, pages 12–13, "Overtime"`. */
export function placeInWords(document: string, place: PassagePlace): string {
  return [document, ...partsInWords(place)].join(", ");
}

function partsInWords(place: PassagePlace): string[] {
  const parts: string[] = [];
  if (place.member !== undefined) parts.push(place.member);
  if (place.sheet !== undefined) parts.push(`sheet "${place.sheet}"`);
  if (place.chapter !== undefined) parts.push(`chapter "${place.chapter}"`);
  if (place.page !== undefined) parts.push(span("page", place.page, place.lastPage));
  if (place.slide !== undefined) parts.push(span("slide", place.slide, place.lastSlide));
  if (place.row !== undefined) parts.push(span("row", place.row, place.lastRow));
  if (place.startTime !== undefined) parts.push(`at ${clock(place.startTime)}`);
  const under = place.heading?.split(HEADING_SEPARATOR).at(-1);
  if (under !== undefined && under !== place.chapter && under !== place.sheet) parts.push(`"${under}"`);
  const isFound = [place.page, place.slide, place.row, place.startTime].some((number) => number !== undefined);
  if (place.line !== undefined && !isFound) parts.push(span("line", place.line, place.lastLine));
  return parts;
}

function span(unit: string, first: number, last: number | undefined): string {
  return last === undefined ? `${unit} ${first}` : `${unit}s ${first}–${last}`;
}

/** Seconds as players show them: `4:05`, `1:04:05`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
