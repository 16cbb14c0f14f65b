/** Dates as ISO 8601 writes them: what they cover, and what only looks like one. */
import { describe, expect, test } from "bun:test";
import { dateSpan, isWrittenAsDate } from "../../src/foundation/iso-date.ts";

const at = (text: string): number => Date.parse(text);

describe("a date", () => {
  test.each([
    ["2024", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"],
    ["2024-02", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"],
    ["2024-12", "2024-12-01T00:00:00Z", "2025-01-01T00:00:00Z"],
    ["2024-02-29", "2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"],
    ["2024-12-31", "2024-12-31T00:00:00Z", "2025-01-01T00:00:00Z"],
  ])("%s lasts from %s to %s", (text, start, end) => {
    expect(dateSpan(text)).toEqual({ start: at(start), end: at(end) });
  });

  test("of the first century is not one of the twentieth", () => {
    expect(dateSpan("0099-01-01")!.start).toBe(at("0099-01-01T00:00:00Z"));
  });

  test.each([
    ["2024-05-01T10:30", "2024-05-01T10:30:00Z"],
    ["2024-05-01T10:30Z", "2024-05-01T10:30:00Z"],
    ["2024-05-01 10:30:15", "2024-05-01T10:30:15Z"],
    ["2024-05-01T10:30:15.250Z", "2024-05-01T10:30:15.250Z"],
    ["2024-05-01T10:30:15,25+02:00", "2024-05-01T08:30:15.250Z"],
    ["2024-05-01T23:30:00-0530", "2024-05-02T05:00:00Z"],
    ["2024-05-01t00:00:00+02", "2024-04-30T22:00:00Z"],
  ])("%s is a moment", (text, moment) => {
    expect(dateSpan(text)).toEqual({ start: at(moment), end: null });
  });

  test.each([
    "2024-02-30",
    "2023-02-29",
    "2024-13",
    "2024-00-01",
    "2024-05-01T24:00",
    "2024-05-01T10:60Z",
    "2024-05-01T10:00+25",
  ])("%s is written as one, and is none", (text) => {
    expect(isWrittenAsDate(text)).toBe(true);
    expect(dateSpan(text)).toBeNull();
  });

  test.each([
    "",
    "24-05-01",
    "2024-5-1",
    "20240501",
    "2024-05-01T10",
    "May 2024",
    "2024-05-01x",
    " 2024",
    "２０２４",
    "12345",
  ])("%p is not written as one", (text) => {
    expect(isWrittenAsDate(text)).toBe(false);
    expect(dateSpan(text)).toBeNull();
  });
});
