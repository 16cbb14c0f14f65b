/** Whose file is read next. */
import { expect, test } from "bun:test";
import { nextFile, type QueuedFile } from "../../src/documents/extraction-queue.ts";

const MEGABYTE = 1_000_000;
const file = (customerId: string, arrivedAt = 0, size = 0): QueuedFile => ({ customerId, arrivedAt, size });

test.each([
  { rule: "nothing waits", waiting: [], used: {}, next: undefined },
  { rule: "who used least goes first", waiting: [file("a", 0), file("b", 50)], used: { a: 3, b: 1 }, next: 1 },
  {
    rule: "parts of a second make no difference; who came first goes first",
    waiting: [file("a", 40), file("b", 50)],
    used: { a: 0.9, b: 0.1 },
    next: 0,
  },
  {
    rule: "a small file overtakes a large one",
    waiting: [file("a", 0, 5 * MEGABYTE), file("b", 50, 10)],
    used: {},
    next: 1,
  },
  {
    rule: "but not one that has waited long",
    waiting: [file("a", 0, 5 * MEGABYTE), file("b", 11_000, 10)],
    used: {},
    next: 0,
  },
  {
    rule: "a small file of the same customer overtakes too",
    waiting: [file("a", 0, 5 * MEGABYTE), file("a", 50, 10)],
    used: { a: 9 },
    next: 1,
  },
] as { rule: string; waiting: QueuedFile[]; used: Record<string, number>; next: number | undefined }[])(
  "$rule",
  ({ waiting, used, next }) => {
    expect(nextFile(waiting, (customerId) => used[customerId] ?? 0)).toBe(
      next === undefined ? undefined : waiting[next],
    );
  },
);
