/** What cannot be backed up, kept or restored is refused by a sentence, and everything stays as it was. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { tarHeader, paddingOf, sealOf } from "../../src/backup/archive-format.ts";
import { createHash } from "node:crypto";
import { verifyBackup } from "../../src/backup/index.ts";
import { readManifest, writeManifest, type Entry, type Head, type Pack } from "../../src/backup/manifest.ts";
import { lectern, spawnLectern, temporaryFolder } from "../cli/lectern.ts";
import { failureOf, until } from "../harness.ts";
import { describeWith } from "../requirements.ts";
import { mounting, mountSmallDisk, unmount } from "../small-disk.ts";
import { fillDirectory, treeOf } from "./directory.ts";

const folder = temporaryFolder();
const { dataDirectory } = folder;
const at = (name: string): string => join(folder.path, name);
const data = ["--data-dir", dataDirectory];
let copies = 0;

beforeAll(async () => {
  await fillDirectory(dataDirectory);
  for (const name of ["whole", "whole.tar.zst"]) expect((await lectern(["backup", at(name), ...data])).stderr).toBe("");
  expect((await lectern(["backup", at("since.tar.zst"), "--since", at("whole.tar.zst"), ...data])).stderr).toBe("");
  mkdirSync(at("full"));
  writeFileSync(at("full/note"), "mine");
  writeFileSync(at("file"), "mine");
  symlinkSync(dataDirectory, at("link"));
  mkdirSync(at("repaired"));
  writeFileSync(at("repaired/lectern.db"), "repaired");
  writeFileSync(at("repaired/repair.unfinished"), JSON.stringify([{ from: "aside/lectern.db", to: "lectern.db" }]));
}, 120_000);
afterAll(() => folder.remove());

describe("is refused", () => {
  const rows: readonly { what: string; words: () => string[]; says: string; code?: number }[] = [
    { what: "a target that is there", words: () => ["backup", at("full"), ...data], says: "is there already" },
    { what: "one that is a file", words: () => ["backup", at("file"), ...data], says: "is there already" },
    { what: "one in no folder", words: () => ["backup", at("none/x"), ...data], says: "is no folder in which" },
    {
      what: "one in the data directory",
      words: () => ["backup", join(dataDirectory, "x"), ...data],
      says: "lies in the data",
    },
    {
      what: "one in it by a link",
      words: () => ["backup", at("link/files/x"), ...data],
      says: "lies in the data directory",
    },
    { what: "no target", words: () => ["backup", ...data], says: "Something is missing", code: 2 },
    {
      what: "a data directory that is none",
      words: () => ["backup", at("x"), "--data-dir", at("full")],
      says: "nothing to back up",
    },
    {
      what: "an earlier backup that is not there",
      words: () => ["backup", at("x"), "--since", at("none"), ...data],
      says: "no backup at",
    },
    {
      what: "one that is none",
      words: () => ["backup", at("x"), "--since", at("full"), ...data],
      says: "has no manifest",
    },
    {
      what: "one that is some file",
      words: () => ["backup", at("x.tar.zst"), "--since", at("file"), ...data],
      says: "is no whole backup",
    },
    {
      what: "one of the other kind",
      words: () => ["backup", at("x"), "--since", at("whole.tar.zst"), ...data],
      says: "of the same kind",
    },
    {
      what: "restoring where something is",
      words: () => ["restore", at("whole"), "--data-dir", at("full")],
      says: "holds something already",
    },
    {
      what: "restoring where a file is",
      words: () => ["restore", at("whole"), "--data-dir", at("file")],
      says: "holds something already",
    },
    {
      what: "restoring into the data directory",
      words: () => ["restore", at("whole"), ...data],
      says: "holds something already",
    },
    {
      what: "restoring into the backup",
      words: () => ["restore", at("whole"), "--data-dir", at("whole/new/x")],
      says: "lies in the backup",
    },
    {
      what: "restoring where a repair was interrupted, or goes on",
      words: () => ["restore", at("whole"), "--data-dir", at("repaired")],
      says: "holds something already",
    },
    { what: "restoring nothing", words: () => ["restore", at("none"), "--data-dir", at("x")], says: "no backup at" },
    {
      what: "restoring what is no backup",
      words: () => ["restore", at("full"), "--data-dir", at("x")],
      says: "has no manifest",
    },
    { what: "verifying what is no backup", words: () => ["backup", "verify", at("file")], says: "is no whole backup" },
  ];
  for (const { what, words, says, code = 1 } of rows)
    test(what, async () => {
      const before = treeOf(folder.path);
      const result = await lectern(words());
      expect(result.stderr).toContain(says);
      expect(result.stderr).not.toContain("    at ");
      expect(result.code).toBe(code);
      expect(treeOf(folder.path)).toEqual(before);
    });
});

test("a database that is broken is not backed up as if it were none", async () => {
  const broken = at("broken");
  cpSync(dataDirectory, broken, { recursive: true });
  const database = readFileSync(join(broken, "lectern.db"));
  for (let page = 2; (page + 1) * 16_384 <= database.length; page++)
    database.fill(0x55, page * 16_384, page * 16_384 + 64);
  writeFileSync(join(broken, "lectern.db"), database);
  const { code, stderr } = await lectern(["backup", at("never"), "--data-dir", broken]);
  expect(stderr).toMatch(/lectern\.db is damaged|cannot be used: database disk image is malformed/);
  expect(code).toBe(1);
  expect(existsSync(at("never"))).toBe(false);
});

/** A copy of a whole backup, to be changed. */
function copy(name: "whole" | "whole.tar.zst" | "since.tar.zst"): string {
  const path = at(`copy-${++copies}${name.replace(/^[a-z]+/, "")}`);
  cpSync(at(name), path, { recursive: true });
  return path;
}

