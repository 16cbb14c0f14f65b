/** `lectern ingest --sync`: the dataset becomes what the folder is; through the server that holds the data directory, and alone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { until } from "../harness.ts";
import { lectern, serve, spawnLectern, temporaryFolder, type Server } from "./lectern.ts";

/** An empty file is refused. */
const NOT_READABLE = "";

for (const mode of ["through the server", "alone"] as const)
  describe(mode, () => {
    const folder = temporaryFolder();
    const documents = join(folder.path, "documents");
    let server: Server | null = null;

    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(documents, path)), { recursive: true });
      writeFileSync(join(documents, path), text);
    };
    const at = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
    const sync = (...words: string[]) => at("ingest", documents, "--sync", "--dataset", "d", ...words);
    const stored = async (datasetId = "d"): Promise<string[]> =>
      (await at("file", "list", "--dataset", datasetId, "--json"))
        .json()
        .map((file: { path?: string; originalName: string }) => file.path ?? file.originalName)
        .sort();

    beforeAll(async () => {
      const first = await serve(folder.dataDirectory);
      if (mode === "alone") await first.stop();
      else server = first;
      write("a/README.md", "# Chains\n\nThe chain is oiled every month.");
      write("b/README.md", "# Brakes\n\nThe brakes are looked at every spring.");
      write("saddle.txt", "The saddle is set to the height of the hip.");
      write("node_modules/x.txt", "Not for anyone.");
    });
    afterAll(async () => {
      await server?.stop();
      folder.remove();
    });

    test("all is new at first, and told apart by its path", async () => {
      expect((await sync("--dry-run", "--json")).json()).toMatchObject({
        new: ["a/README.md", "b/README.md", "saddle.txt"],
        changed: [],
        gone: [],
        unchanged: 0,
        dryRun: true,
        indexed: 0,
      });
      const { stdout, code } = await sync();
      expect(stdout).toMatch(
        /^3 new, 0 changed, 0 gone, 0 unchanged\nIndexed 3 files into dataset d in .*\nLeft out: 1 node_modules\.\n$/,
      );
      expect(code).toBe(0);
      expect(await stored()).toEqual(["a/README.md", "b/README.md", "saddle.txt"]);
      expect((await at("search", "When are brakes looked at?", "--dataset", "d")).stdout).toMatch(
        /^ 1\. 0\.\d{3} {2}b\/README\.md, /,
      );
    }, 30_000);

    test("nothing is done again, and nothing charged", async () => {
      expect(await sync()).toMatchObject({
        code: 0,
        stdout: "0 new, 0 changed, 0 gone, 3 unchanged\nLeft out: 1 node_modules.\n",
        stderr: "",
      });
    }, 30_000);

    test("what changed takes the place of what it was; what is gone stays until it is pruned", async () => {
      write("a/README.md", "# Chains\n\nThe chain is oiled every week.");
      renameSync(join(documents, "saddle.txt"), join(documents, "seat.txt"));
      const dry = await sync("--dry-run", "--prune");
      expect(dry.stdout).toMatch(
        /^1 new, 1 changed, 1 gone, 1 unchanged\nNew:\n {2}seat\.txt\nChanged:\n {2}a\/README\.md\nGone:\n {2}saddle\.txt\nNothing was done: this was a dry run\.\n/,
      );
      const { stdout } = await sync();
      expect(stdout).toContain("1 new, 1 changed, 1 gone, 1 unchanged\nIndexed 2 files into dataset d");
      expect(stdout).toContain("What is gone is still found. With --prune it is removed.");
      expect(await stored()).toEqual(["a/README.md", "b/README.md", "saddle.txt", "seat.txt"]);
      const found = (await at("search", "How often is the chain oiled?", "--dataset", "d", "--json")).json();
      expect(JSON.stringify(found)).toContain("every week");
      expect(JSON.stringify(found)).not.toContain("every month");

      expect(await sync("--prune")).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --yes.") });
      expect((await sync("--prune", "--yes", "--json")).json()).toMatchObject({ gone: ["saddle.txt"], removed: 1 });
      expect(await stored()).toEqual(["a/README.md", "b/README.md", "seat.txt"]);
    }, 60_000);

    test("metadata is part of what a file is", async () => {
      expect((await sync("--meta", '{"year": 2026}', "--json")).json()).toMatchObject({
        changed: { length: 3 },
        indexed: 3,
      });
      expect((await sync("--meta", '{ "year": 2026 }', "--json")).json()).toMatchObject({ unchanged: 3, indexed: 0 });
      expect((await sync("--json")).json()).toMatchObject({ changed: { length: 3 } });
    }, 60_000);

    test("what was stored otherwise is nobody's to remove, nor what lies under another folder", async () => {
      const other = join(folder.path, "other");
      mkdirSync(other);
      writeFileSync(join(other, "README.md"), "The bell rings twice.");
      await at("ingest", join(other, "README.md"), "--dataset", "e");
      const into = ["--sync", "--prune", "--yes", "--json", "--dataset", "e"];
      expect((await at("ingest", other, "--under", "other/", ...into)).json()).toMatchObject({
        new: ["other/README.md"],
      });
      expect((await at("ingest", join(documents, "b"), "--under", "b", ...into)).json()).toMatchObject({
        new: ["b/README.md"],
        gone: [],
      });
      expect(await stored("e")).toEqual(["README.md", "b/README.md", "other/README.md"]);
      rmSync(join(other, "README.md"));
      writeFileSync(join(other, "bell.md"), "The bell rings once.");
      expect((await at("ingest", other, "--under", "other", ...into)).json()).toMatchObject({
        new: ["other/bell.md"],
        gone: ["other/README.md"],
        removed: 1,
      });
      expect(await stored("e")).toEqual(["README.md", "b/README.md", "other/bell.md"]);
    }, 60_000);

    test("a file that cannot be read keeps the others from nothing, and its former version stays", async () => {
      write("seat.txt", NOT_READABLE);
      const result = await sync("--prune", "--yes", "--json");
      expect(result.code).toBe(1);
      expect(result.json()).toMatchObject({
        changed: ["seat.txt"],
        indexed: 0,
        failed: [{ path: join(documents, "seat.txt") }],
      });
      expect(await stored()).toContain("seat.txt");
      write("seat.txt", "The saddle is set to the height of the hip.");
    }, 30_000);

    describe("nothing is removed", () => {
      test.each<[what: string, paths: () => string[], why: string]>([
        [
          "where a folder cannot be found",
          () => [documents, join(folder.path, "nowhere")],
          "part of what was named could not be read",
        ],
        ["where nothing was found", () => [join(folder.path, "empty")], "no file was found in what was named"],
        ["where only files were named", () => [join(documents, "seat.txt")], "is not a folder"],
      ])(
        "%s",
        async (_what, paths, why) => {
          mkdirSync(join(folder.path, "empty"), { recursive: true });
          const before = await stored();
          const result = await at("ingest", ...paths(), "--sync", "--prune", "--yes", "--dataset", "d");
          expect(result.code).toBe(1);
          expect(result.stderr).toContain(`Nothing was removed: `);
          expect(result.stderr).toContain(why);
          expect(await stored()).toEqual(before);
        },
        30_000,
      );
    });
  });

