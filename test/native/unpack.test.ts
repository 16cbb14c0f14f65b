/** Unpacking into the cache: whole or not at all, once, repaired when cut, with sentences on what is wrong. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedGroup } from "../../src/native/embedded.ts";
import { unpackGroup } from "../../src/native/unpack.ts";

let folder: string;
let root: string;
let group: EmbeddedGroup;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lectern-unpack-"));
  root = join(folder, "cache");
  mkdirSync(root, { mode: 0o700 });
  const files = Object.entries({ "one.node": "first library", "two.so": "second".repeat(1000) }).map(([name, text]) => {
    const path = join(folder, `${name}.zst`);
    writeFileSync(path, Bun.zstdCompressSync(text));
    return [name, { path, size: text.length }];
  });
  group = { hash: "0123abcd", files: Object.fromEntries(files) };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a group lies in a private folder named by its content, and nothing else is left", () => {
  const unpacked = unpackGroup(root, "pair", group);
  expect(unpacked).toBe(join(root, "pair-0123abcd"));
  expect(readFileSync(join(unpacked, "two.so"), "utf8")).toBe("second".repeat(1000));
  expect(statSync(unpacked).mode & 0o777).toBe(0o700);
  expect(statSync(join(unpacked, "one.node")).mode & 0o777).toBe(0o500);
  expect(readdirSync(root)).toEqual(["pair-0123abcd"]);
});

test("what is there already is used as it is", () => {
  const before = statSync(unpackGroup(root, "pair", group)).ino;
  expect(statSync(unpackGroup(root, "pair", group)).ino).toBe(before);
});

test("a file that was cut short is replaced", () => {
  truncateSync(join(unpackGroup(root, "pair", group), "two.so"), 5);
  expect(statSync(join(unpackGroup(root, "pair", group), "two.so")).size).toBe(6000);
});

test("a damaged executable leaves nothing behind and says so", () => {
  writeFileSync(group.files["one.node"]!.path, Bun.zstdCompressSync("other"));
  expect(() => unpackGroup(root, "pair", group)).toThrow(/one\.node inside the executable is damaged/);
  expect(readdirSync(root)).toEqual([]);
});

test("a cache folder that went away is named, with the way out", () => {
  rmSync(root, { recursive: true });
  expect(() => unpackGroup(root, "pair", group)).toThrow(/cannot unpack .* into .*cache: .* Set LECTERN_CACHE_DIR to another folder/);
});