function partOf(backup: string): string {
  const entry = readdirSync(join(backup, "parts"), { recursive: true, withFileTypes: true }).find((found) =>
    found.isFile(),
  )!;
  return join(entry.parentPath, entry.name);
}

/** Writes the manifest anew, with a right checksum. */
function say(
  backup: string,
  change: (
    head: Head,
    entries: Entry[],
    packs: readonly Pack[],
  ) => { head?: object; entries?: Entry[]; packs?: readonly Pack[] },
): string {
  const path = join(backup, "manifest");
  const { head, entries, packs } = readManifest(readFileSync(path, "utf8"), path);
  const changed = { head: {}, entries: [...entries.values()], packs, ...change(head, [...entries.values()], packs) };
  // As a list, so that a path can be told twice.
  const listed = { values: () => changed.entries.values() } as unknown as ReadonlyMap<string, Entry>;
  writeFileSync(path, writeManifest({ ...head, ...changed.head }, { entries: listed, packs: changed.packs }));
  return backup;
}

const renamed =
  (path: string) =>
  (_head: Head, [first, ...others]: Entry[]) => ({ entries: [{ ...first!, path }, ...others] });

/** An archive of these files, sealed as a right one is. */
function archiveOf(files: Record<string, string>): string {
  const path = at(`copy-${++copies}.tar.zst`);
  const pieces = Object.entries(files).flatMap(([name, text]) => [
    tarHeader(name, text.length),
    Buffer.from(text),
    paddingOf(text.length),
  ]);
  const compressed = Bun.zstdCompressSync(Buffer.concat([...pieces, Buffer.alloc(1024)]));
  writeFileSync(path, Buffer.concat([compressed, sealOf(createHash("sha256").update(compressed).digest())]));
  return path;
}

const manifestText = (): string => readFileSync(join(at("whole"), "manifest"), "utf8");

