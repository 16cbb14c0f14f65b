/** Calendars and address cards read as people would write them down. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { expectCleanEnds } from "../mutants.ts";
import { bytesOf, textsOf } from "../fixtures.ts";

function calendar(...lines: string[]): string {
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
}

const meeting = calendar(
  "SUMMARY:Meeting\\, weekly",
  "DTSTART;TZID=Europe/Berlin:20260512T100000",
  "DTEND;TZID=Europe/Berlin:20260512T110000",
  "RRULE:FREQ=WEEKLY;BYDAY=TU",
  "LOCATION:Room 1",
  'ORGANIZER;CN="Lovelace, Ada":mailto:ada@example.org',
  "ATTENDEE;CN=Charles;PARTSTAT=ACCEPTED:mailto:charles@exam",
  " ple.org",
  "ATTENDEE:mailto:mary@example.org",
  "STATUS:CANCELLED",
  "DESCRIPTION:First line\\nsecond\\n\\nSecond paragraph",
  "ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA",
  "BEGIN:VALARM",
  "DESCRIPTION:Reminder",
  "END:VALARM",
);

test.each(["BEGIN:VCALENDAR is how a calendar begins.", "BEGIN:VCARD is how a card begins."])(
  "%s is a text about it",
  async (text) => expect(await textsOf("a.txt", text)).toEqual([text]),
);

test("a line of very many characters is passed over", async () => {
  expect(await textsOf("a.ics", calendar("SUMMARY:Meeting", `X-DATA:${"a,".repeat(100_000)}`))).toEqual(["h2 Meeting"]);
});

describe("an event", () => {
  test("has its summary, when and where it is, who comes, and what it is about", async () => {
    expect(await textsOf("a.ics", meeting)).toEqual([
      "h2 Meeting, weekly",
      "When: 12 May 2026 10:00–11:00 Europe/Berlin\nRepeats: every week on Tuesday\nWhere: Room 1\nOrganizer: Lovelace, Ada <ada@example.org>\nAttendees: Charles <charles@example.org>, mary@example.org\nStatus: cancelled",
      "First line\nsecond",
      "Second paragraph",
    ]);
    const { loaderId, properties } = await readBlocks(bytesOf(meeting), "a.txt", null);
    expect(loaderId).toBe("ics");
    expect(properties).toEqual({
      title: "Meeting, weekly",
      author: "Lovelace, Ada <ada@example.org>",
      date: "2026-05-12T10:00:00",
    });
  });
  const times: Array<[string[], string]> = [
    [["DTSTART:20260512T100000Z"], "12 May 2026 10:00 UTC"],
    [["DTSTART:20260512T100000", "DURATION:PT1H30M"], "12 May 2026 10:00 (1 hour 30 minutes)"],
    [["DTSTART;VALUE=DATE:20260512", "DTEND;VALUE=DATE:20260513"], "12 May 2026"],
    [["DTSTART;VALUE=DATE:20260512", "DTEND;VALUE=DATE:20260601"], "12 May 2026 – 31 May 2026"],
    [["DTSTART:20260512T220000", "DTEND:20260513T010000"], "12 May 2026 22:00 – 13 May 2026 01:00"],
  ];
  for (const [lines, shown] of times) {
    test(`of ${lines.join(", ")} is on ${shown}`, async () =>
      expect(await textsOf("a.ics", calendar("SUMMARY:x", ...lines))).toEqual(["h2 x", `When: ${shown}`]));
  }
  const rules: Array<[string, string]> = [
    ["RRULE:FREQ=DAILY;COUNT=5", "Repeats: every day 5 times"],
    [
      "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20270101T000000Z",
      "Repeats: every 2 weeks on Monday, Friday until 1 January 2027",
    ],
    ["RRULE:FREQ=MONTHLY;BYDAY=2TU", "Repeats: every month on the second Tuesday"],
    ["RRULE:FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12", "Repeats: every year on day 24 in December"],
    ["RRULE:FREQ=SOMETIMES", "Repeats: FREQ=SOMETIMES"],
    ["EXDATE;VALUE=DATE:20260519,20260526", "Except on: 19 May 2026, 26 May 2026"],
    ["RDATE;VALUE=PERIOD:20260525T090000Z/PT1H", "Also on: 25 May 2026 09:00 UTC"],
  ];
  for (const [line, shown] of rules)
    test(`with ${line}`, async () =>
      expect(await textsOf("a.ics", calendar("SUMMARY:x", line))).toEqual(["h2 x", shown]));
  test("described in HTML is read without its tags", async () => {
    expect(await textsOf("a.ics", calendar("DESCRIPTION:<p>One</p><b>two</b>"))).toEqual(["One", "two"]);
  });
});

describe("a calendar", () => {
  test("has its name, its tasks, and nothing of what is for programs", async () => {
    const text = `BEGIN:VCALENDAR
X-WR-CALNAME:Work
BEGIN:VTIMEZONE
TZID:Europe/Berlin
END:VTIMEZONE
BEGIN:VTODO
SUMMARY:Write
DUE;VALUE=DATE:20260601
END:VTODO
BEGIN:VJOURNAL
DESCRIPTION:Written
END:VJOURNAL
END:VCALENDAR`;
    expect(await textsOf("a.ics", text)).toEqual(["h1 Work", "h2 Write", "Due: 1 June 2026", "Written"]);
  });
  test("that is damaged is refused or read", async () => await expectCleanEnds("a.ics", bytesOf(meeting), 400));
});

describe("address cards", () => {
  const cards = `BEGIN:VCARD
VERSION:3.0
N:Lovelace;Ada;King;;
FN:Ada Lovelace
ORG:Analytical Engines;Programming
item1.EMAIL;TYPE=INTERNET,WORK:ada@example.org
TEL;TYPE=CELL:+44 1
ADR;TYPE=HOME:;;St James's Square 12;London;;;England
BDAY:1815-12-10
PHOTO;ENCODING=b:AAAA
NOTE:First\\, of all\\nprogrammers
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6=
rg
TEL;WORK;VOICE:1
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Mary
TEL;VALUE=uri;TYPE="voice,home":tel:+1-555
END:VCARD
`;
  test("are read one after another", async () => {
    expect(await textsOf("a.vcf", cards)).toEqual([
      "h2 Ada Lovelace",
      "Organisation: Analytical Engines, Programming\nE-mail (work): ada@example.org\nPhone (cell): +44 1\nAddress (home): St James's Square 12, London, England\nBirthday: 10 December 1815",
      "First, of all\nprogrammers",
      "h2 Jörg Müller",
      "Phone (work): 1",
      "h2 Mary",
      "Phone (home): +1-555",
    ]);
  });
  test("that are damaged are refused or read", async () => await expectCleanEnds("a.vcf", bytesOf(cards), 400));
});
