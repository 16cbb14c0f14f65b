/** What is backed up is what is restored, to the last byte; and an earlier backup spares the next one what has not changed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readArchive } from "../../src/backup/archive.ts";
import { bytesOf, readManifest, writeManifest, type Manifest, type Pack } from "../../src/backup/manifest.ts";
import { partPath } from "../../src/backup/parts.ts";
import { lockFolder } from "../../src/data-directory/lock.ts";
import { lectern, post, serve, temporaryFolder } from "../cli/lectern.ts";
import { until } from "../harness.ts";
import { program, testWith } from "../requirements.ts";
import { mounting, mountSmallDisk, unmount } from "../small-disk.ts";
import { fillDirectory, FLAGS, listed, remove, rowsOf, TRANSIENT, treeOf, upload } from "./directory.ts";

const AUDIT = "audit.log";

const folder = temporaryFolder();
const { dataDirectory } = folder;
const data = ["--data-dir", dataDirectory];
const at = (name: string): string => join(folder.path, name);
let keys: { key: string; other: string };

beforeAll(async () => {
  keys = await fillDirectory(dataDirectory);
  mkdirSync(join(dataDirectory, "models/mine"), { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDirectory, "models/mine/weights"), Buffer.alloc(5_000_000, 7), { mode: 0o600 });
  writeFileSync(join(dataDirectory, "lectern.toml"), 'log_level = "warn"\n', { mode: 0o600 });
  mkdirSync(join(dataDirectory, "lost+found"), { mode: 0o700 });
  writeFileSync(join(dataDirectory, "lost+found/0199f7a0-0000-7000-8000-000000000000"), "found", { mode: 0o600 });
}, 120_000);
afterAll(() => folder.remove());

async function done(words: string[]): Promise<any> {
  const { code, stderr, json } = await lectern([...words, "--json"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return json();
}

describe.each(["first", "first.tar.zst"])("a backup as %s", (name) => {
  const restored = at(`restored-${name}`);

  test("is private, and whole", async () => {
    const summary = await done(["backup", at(name), ...data]);
    expect(summary).toMatchObject({
      counts: { customers: 2, keys: 2, datasets: 2, documents: 13 },
      damaged: [],
      missing: [],
    });
    expect(lstatSync(at(name)).mode & 0o077).toBe(0);
    if (lstatSync(at(name)).isDirectory())
      for (const state of Object.values(treeOf(at(name)))) expect(state).toMatch(/^(700$|600 )/);
    expect(await done(["backup", "verify", at(name)])).toMatchObject({ whole: true, id: summary.id });
    expect(readdirSync(folder.path).filter((entry) => entry.startsWith("."))).toEqual([]);
  });

  test("is restored byte for byte", async () => {
    await done(["restore", at(name), "--data-dir", restored]);
    expectRestored(restored);
  });

  test("serves its documents to the same keys, with the same balances", async () => {
    const server = await serve(restored, FLAGS);
    try {
      expect(await listed(server, keys.key)).toHaveLength(12);
      const found = await post(server, "/v1/search", keys.other, {
        datasetId: "d",
        question: "What is made of paper?",
      });
      expect(await found.text()).toContain("Wasps build of paper");
      expect((await lectern(["credits", "show", "--customer", "acme", "--data-dir", restored])).stdout).toContain(
        "498.9",
      );
      expect((await lectern(["doctor", "--deep", "--data-dir", restored])).code).toBe(0);
    } finally {
      await server.stop();
    }
  });
});

describe("a folder that is there and holds nothing", () => {
  const place = at("empty");
  const restore = ["restore", at("first"), "--data-dir", place];

  test("is restored into, without anything beside it", async () => {
    mkdirSync(place, { mode: 0o700 });
    const before = readdirSync(folder.path);
    await done(restore);
    expectRestored(place);
    expect(readdirSync(folder.path)).toEqual(before);
  });

  test("is no data directory while half of it is in its place, and is restored into again", async () => {
    const aside = join(place, ".restored.lectern-partial/data");
    mkdirSync(aside, { recursive: true });
    const names = readdirSync(place).filter((name) => !name.startsWith("."));
    const moves = names.map((name) => ({ from: `.restored.lectern-partial/data/${name}`, to: name }));
    writeFileSync(join(place, "repair.unfinished"), JSON.stringify(moves));
    for (const name of names.slice(names.length / 2)) renameSync(join(place, name), join(aside, name));

    // As if the process that moves were living.
    const lock = openSync(join(place, ".restored.lectern-partial"), "r");
    expect(lockFolder(lock)).toBe(true);
    const before = treeOf(place);
    const second = await lectern(restore);
    expect(second.stderr).toContain(`Another process is just making ${place}.`);
    expect(second.code).toBe(1);
    expect(treeOf(place)).toEqual(before);
    closeSync(lock);

    const started = await lectern(["serve", "--data-dir", place, "--port", "0"]);
    expect(started.code).toBe(1);
    expect(started.stderr).toContain("restoring into it, was interrupted");
    await done(restore);
    expectRestored(place);
  });
});

testWith(mounting)("the root of a volume is restored into", async () => {
  const volume = mountSmallDisk("64m")!;
  try {
    await done(["restore", at("first.tar.zst"), "--data-dir", volume]);
    expectRestored(volume);
  } finally {
    unmount(volume);
  }
});

test("without models it names them", async () => {
  const { code, stderr } = await lectern(["backup", at("bare"), "--without-models", ...data]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("mine") as string });
  const restored = await lectern(["restore", at("bare"), "--data-dir", at("bare-restored")]);
  expect(restored.stderr).toContain("`lectern model add`: mine");
  expect(existsSync(at("bare-restored/models"))).toBe(false);
  rmSync(at("bare"), { recursive: true });
});

test("what only the log of a killed server holds is in it", async () => {
  const copy = at("killed");
  cpSync(dataDirectory, copy, { recursive: true });
  const server = await serve(copy, FLAGS);
  let ids: string[] | null = null;
  // A server that has just started may empty the log once more.
  await until(async () => {
    ids = await upload(server, keys.key, { "late.txt": "The late bee." });
    return statSync(join(copy, "lectern.db-wal")).size > 0;
  }, 30_000);
  await server.stop("SIGKILL");
  expect(statSync(join(copy, "lectern.db-wal")).size).toBeGreaterThan(0);
  await done(["backup", at("of-killed"), "--data-dir", copy]);
  await done(["restore", at("of-killed"), "--data-dir", at("killed-restored")]);
  const again = await serve(at("killed-restored"), FLAGS);
  expect(await listed(again, keys.key)).toContain(ids![0]!);
  await again.stop();
});

test("a stored file that is damaged or gone is told, and does not stop the others", async () => {
  const copy = at("damaged");
  cpSync(dataDirectory, copy, { recursive: true });
  const stored = Object.keys(treeOf(join(copy, "files"))).filter((path) => /[0-9a-f]{12}$/.test(path));
  writeFileSync(join(copy, "files", stored[0]!), "not what was uploaded");
  rmSync(join(copy, "files", stored[1]!));
  const { code, stderr } = await lectern(["backup", at("of-damaged"), "--data-dir", copy]);
  expect(code).toBe(0);
  expect(stderr).toContain(`not what was uploaded: files/${stored[0]}`);
  expect(stderr).toContain(`missing, in the data directory and so in it: files/${stored[1]}`);
});

describe.each(["", ".tar.zst"])("since an earlier one, as *%s", (ending) => {
  const name = (number: number): string => at(`chain-${number}${ending}`);

  test("only what is new is stored", async () => {
    const first = await done(["backup", name(1), ...data]);
    expect(first.newBytes).toBeGreaterThan(5_000_000);
    const server = await serve(dataDirectory, FLAGS);
    const [gone] = await listed(server, keys.key);
    await upload(server, keys.key, { "new.txt": "A new bee arrives." });
    expect(await remove(server, keys.key, gone!)).toBe(true);
    const second = await done(["backup", name(2), "--since", name(1), ...data]);
    expect(second.counts.documents).toBe(first.counts.documents);
    expect(second.newBytes).toBeLessThan(2_000_000);
    await server.stop();
    const third = await done(["backup", name(3), "--since", name(2), ...data]);
    expect(third.newBytes).toBeLessThan(2_000_000);
  });

  test("it is restored byte for byte", async () => {
    const restored = at(`chain-restored${ending}`);
    expect(await done(["backup", "verify", name(3)])).toMatchObject({ whole: true });
    await done(["restore", name(3), "--data-dir", restored]);
    expectRestored(restored);
    expect(rowsOf(join(restored, "lectern.db"))).toBe(rowsOf(join(dataDirectory, "lectern.db")));
    expect(rowsOf(join(restored, "access.db"))).toBe(rowsOf(join(dataDirectory, "access.db")));
  });
});

test("small files that share a part go on when one of them is deleted, and when the part is damaged", async () => {
  const copy = at("packed");
  cpSync(dataDirectory, copy, { recursive: true });
  const since = (name: string, words: string[] = []) => done(["backup", at(name), "--data-dir", copy, ...words]);
  await since("packed-1");
  const packOf = (backup: string, path: string): Pack =>
    manifestOf(backup).packs.find(({ files }) => files.some((file) => file.path === path))!;
  const server = await serve(copy, FLAGS);
  const [gone] = await listed(server, keys.key);
  const gonePath = `files/${gone!.slice(-2)}/${gone}`;
  expect(await remove(server, keys.key, gone!)).toBe(true);
  await server.stop();
  const pack = packOf("packed-1", gonePath);
  const others = pack.files.map(({ path }) => path).filter((path) => !path.startsWith(gonePath));
  expect(others.length).toBeGreaterThan(2);

  await since("packed-2", ["--since", at("packed-1")]);
  const paths = manifestOf("packed-2").packs.flatMap(({ files }) => files.map(({ path }) => path));
  for (const path of others) expect(paths).toContain(path);
  expect(existsSync(partPath(at("packed-2"), pack.pack))).toBe(false);

  writeFileSync(partPath(at("packed-1"), pack.pack), Buffer.alloc(bytesOf(pack.files), "x"));
  await since("packed-3", ["--since", at("packed-1")]);
  for (const name of ["packed-2", "packed-3"]) {
    expect(await done(["backup", "verify", at(name)])).toMatchObject({ whole: true });
    await done(["restore", at(name), "--data-dir", at(`${name}-restored`)]);
    expect(treeOf(at(`${name}-restored/files`))).toEqual(treeOf(join(copy, "files")));
  }
}, 120_000);

test("a folder of the first layout, which had no packs, is verified, restored, and continued", async () => {
  const [old, next] = [at("first-layout"), at("after-first-layout")];
  // A file's manifest has none to this day, and the same parts.
  mkdirSync(old, { mode: 0o700 });
  await done(["backup", at("unpacked.tar.zst"), ...data]);
  for await (const { name, content } of readArchive(at("unpacked.tar.zst"))) {
    mkdirSync(dirname(join(old, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(old, name), Buffer.concat(await Array.fromAsync(content)), { mode: 0o600 });
  }
  const { head, ...files } = manifestOf("first-layout");
  expect(files.packs).toEqual([]);
  writeFileSync(join(old, "manifest"), writeManifest({ ...head, version: 1 }, files));
  expect(await done(["backup", "verify", old])).toMatchObject({ whole: true });
  const { newBytes } = await done(["backup", next, "--since", old, ...data]);
  expect(newBytes).toBeLessThan(100_000);
  rmSync(at("unpacked.tar.zst"));
  for (const backup of [old, next]) {
    await done(["restore", backup, "--data-dir", `${backup}-restored`]);
    expectRestored(`${backup}-restored`);
  }
});

test("a folder needs none of those before it", async () => {
  rmSync(at("chain-1"), { recursive: true });
  rmSync(at("chain-2"), { recursive: true });
  expect(await done(["backup", "verify", at("chain-3")])).toMatchObject({ whole: true });
});

test("a secret that is missing is told", async () => {
  const [secret, aside] = [join(dataDirectory, "secret"), at("secret-aside")];
  renameSync(secret, aside);
  const { code, stderr } = await lectern(["backup", at("without-secret"), ...data]);
  renameSync(aside, secret);
  expect(stderr).toContain("1 file missing, in the data directory and so in it: secret");
  expect(code).toBe(0);
});

test("a file says which is missing, and finds it where it is told", async () => {
  const elsewhere = at("elsewhere");
  mkdirSync(elsewhere);
  renameSync(at("chain-1.tar.zst"), join(elsewhere, "moved.tar.zst"));
  const { code, stderr } = await lectern(["restore", at("chain-3.tar.zst"), "--data-dir", at("unmade")]);
  expect(code).toBe(1);
  expect(stderr).toContain("since the backup chain-1.tar.zst");
  expect(existsSync(at("unmade"))).toBe(false);
  await done([
    "restore",
    at("chain-3.tar.zst"),
    "--base",
    join(elsewhere, "moved.tar.zst"),
    "--data-dir",
    at("unmade"),
  ]);
  expect(treeOf(at("unmade"))).toEqual(treeOf(at("chain-restored.tar.zst"), TRANSIENT));
});

test("a text that was deleted before the moment is in none of its parts", async () => {
  const server = await serve(dataDirectory, FLAGS);
  const secret = "Zwiebelturmuhrmacherlehrling";
  const [id] = (await upload(server, keys.key, { "secret.txt": `${secret} sleeps.` }))!;
  await done(["backup", at("with"), ...data]);
  await remove(server, keys.key, id!);
  // The rows are zeros from the answer on.
  await done(["backup", at("without"), "--since", at("with"), ...data]);
  await server.stop();
  const holders = (backup: string): string[] =>
    readdirSync(join(backup, "parts"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(secret));
  expect(holders(at("with"))).not.toEqual([]);
  expect(holders(at("without"))).toEqual([]);
});

testWith(program("tar"), program("zstd"))("tar and zstd open a backup that is one file", async () => {
  const copy = at("first-again.tar.zst");
  copyFileSync(at("first.tar.zst"), copy);
  const { exitCode, stdout } = Bun.spawnSync(["tar", "--zstd", "-tf", copy]);
  expect(exitCode).toBe(0);
  expect(stdout.toString()).toStartWith("manifest\nparts/");
});

test("a backup beside `compact` holds the same rows", async () => {
  const before = rowsOf(join(dataDirectory, "lectern.db"));
  const beside = Array.from({ length: 4 }, (_, turn) => at(`compacting-${turn}`));
  const [compacted, ...made] = await Promise.all([
    lectern(["compact", ...data]),
    ...beside.map((name) => lectern(["backup", name, ...data])),
  ]);
  expect([compacted, ...made].map(({ code, stderr }) => [code, stderr])).toEqual(Array(5).fill([0, ""]));
  for (const name of beside) {
    await done(["restore", name, "--data-dir", `${name}-restored`]);
    expect(rowsOf(join(`${name}-restored`, "lectern.db"))).toBe(before);
  }
});

const manifestOf = (name: string): Manifest => {
  const path = join(at(name), "manifest");
  return readManifest(readFileSync(path, "utf8"), path);
};

/** Everything is there byte for byte, and what has been noted since the moment, of the backup itself, is not. */
function expectRestored(restored: string): void {
  expect(treeOf(restored, [AUDIT])).toEqual(treeOf(dataDirectory, [...TRANSIENT, AUDIT]));
  const noted = (directory: string): string => readFileSync(join(directory, AUDIT), "utf8");
  expect(noted(dataDirectory)).toStartWith(noted(restored));
}