describe("is neither verified nor restored", () => {
  const rows: readonly { what: string; make: () => string; says: string }[] = [
    {
      what: "a part that is missing",
      make: () => {
        const backup = copy("whole");
        rmSync(partOf(backup));
        return backup;
      },
      says: "is missing",
    },
    {
      what: "a part that was cut short",
      make: () => {
        const backup = copy("whole");
        truncateSync(partOf(backup), 3);
        return backup;
      },
      says: "was altered",
    },
    {
      what: "a part that is a link",
      make: () => {
        const backup = copy("whole");
        const part = partOf(backup);
        rmSync(part);
        symlinkSync(join(at("whole"), part.slice(backup.length)), part);
        return backup;
      },
      says: "does not belong into a backup",
    },
    {
      what: "a manifest that is a link",
      make: () => {
        const backup = copy("whole");
        rmSync(join(backup, "manifest"));
        symlinkSync(join(at("whole"), "manifest"), join(backup, "manifest"));
        return backup;
      },
      says: "does not belong into a backup",
    },
    {
      what: "what holds something else",
      make: () => {
        const backup = copy("whole");
        writeFileSync(join(backup, "parts/00/stranger"), "");
        return backup;
      },
      says: "does not belong into a backup",
    },
    {
      what: "a manifest that was cut short",
      make: () => {
        const backup = copy("whole");
        writeFileSync(join(backup, "manifest"), manifestText().slice(0, -100));
        return backup;
      },
      says: "its manifest was cut short or altered",
    },
    {
      what: "a path that leads out",
      make: () => say(copy("whole"), renamed("../../out")),
      says: "says what no backup",
    },
    { what: "one from the root", make: () => say(copy("whole"), renamed("/tmp/out")), says: "says what no backup" },
    {
      what: "one through itself",
      make: () => say(copy("whole"), renamed("files/../../out")),
      says: "says what no backup",
    },
    {
      what: "a path that is told twice",
      make: () => say(copy("whole"), (_head, entries) => ({ entries: [...entries, entries[0]!] })),
      says: "says what no backup",
    },
    ...(
      [
        ["leads out", { path: "../out" }],
        ["is told elsewhere", { path: "lectern.db" }],
        ["is longer than what is there", { bytes: 300_000 }],
        ["is longer than a pack may be", { bytes: 2 ** 40 }],
        ["ends before it begins", { bytes: -1 }],
        ["has no SHA-256", { sha256: "x" }],
      ] as const
    ).map(([what, change]) => ({
      what: `a packed file that ${what}`,
      make: () =>
        say(copy("whole"), (_head, _entries, [first, ...packs]) => {
          const [file, ...files] = first!.files;
          return { packs: [{ ...first!, files: [{ ...file!, ...change }, ...files] }, ...packs] };
        }),
      says: what === "is longer than what is there" ? "was altered" : "says what no backup",
    })),
    {
      what: "a pack of nothing",
      make: () => say(copy("whole"), (_head, _entries, [first]) => ({ packs: [{ ...first!, files: [] }] })),
      says: "says what no backup",
    },
    {
      what: "a manifest of a later layout",
      make: () => say(copy("whole"), () => ({ head: { version: 99, lectern: "9.9.9" } })),
      says: "newer version of Lectern (9.9.9)",
    },
    {
      what: "an archive that was cut short",
      make: () => {
        const backup = copy("whole.tar.zst");
        truncateSync(backup, 5000);
        return backup;
      },
      says: "is no whole backup",
    },
    {
      what: "an archive with something behind it",
      make: () => {
        const backup = copy("whole.tar.zst");
        appendFileSync(backup, "more");
        return backup;
      },
      says: "is no whole backup",
    },
    {
      what: "an archive without what it was made since",
      make: () => {
        const [backup, away] = [at("alone/since.tar.zst"), at("alone")];
        mkdirSync(away, { recursive: true });
        copyFileSync(at("since.tar.zst"), backup);
        return backup;
      },
      says: "which is missing. Put that one beside it",
    },
    {
      what: "an archive that leads out",
      make: () => archiveOf({ manifest: manifestText(), "../out": "x" }),
      says: "was altered",
    },
    { what: "an archive of something else", make: () => archiveOf({ "parts/00/x": "x" }), says: "was altered" },
    { what: "an archive without its parts", make: () => archiveOf({ manifest: manifestText() }), says: "was altered" },
  ];
  for (const { what, make, says } of rows)
    test(what, async () => {
      const backup = make();
      for (const words of [
        ["backup", "verify", backup],
        ["restore", backup, "--data-dir", at("never")],
      ]) {
        const { code, stderr } = await lectern(words);
        expect(stderr).toContain(says);
        expect(stderr).not.toContain("    at ");
        expect(code).toBe(1);
      }
      expect(existsSync(at("never"))).toBe(false);
      expect(existsSync(at("out")) || existsSync("/tmp/out")).toBe(false);
      expect(readdirSync(folder.path).filter((name) => name.startsWith("."))).toEqual([]);
    });

  test("what a newer Lectern would have to open", async () => {
    const backup = say(copy("whole"), ({ schemas }) => ({
      head: { lectern: "9.9.9", schemas: { ...schemas, documents: 9e15 } },
    }));
    const { code, stderr } = await lectern(["restore", backup, "--data-dir", at("never")]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("newer version of Lectern (9.9.9)") as string,
    });
    expect(existsSync(at("never"))).toBe(false);
  });
});

