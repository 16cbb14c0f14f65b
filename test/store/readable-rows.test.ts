/** Rows of a table that is damaged: every page that is whole gives its rows, whatever lies between. */
import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { columnsOf, fits, readableRows } from "../../src/store/readable-rows.ts";
import { cleanUp, temporaryFolder } from "./samples.ts";

afterEach(cleanUp);

const PAGE = 4096;
const ROWS = 2000;

/** A table of rows of a few hundred bytes, one number in three. */
function make(): string {
  const path = join(temporaryFolder(), "some.db");
  using database = new Database(path);
  database.run(`PRAGMA page_size = ${PAGE}`);
  database.run("CREATE TABLE things (id INTEGER PRIMARY KEY NOT NULL, label TEXT NOT NULL, content BLOB)");
  const insert = database.query("INSERT INTO things VALUES (?, ?, ?)");
  database.transaction(() => {
    for (let row = 1; row <= ROWS; row++) insert.run(row * 3, `thing ${row}`, Buffer.alloc(300, row % 256));
  })();
  return path;
}

function damage(path: string, pages: readonly number[]): void {
  const bytes = readFileSync(path);
  for (const page of pages) bytes.fill(0xa7, (page - 1) * PAGE, page * PAGE);
  writeFileSync(path, bytes);
}

function read(path: string): number[] {
  using database = new Database(path);
  return [...readableRows(database, "things")].map(({ id }) => id as number);
}

const ROWS_OF_A_PAGE = 13;

test("a whole table gives all", () => {
  expect(read(make())).toEqual(Array.from({ length: ROWS }, (_, index) => (index + 1) * 3));
});

test.each([
  ["one page", [40]],
  ["pages here and there", [20, 60, 61, 100, 150]],
])("%s damaged: the rows of all others are read, each once and in order", (_what, pages) => {
  const path = make();
  damage(path, pages);
  const rows = read(path);
  expect(rows.length).toBeGreaterThanOrEqual(ROWS - pages.length * ROWS_OF_A_PAGE);
  expect(rows.length).toBeLessThan(ROWS);
  expect(rows).toEqual([...new Set(rows)].sort((left, right) => left - right));
});

test("a table whose first page is damaged, and one that is not there, give none", () => {
  const path = make();
  damage(path, [2]);
  expect(read(path)).toEqual([]);
  using database = new Database(path);
  expect([...readableRows(database, "others")]).toEqual([]);
  expect(columnsOf(database, "others")).toEqual([]);
});

test("a row fits where each column holds what it may", () => {
  using database = new Database(make());
  const columns = columnsOf(database, "things");
  const fitting = { id: 1, label: "x", content: new Uint8Array() };
  expect(fits(fitting, columns)).toBe(true);
  expect(fits({ id: 1, label: "x" }, columns)).toBe(true);
  for (const wrong of [{ id: "1" }, { id: 1.5 }, { label: null }, { label: 7 }, { content: "x" }])
    expect(fits({ ...fitting, ...wrong }, columns)).toBe(false);
});
