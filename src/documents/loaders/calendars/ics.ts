/** Calendars (iCalendar, RFC 5545): events, tasks and journal entries, each under its summary. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { isoTimeOf, shownPeriod, shownRule, shownTimeOf } from "./calendar-times.ts";
import { componentsOf, partsOf, plain, textValue } from "./content-lines.ts";
import type { Component, Property } from "./content-lines.ts";
import { htmlBlocks } from "../html/html-blocks.ts";
import type { Loader, Recognition } from "../loader.ts";
import { listed, shownPerson } from "../mail/mail-message.ts";

const format = { mimeType: "text/calendar", extensions: ["ics", "ical", "ifb", "vcs"] };

const ENTRIES = new Set(["VEVENT", "VTODO", "VJOURNAL"]);
const HTML = /<\/?(?:p|br|div|span|ul|li|a|b|html)\b[^<>]*>/i;

export const icsLoader: Loader = { id: "ics", formats: [format], recognise, load };

function recognise({ decoded }: Content): Recognition | null {
  return decoded !== null && /^\s*BEGIN:VCALENDAR[^\S\r\n]*[\r\n]/i.test(decoded.text)
    ? { certainty: "certain", format }
    : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const { maxRows } = content.limits;
  let count = 0;
  for (const calendar of componentsOf(content.decoded?.text ?? "")) {
    const entries = calendar.components.filter(({ name }) => ENTRIES.has(name));
    const title = textValue(calendar, "X-WR-CALNAME") || textValue(calendar, "NAME");
    const [only] = entries.length === 1 ? entries : [];
    blocks.describe({ title: title || (only === undefined ? "" : textValue(only, "SUMMARY")) });
    if (only !== undefined) describeEntry(only, blocks);
    blocks.add("heading", title, 1);
    blocks.add("paragraph", textValue(calendar, "X-WR-CALDESC"));
    for (const entry of entries) {
      count += 1;
      if (count > maxRows) throw content.unreadable(`it has more than ${maxRows} entries`);
      writeEntry(entry, content, blocks);
    }
  }
}

function describeEntry(entry: Component, blocks: BlockCollector): void {
  const start = entry.properties.find(({ name }) => name === "DTSTART");
  const organizer = entry.properties.find(({ name }) => name === "ORGANIZER");
  if (start !== undefined) blocks.describe({ date: isoTimeOf(start) });
  if (organizer !== undefined) blocks.describe({ author: personOf(organizer) });
}

function writeEntry(entry: Component, content: Content, blocks: BlockCollector): void {
  const all = (name: string): Property[] => entry.properties.filter((property) => property.name === name);
  const times = (name: string): string => listed(all(name).flatMap(separateTimes).map(shownTimeOf));
  const lines = [
    ["When", shownPeriod(entry)],
    ["Due", times("DUE")],
    ["Completed", times("COMPLETED")],
    ["Instead of", times("RECURRENCE-ID")],
    [
      "Repeats",
      all("RRULE")
        .map(({ value }) => shownRule(value))
        .join("; "),
    ],
    ["Also on", times("RDATE")],
    ["Except on", times("EXDATE")],
    ["Where", textValue(entry, "LOCATION")],
    ["Organizer", listed(all("ORGANIZER").map(personOf))],
    ["Attendees", listed(all("ATTENDEE").map(personOf))],
    ["Contact", listed(all("CONTACT").map(({ value }) => plain(value)))],
    ["Categories", listed(all("CATEGORIES").flatMap(({ value }) => partsOf(value, ",")))],
    ["Status", shownStatus(textValue(entry, "STATUS"))],
    ["Link", textValue(entry, "URL")],
  ].filter(([, value]) => value !== "");
  blocks.add("heading", textValue(entry, "SUMMARY").replace(/\s+/g, " "), 2);
  blocks.add("paragraph", lines.map(([name, value]) => `${name}: ${value}`.replace(/\s+/g, " ")).join("\n"));
  for (const name of ["DESCRIPTION", "COMMENT"])
    for (const { value } of all(name)) writeText(plain(value), content, blocks);
}

function writeText(text: string, content: Content, blocks: BlockCollector): void {
  if (HTML.test(text)) htmlBlocks(text.replaceAll("\n", "<br>"), blocks, { maxDepth: content.limits.maxElementDepth });
  else for (const paragraph of text.split(/\n[^\S\n]*\n/)) blocks.add("paragraph", paragraph);
}

/** Several times in one property; of a period, its beginning. */
function separateTimes(property: Property): Property[] {
  return property.value.split(",", 1000).map((value) => ({ ...property, value: value.split("/", 1)[0]! }));
}

/** E.g. "Ada <ada@example.org>". */
function personOf({ parameters, value }: Property): string {
  const address = value.replace(/^mailto:/i, "").trim();
  return shownPerson((parameters.get("CN") ?? "").trim(), address.includes("@") ? address : "");
}

/** What is usual is not worth a word. */
function shownStatus(status: string): string {
  return status === "CONFIRMED" ? "" : status.toLowerCase().replaceAll("-", " ");
}
