/** Unpacking into the cache: whole or not at all, once, repaired when cut, with sentences on what is wrong. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedGroup } from "../../src/native/embedded.ts";
import { distrustOf, recordFiles, sha256 } from "../../src/native/trust.ts";
import { unpackGroup } from "../../src/native/unpack.ts";
import { program, superuser, testWith } from "../requirements.ts";

let folder: string;
let root: string;
let group: EmbeddedGroup;
let reasons: string[];
const told = { onDistrust: (reason: string) => void reasons.push(reason) };

beforeEach(() => {
  reasons = [];
  folder = mkdtempSync(join(tmpdir(), "lectern-unpack-"));
  root = join(folder, "cache");
  mkdirSync(root, { mode: 0o700 });
  const files = Object.entries({ "one.node": "first library", "two.so": "second".repeat(1000) }).map(([name, text]) => {
    const path = join(folder, `${name}.zst`);
    writeFileSync(path, Bun.zstdCompressSync(text));
    return [name, { path, size: text.length, sha256: sha256(Buffer.from(text)) }];
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
  expect(statSync(unpackGroup(root, "pair", group, told)).ino).toBe(before);
  expect(reasons).toEqual([]);
});

describe("what is not as it was unpacked is told and unpacked anew:", () => {
  const NOBODY = 65_534;
  /** Other bytes, and the time of the old ones. */
  const alter = (path: string): void => {
    const { atime, mtime, mode } = statSync(path);
    chmodSync(path, 0o700);
    writeFileSync(path, "s".repeat(6000));
    chmodSync(path, mode);
    utimesSync(path, atime, mtime);
  };
  const changes: [name: string, change: (file: string, folder: string) => void, reason: RegExp, needsRoot?: boolean][] =
    [
      ["a file cut short", (file) => truncateSync(file, 5), /another size/],
      ["another content of the same length and time", alter, /another content/],
      ["no file", (file) => rmSync(file), /ENOENT/],
      ["a folder in a file's place", (file) => (rmSync(file), mkdirSync(file)), /no file/],
      [
        "a link to the very same content",
        (file) => {
          copyFileSync(file, `${root}/copy`);
          rmSync(file);
          symlinkSync(`${root}/copy`, file);
        },
        /no file/,
      ],
      ["a file that others can change", (file) => chmodSync(file, 0o777), /can be changed by other users/],
      ["a folder that others can change", (_, inside) => chmodSync(inside, 0o777), /can be changed by other users/],
      ["a file of another user", (file) => chownSync(file, NOBODY, NOBODY), /belongs to another user/, true],
      ["a folder of another user", (_, inside) => chownSync(inside, NOBODY, NOBODY), /belongs to another user/, true],
      [
        "a record of another user",
        (file, inside) => {
          alter(file);
          recordFiles(inside, group);
          chownSync(join(inside, ".verified"), NOBODY, NOBODY);
        },
        /belongs to another user/,
        true,
      ],
    ];
  for (const [name, change, reason, needsRoot = false] of changes) {
    testWith(...(needsRoot ? [superuser] : []))(name, () => {
      const unpacked = unpackGroup(root, "pair", group);
      change(join(unpacked, "two.so"), unpacked);
      const again = unpackGroup(root, "pair", group, told);
      expect(reasons).toEqual([expect.stringMatching(reason)] as never);
      expect(readFileSync(join(again, "two.so"), "utf8")).toBe("second".repeat(1000));
      expect(distrustOf(again, group, true)).toBeNull();
    });
  }

  test("bytes that the disk has lost by itself, when every one is looked at", () => {
    const unpacked = unpackGroup(root, "pair", group);
    alter(join(unpacked, "two.so"));
    // Such a loss changes no time.
    recordFiles(unpacked, group);
    expect(unpackGroup(root, "pair", group, { ...told, everyByte: true })).toBe(unpacked);
    expect(reasons).toEqual([expect.stringMatching(/another content/)] as never);
    expect(readFileSync(join(unpacked, "two.so"), "utf8")).toBe("second".repeat(1000));
  });

  testWith(superuser, program("setpriv"))("a folder that cannot be removed, under another name", () => {
    chmodSync(folder, 0o755);
    const closed = join(root, "pair-0123abcd");
    mkdirSync(closed);
    writeFileSync(join(closed, "one.node"), "not ours");
    chownSync(root, NOBODY, NOBODY);
    const script = `
      import { unpackGroup } from ${JSON.stringify(join(import.meta.dir, "../../src/native/unpack.ts"))};
      for (let round = 0; round < 2; round++) console.log(unpackGroup(${JSON.stringify(root)}, "pair", ${JSON.stringify(group)}));`;
    const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
    const child = Bun.spawnSync([...asNobody, process.execPath, "-e", script], { env: { HOME: "/nonexistent" } });
    const [first, second] = child.stdout.toString().split("\n");
    expect(first).toMatch(/pair-0123abcd-[0-9a-f]{8}$/);
    expect(second).toBe(first);
    expect(readFileSync(join(first!, "two.so"), "utf8")).toBe("second".repeat(1000));
  });
});

test("without its record everything is hashed, used, and recorded again", () => {
  const unpacked = unpackGroup(root, "pair", group);
  const before = statSync(unpacked).ino;
  rmSync(join(unpacked, ".verified"));
  expect(statSync(unpackGroup(root, "pair", group, told)).ino).toBe(before);
  expect(reasons).toEqual([]);
  expect(statSync(join(unpacked, ".verified")).mode & 0o777).toBe(0o400);
});

test("a damaged executable leaves nothing behind and says so", () => {
  writeFileSync(group.files["one.node"]!.path, Bun.zstdCompressSync("other"));
  expect(() => unpackGroup(root, "pair", group)).toThrow(/one\.node inside the executable is damaged/);
  expect(readdirSync(root)).toEqual([]);
});

test("a cache folder that went away is named, with the way out", () => {
  rmSync(root, { recursive: true });
  expect(() => unpackGroup(root, "pair", group)).toThrow(
    /cannot unpack .* into .*cache: .* Set LECTERN_CACHE_DIR to another folder/,
  );
});
