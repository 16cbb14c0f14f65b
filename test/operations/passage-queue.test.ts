/** Passages on their way from a reader to the embedding: none is lost, none overtakes another, and few are in memory. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Passage } from "../../src/documents/index.ts";
import { PassageQueue } from "../../src/operations/passage-queue.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "passages-"));
  path = join(folder, "passages");
});

afterEach(() => rmSync(folder, { recursive: true }));

const passages = (first: number, count: number): Passage[] =>
  Array.from({ length: count }, (_, at) => ({
    text: `passage ${first + at} 𝄞`,
    contextLength: 0,
    place: { page: first + at },
  }));

const open = (checkRoom = async () => {}): PassageQueue => new PassageQueue({ path, checkRoom });

test("those of a small document never touch the disk", async () => {
  const queue = open();
  await queue.push(passages(0, 256));
  await queue.push(passages(256, 3));
  queue.end();
  expect((await Array.fromAsync(queue)).flat()).toEqual(passages(0, 259));
  expect(existsSync(path)).toBe(false);
});

test("those that come faster than they are taken wait on disk, and keep their order", async () => {
  const queue = open();
  const pieces = 40;
  for (let piece = 0; piece < 20; piece++) await queue.push(passages(piece * 256, 256));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const laidBy = statSync(path).size;
  const taken: Passage[] = [];
  let pushed = 20;
  for await (const piece of queue) {
    taken.push(...piece);
    if (pushed < pieces) await queue.push(passages(pushed++ * 256, 256));
    if (pushed === pieces) queue.end();
  }
  expect(taken).toEqual(passages(0, pieces * 256));
  expect(laidBy).toBeGreaterThan(10_000);
});

test("once they are taken as fast as they come, they wait in memory again", async () => {
  const queue = open();
  const reader = queue[Symbol.asyncIterator]();
  for (let piece = 0; piece < 6; piece++) await queue.push(passages(piece, 256));
  for (let piece = 0; piece < 6; piece++) await reader.next();
  const { size } = statSync(path);
  for (let piece = 6; piece < 12; piece++) {
    await queue.push(passages(piece, 256));
    expect((await reader.next()).value?.[0]?.place).toEqual({ page: piece });
  }
  expect(statSync(path).size).toBe(size);
});

describe("what fails", () => {
  test("in the reading comes after what was read", async () => {
    const queue = open();
    await queue.push(passages(0, 2));
    queue.fail(new Error("the reader broke"));
    const reader = queue[Symbol.asyncIterator]();
    expect((await reader.next()).value).toHaveLength(2);
    await expect(reader.next()).rejects.toThrow("the reader broke");
  });

  test("for lack of room is told to whoever hands passages on", async () => {
    const queue = open(async () => {
      throw new Error("no room");
    });
    for (let piece = 0; piece < 4; piece++) await queue.push(passages(piece, 256));
    await expect(queue.push(passages(4, 256))).rejects.toThrow("no room");
  });
});