test("interrupted, it ends in good order and leaves nothing", async () => {
  const target = at("interrupted");
  const { process: backup, result } = spawnLectern(["backup", target, ...data]);
  await until(() => existsSync(at(".interrupted.lectern-partial")) || existsSync(target), 20_000);
  backup.kill("SIGINT");
  const { code, stderr } = await result;
  // It may just have been done.
  if (code !== 0) expect({ code, stderr }).toEqual({ code: 130, stderr: "lectern: Interrupted. Nothing was kept.\n" });
  expect(existsSync(target)).toBe(code === 0);
  expect(existsSync(at(".interrupted.lectern-partial"))).toBe(false);
});

const verifying = (path: string): Promise<unknown> =>
  verifyBackup(path, { bases: [], begin: () => () => {}, signal: new AbortController().signal });

test.each(["whole", "whole.tar.zst"] as const)(
  "a byte that is flipped anywhere in %s is noticed",
  async (name) => {
    const backup = copy(name);
    await verifying(backup);
    const files = name === "whole" ? Object.keys(treeOf(backup)).filter((path) => !/^parts(\/..)?$/.test(path)) : [""];
    for (let trial = 0; trial < 60; trial++) {
      const path = join(backup, files[trial % files.length]!);
      const right = readFileSync(path);
      const wrong = Buffer.from(right);
      // Of one file from its beginning to its end; of many at another place each.
      const place = files.length === 1 ? Math.floor((trial / 59) * (right.length - 1)) : (trial * 7919) % right.length;
      wrong[place]! ^= 1 << (trial % 8);
      writeFileSync(path, wrong);
      expect((await failureOf(verifying(backup))).message).toContain("whole backup");
      writeFileSync(path, right);
    }
    await verifying(backup);
  },
  120_000,
);

describeWith(mounting)("a disk without room", () => {
  let disk: string;
  beforeAll(() => {
    disk = mountSmallDisk("300k")!;
  });
  afterAll(() => unmount(disk));

  for (const [what, words] of [
    ["for a backup", () => ["backup", join(disk, "x"), ...data]],
    ["for one that is a file", () => ["backup", join(disk, "x.tar.zst"), ...data]],
    ["for what is restored", () => ["restore", at("whole"), "--data-dir", join(disk, "x")]],
    ["for what is restored of a file", () => ["restore", at("whole.tar.zst"), "--data-dir", join(disk, "x")]],
    ["for what is restored onto its root", () => ["restore", at("whole"), "--data-dir", disk]],
  ] as const)
    test(what, async () => {
      const { code, stderr } = await lectern(words());
      expect(stderr).toContain(`There is no room for it in ${disk}`);
      expect(code).toBe(1);
      expect(readdirSync(disk)).toEqual([]);
    });
});
