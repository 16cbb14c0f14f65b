/** Where native libraries are unpacked to: the operator's word first, never into a place that others can change. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseCacheDirectory } from "../../src/native/cache-directory.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "lectern-cache-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);

test("the option wins over the variable, the variable over XDG_CACHE_HOME, that over HOME, and all over the fallback", () => {
  const environment: Record<string, string> = { LECTERN_CACHE_DIR: at("variable"), XDG_CACHE_HOME: at("xdg"), HOME: at("home") };
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

test("others lose the right to write there, and keep what else they had", () => {
  mkdirSync(at("shared"));
  chmodSync(at("shared"), 0o777);
  expect(statSync(chooseCacheDirectory({ directory: at("shared") }, {})).mode & 0o777).toBe(0o755);
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
