/** Where native libraries are unpacked to: the operator's word first, never into a place that others can change. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseCacheDirectory } from "../../src/native/cache-directory.ts";
import { superuser, testWith } from "../requirements.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "lectern-cache-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);

test("the option wins over the variable, the variable over XDG_CACHE_HOME, that over HOME, and all over the fallback", () => {
  const environment: Record<string, string> = {
    LECTERN_CACHE_DIR: at("variable"),
    XDG_CACHE_HOME: at("xdg"),
    HOME: at("home"),
  };
  const fallback = at("fallback");
  expect(chooseCacheDirectory({ directory: at("option"), fallback }, environment)).toBe(at("option"));
  expect(chooseCacheDirectory({ fallback }, environment)).toBe(at("variable"));
  delete environment.LECTERN_CACHE_DIR;
  expect(chooseCacheDirectory({ fallback }, environment)).toBe(at("xdg", "lectern"));
  delete environment.XDG_CACHE_HOME;
  expect(chooseCacheDirectory({ fallback }, environment)).toBe(at("home", ".cache", "lectern"));
  expect(chooseCacheDirectory({ fallback }, { HOME: "/nonexistent" })).toBe(fallback);
});

test("it is made for this user alone", () => {
  expect(statSync(chooseCacheDirectory({ directory: at("a", "b") }, {})).mode & 0o777).toBe(0o700);
});

test("others lose the right to write there, and what had been unpacked while they had it is not trusted", () => {
  const unpacked = `usearch-${"0123456789abcdef".repeat(2)}`;
  for (const name of [unpacked, `${unpacked}-01234567`, ".unpacking-abc", "other"])
    mkdirSync(at("shared", name), { recursive: true });
  chmodSync(at("shared"), 0o777);
  const reasons: string[] = [];
  const choose = () => chooseCacheDirectory({ directory: at("shared") }, {}, (reason) => reasons.push(reason));
  expect(statSync(choose()).mode & 0o777).toBe(0o755);
  expect(readdirSync(at("shared"))).toEqual(["other"]);
  expect(reasons).toEqual([`${at("shared")} could be changed by other users`]);
  choose();
  expect(reasons).toHaveLength(1);
});

test("in a folder for everybody, like /tmp, a private one is made, and another's in its place is refused", () => {
  mkdirSync(at("everybody"));
  chmodSync(at("everybody"), 0o1777);
  const own = at("everybody", `lectern-${process.geteuid?.()}`);
  const choose = () => chooseCacheDirectory({ directory: at("everybody") }, {});
  for (let round = 0; round < 2; round++) expect(choose()).toBe(own);
  expect(statSync(own).mode & 0o777).toBe(0o700);
  expect(statSync(at("everybody")).mode & 0o7777).toBe(0o1777);
  rmSync(own, { recursive: true });
  mkdirSync(at("theirs"));
  symlinkSync(at("theirs"), own);
  expect(choose).toThrow(/belongs to another user or can be changed by one\. Set LECTERN_CACHE_DIR/);
});

testWith(superuser)("a folder of another user is refused, the superuser's own commands included", () => {
  mkdirSync(at("theirs"), { mode: 0o700 });
  chownSync(at("theirs"), 65_534, 65_534);
  expect(() => chooseCacheDirectory({ directory: at("theirs") }, {})).toThrow(/belongs to another user/);
});

test("a home that cannot be used falls back; a choice of the operator's that cannot be used does not", () => {
  writeFileSync(at("file"), "");
  expect(chooseCacheDirectory({ fallback: at("fallback") }, { HOME: at("file") })).toBe(at("fallback"));
  expect(() => chooseCacheDirectory({ directory: at("file", "x"), fallback: at("fallback") }, {})).toThrow(
    /cannot unpack its native libraries into .*: it is not a folder\. Set LECTERN_CACHE_DIR/,
  );
});

test("without a home and a fallback the sentence says what to set", () => {
  expect(() => chooseCacheDirectory({}, { HOME: "" })).toThrow(/no home directory .* Set LECTERN_CACHE_DIR/);
});
