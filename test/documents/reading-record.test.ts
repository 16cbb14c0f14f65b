/** What is remembered of customers' files: it fades, and pauses grow with what ran into the limits. */
import { expect, test } from "bun:test";
import { ReadingRecord } from "../../src/documents/reading-record.ts";

const MINUTE = 60_000;

test("seconds add up and fade by half in a minute", () => {
  const record = new ReadingRecord(300);
  expect(record.secondsOf("a", 0)).toBe(0);
  record.addSeconds("a", 8, 0);
  expect(record.secondsOf("a", MINUTE)).toBeCloseTo(4);
  record.addSeconds("a", 4, MINUTE);
  expect(record.secondsOf("a", 2 * MINUTE)).toBeCloseTo(4);
  expect(record.secondsOf("b", MINUTE)).toBe(0);
});

test("two hits bring no pause; each further one doubles it, up to the longest", () => {
  const record = new ReadingRecord(100);
  const pauses = [1, 2, 3, 4, 5].map((second) => {
    record.addHit("a", second * 1000);
    return record.pauseOf("a", second * 1000);
  });
  expect(pauses).toEqual([0, 0, 30, 60, 100]);
  expect(record.pauseOf("b", 0)).toBe(0);
});

test("a pause ends, and counts down until then", () => {
  const record = new ReadingRecord(300);
  for (let hit = 0; hit < 3; hit++) record.addHit("a", 0);
  expect([0, 10_500, 29_999, 30_000, 31_000].map((now) => record.pauseOf("a", now))).toEqual([30, 20, 1, 0, 0]);
});

test("an honest customer with a bad file every ten minutes never pauses", () => {
  const record = new ReadingRecord(300);
  for (let hit = 0; hit < 100; hit++) {
    record.addHit("a", hit * 10 * MINUTE);
    expect(record.pauseOf("a", hit * 10 * MINUTE)).toBe(0);
  }
});

test("who had a hit is suspected for ten minutes", () => {
  const record = new ReadingRecord(300);
  expect(record.isSuspect("a", 0)).toBe(false);
  record.addHit("a", 0);
  expect([0, 9 * MINUTE, 11 * MINUTE].map((now) => record.isSuspect("a", now))).toEqual([true, true, false]);
});