describe("two files of one path", () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  test("are told apart by nobody: the second fails, and says what to do", async () => {
    const server = await serve(folder.dataDirectory);
    const folders = ["one", "two"].map((name) => join(folder.path, name));
    for (const path of folders) {
      mkdirSync(path);
      writeFileSync(join(path, "README.md"), `This is ${path}.`);
    }
    symlinkSync(folders[0]!, join(folders[0]!, "itself"));
    const result = await lectern([
      "ingest",
      ...folders,
      "--sync",
      "--dataset",
      "d",
      "--json",
      "--data-dir",
      folder.dataDirectory,
    ]);
    await server.stop();
    expect(result.json()).toMatchObject({
      new: ["README.md"],
      indexed: 1,
      failed: [
        { path: join(folders[1]!, "README.md"), sentence: expect.stringContaining("each with its own --under") },
      ],
    });
  }, 30_000);
});

describe("flags that do not go together", () => {
  test.each<[words: string[], sentence: string]>([
    [["--prune"], "--prune goes with --sync."],
    [["--dry-run"], "--dry-run goes with --sync."],
    [["--watch"], "--watch goes with --sync."],
    [["--sync", "--watch", "--dry-run"], "give one of them."],
    [["--sync", "--watch", "--prune"], "--prune with it needs --yes."],
    [["--sync", "--prune"], "Give --yes."],
    [["--under", "../x"], "leads out of its folder"],
    [["--under", "/x"], "is not relative"],
  ])("%p", async (words, sentence) => {
    const result = await lectern(["ingest", ".", "--dataset", "d", ...words]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  test("standard input", async () => {
    const result = await lectern(["ingest", "-", "--name", "a.md", "--sync", "--dataset", "d"], {}, "text");
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("PATH - is neither") });
  });
});

test("--watch follows what is written, moved and removed, until Ctrl-C", async () => {
  const folder = temporaryFolder();
  const server = await serve(folder.dataDirectory);
  const documents = join(folder.path, "documents");
  mkdirSync(documents);
  writeFileSync(join(documents, "one.md"), "The first page.");
  const words = [
    "--sync",
    "--watch",
    "--prune",
    "--yes",
    "--dataset",
    "d",
    "--json",
    "--data-dir",
    folder.dataDirectory,
  ];
  const { process, result } = spawnLectern(["ingest", documents, ...words]);
  const paths = async (): Promise<string> => {
    const listing = await fetch(`${server.url}/v1/files?datasetId=d`, {
      headers: { authorization: `Bearer ${server.apiKey}` },
    });
    const { files } = (await listing.json()) as { files: { path: string; size: number }[] };
    return files
      .map(({ path, size }) => `${path} ${size}`)
      .sort()
      .join(", ");
  };
  try {
    await until(async () => (await paths()) === "one.md 15", 20_000);
    mkdirSync(join(documents, "deep/er"), { recursive: true });
    writeFileSync(join(documents, "deep/er/two.md"), "The second page.");
    await until(async () => (await paths()) === "deep/er/two.md 16, one.md 15", 20_000);
    writeFileSync(join(documents, "one.md"), "The first page, again.");
    rmSync(join(documents, "deep"), { recursive: true });
    writeFileSync(join(documents, "broken.txt"), NOT_READABLE);
    await until(async () => (await paths()) === "one.md 22", 20_000);
  } finally {
    process.kill("SIGINT");
    const { code, stdout, stderr } = await result;
    await server.stop();
    folder.remove();
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: "Watching for changes. Ctrl-C ends it.\nStopped watching.\n",
    });
    // What is refused is tried once, however often something else changes.
    expect(stdout.split("\n").filter((pass) => pass.includes("broken.txt")).length).toBeLessThanOrEqual(1);
  }
}, 60_000);
