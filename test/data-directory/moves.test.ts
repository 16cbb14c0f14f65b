/** Moves that are all done, or taken back. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  hasUnfinishedMoves,
  moveAll,
  refuseUnfinishedMoves,
  takeBackMoves,
  type Move,
} from "../../src/data-directory/moves.ts";

let directory: string;
const at = (name: string): string => join(directory, name);
const read = (name: string): string | null => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : null);
const moves: readonly Move[] = [
  { from: "a.db", to: "kept/a.db" },
  { from: "a.db-wal", to: "kept/a.db-wal" },
  { from: "gone", to: "kept/gone" },
  { from: "kept/new/a.db", to: "a.db" },
];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "lectern-moves-"));
  mkdirSync(at("kept/new"), { recursive: true });
  for (const [name, text] of [
    ["a.db", "old"],
    ["a.db-wal", "log"],
    ["kept/new/a.db", "new"],
  ] as const)
    writeFileSync(at(name), text);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("all are done, and nothing is left to take back", () => {
  moveAll(directory, moves);
  expect([read("a.db"), read("a.db-wal"), read("kept/a.db"), read("kept/a.db-wal")]).toEqual([
    "new",
    null,
    "old",
    "log",
  ]);
  expect(hasUnfinishedMoves(directory)).toBe(false);
  expect(() => refuseUnfinishedMoves(directory)).not.toThrow();
});

test.each([0, 1, 2, 3])("interrupted after %d of them, all is as it was, and can be done again", (done) => {
  const present = moves.filter(({ from }) => from !== "gone");
  writeFileSync(at("repair.unfinished"), JSON.stringify(present));
  for (const { from, to } of present.slice(0, done)) {
    mkdirSync(dirname(at(to)), { recursive: true });
    renameSync(at(from), at(to));
  }
  expect(() => refuseUnfinishedMoves(directory)).toThrow("Run `lectern doctor --repair` or `lectern restore` again");
  takeBackMoves(directory);
  expect([read("a.db"), read("a.db-wal"), read("kept/new/a.db"), hasUnfinishedMoves(directory)]).toEqual([
    "old",
    "log",
    "new",
    false,
  ]);
  moveAll(directory, moves);
  expect(read("a.db")).toBe("new");
});

test("a note that was not written to its end is one of no moves", () => {
  writeFileSync(at("repair.unfinished"), '[{"from": "a.db"');
  takeBackMoves(directory);
  expect([read("a.db"), hasUnfinishedMoves(directory)]).toEqual(["old", false]);
});
