/** Download links: valid for seven days, unchanged until their last. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { linkExpiry } from "../../src/operations/links.ts";

const DAY = 86_400;

test("a new file's link is valid for seven days and stays the same for six", () => {
  const created = Date.UTC(2026, 0, 1, 12, 34, 56, 789);
  const first = linkExpiry(created, created);
  expect(first).toBe(Math.floor(created / 1000) + 7 * DAY);
  expect(linkExpiry(created, created + 6 * DAY * 1000 - 1000)).toBe(first);
  expect(linkExpiry(created, created + 6 * DAY * 1000)).toBe(first + 6 * DAY);
});

test("at any time, before the file's creation by a clock that was set back too, a link has more than its last day before it and at most seven", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 0, max: 5e12 }), (created, now) => {
      const left = linkExpiry(created, now) - Math.floor(now / 1000);
      expect(left).toBeGreaterThan(DAY);
      expect(left).toBeLessThanOrEqual(7 * DAY);
    }),
  );
});
