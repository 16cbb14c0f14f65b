/** Where in its document a passage stands, in the reader's words. Pure. */
import { HEADING_SEPARATOR, placeOf } from "../../foundation/place.ts";
import { words } from "../words/index.ts";

/** Parts such as `page 12`, the outermost first; none where the document's format knows no places. */
export function placeInWords(metadata: Readonly<Record<string, unknown>>): string[] {
  const place = placeOf(metadata);
  const { places } = words;
  const under = place.heading?.split(HEADING_SEPARATOR).at(-1);
  const isFound = [place.page, place.slide, place.row, place.startTime].some((number) => number !== undefined);
  return [
    place.member,
    place.sheet && places.sheet(place.sheet),
    place.chapter && places.chapter(place.chapter),
    place.page !== undefined && places.page(place.page, place.lastPage ?? place.page),
    place.slide !== undefined && places.slide(place.slide, place.lastSlide ?? place.slide),
    place.row !== undefined && places.row(place.row, place.lastRow ?? place.row),
    place.startTime !== undefined && places.time(clock(place.startTime)),
    under !== place.chapter && under !== place.sheet && under,
    place.line !== undefined && !isFound && places.line(place.line, place.lastLine ?? place.line),
  ].filter((part): part is string => typeof part === "string" && part !== "");
}

/** Seconds as players show them: `4:05`, `1:04:05`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
