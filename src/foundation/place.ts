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

export const PROPERTY_KEYS = [
  "title",
  "author",
  "date",
  "subject",
  "language",
] as const satisfies readonly (keyof DocumentProperties)[];
