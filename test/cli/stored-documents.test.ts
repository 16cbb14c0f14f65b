/** `lectern dataset`, `file` and `query`: through the server that holds the data directory, and alone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program, testWith } from "../requirements.ts";
import { answering, lectern, serve, temporaryFolder, type Server } from "./lectern.ts";

const CHAIN = "The chain is oiled every month. It lasts for years then.";
const NOT_THERE =
  /^lectern: There is no dataset "nowhere", or no file in it\. `lectern dataset list` shows what there is\.\n$/;
const NO_TERMINAL = /^lectern: This removes something for good, and there is no terminal to ask on\. Give --yes\.\n$/;

for (const mode of ["through the server", "alone"] as const)
  describe(mode, () => {
    const folder = temporaryFolder();
    const documents = join(folder.path, "documents");
    let server: Server | null = null;
    let ids: Record<string, string> = {};

    const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
    const listed = async (): Promise<string[]> =>
      (await run("file", "list", "--dataset", "d", "--json"))
        .json()
        .map((file: { originalName: string }) => file.originalName);

    beforeAll(async () => {
      const first = await serve(folder.dataDirectory);
      if (mode === "alone") await first.stop();
      else server = first;
      mkdirSync(documents);
      for (const name of ["a.txt", "b.txt", "c.txt"]) writeFileSync(join(documents, name), `${CHAIN} This is ${name}.`);
      expect((await run("ingest", documents, "--dataset", "d")).code).toBe(0);
      const files = (await run("file", "list", "--dataset", "d", "--json")).json();
      ids = Object.fromEntries(files.map((file: Record<string, string>) => [file.originalName!, file.fileId!]));
    });
    afterAll(async () => {
      await server?.stop();
      folder.remove();
    });

    test("dataset list", async () => {
      expect((await run("dataset", "list", "--json")).json()).toEqual([
        {
          datasetId: "d",
          files: 3,
          chunks: 3,
          bytes: 3 * (CHAIN.length + " This is a.txt.".length),
          created: expect.stringMatching(/^\d{4}-.*Z$/),
          updated: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ]);
      expect((await run("dataset", "list")).stdout).toMatch(/^DATASET +FILES +PASSAGES .*\nd +3 +3 /);
    });

    test("file list, of one name too", async () => {
      expect((await listed()).sort()).toEqual(["a.txt", "b.txt", "c.txt"]);
      const { stdout } = await run("file", "list", "--dataset", "d", "--name", "b.txt");
      expect(stdout).toMatch(new RegExp(`^FILE ID .*\n${ids["b.txt"]} +b\\.txt +71 bytes +\\d{4}-.*\n$`));
      const none = await run("file", "list", "--dataset", "d", "--name", "x.txt");
      expect(none).toMatchObject({ code: 0, stdout: 'There is no file called "x.txt".\n' });
      expect((await run("file", "list", "--dataset", "d", "--name", "x.txt", "--json")).json()).toEqual([]);
    });

    test("file show", async () => {
      expect((await run("file", "show", ids["a.txt"]!, "--json")).json()).toMatchObject({
        fileId: ids["a.txt"],
        originalName: "a.txt",
        datasetId: "d",
        loaderId: "text",
      });
      expect((await run("file", "show", ids["a.txt"]!)).stdout).toMatch(/^fileId +.*\noriginalName +a\.txt\n/);
    });

    test("file subtitles", async () => {
      const talk = join(folder.path, "talk.srt");
      writeFileSync(talk, "1\n00:00:01,000 --> 00:00:02,500\nThe lamp is lit.\n");
      expect((await run("ingest", talk, "--dataset", "talks")).code).toBe(0);
      const [file] = (await run("file", "list", "--dataset", "talks", "--json")).json();
      expect(await run("file", "subtitles", file.fileId, "--format", "vtt")).toMatchObject({
        code: 0,
        stdout: "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nThe lamp is lit.\n\n",
      });
      const none = await run("file", "subtitles", ids["a.txt"]!);
      expect(none).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("has no subtitles") });
      expect((await run("dataset", "remove", "talks", "--yes")).code).toBe(0);
    });

    test("file get: whole, and never over another file", async () => {
      const fileId = ids["a.txt"]!;
      const downloads = join(folder.path, "downloads");
      mkdirSync(downloads);
      const bytes = readFileSync(join(documents, "a.txt"), "utf8");
      expect((await run("file", "get", fileId, "--output", "-")).stdout).toBe(bytes);
      const into = await run("file", "get", fileId, "--output", downloads, "--json");
      expect(into.json()).toEqual({ fileId, path: join(downloads, "a.txt") });
      expect(readFileSync(join(downloads, "a.txt"), "utf8")).toBe(bytes);
      writeFileSync(join(downloads, "a.txt"), "mine");
      const refused = await run("file", "get", fileId, "--output", join(downloads, "a.txt"));
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("is there already. Choose another with --output, or overwrite it with --force.");
      expect(readFileSync(join(downloads, "a.txt"), "utf8")).toBe("mine");
      expect((await run("file", "get", fileId, "--output", downloads, "--force")).code).toBe(0);
      expect(readFileSync(join(downloads, "a.txt"), "utf8")).toBe(bytes);
      expect(readdirSync(downloads)).toEqual(["a.txt"]);
      rmSync(downloads, { recursive: true });
    });

    test("query: the answer, and below it what it is made from", async () => {
      const { code, stdout } = await run("query", "How often is the chain oiled?", "--dataset", "d");
      expect(code).toBe(0);
      expect(stdout).toContain("The chain is oiled every month.");
      expect(stdout).toMatch(/\n\n 1\. \d\.\d{3} {2}[abc]\.txt, line 1\n {4}The chain is oiled/);
      expect((await run("query", "How often is the chain oiled?", "--dataset", "d", "--json")).json()).toEqual({
        answer: expect.stringContaining("The chain is oiled every month."),
        sources: expect.arrayContaining([expect.objectContaining({ pageContent: expect.stringContaining(CHAIN) })]),
        model: "extractive",
        usage: { promptTokens: expect.any(Number), completionTokens: expect.any(Number) },
      });
      const filters = '[{"key":"originalName","match":{"value":"none.txt"}}]';
      expect(await run("search", "chain", "--dataset", "d", "--filters", filters)).toMatchObject({
        code: 0,
        stdout: "Nothing found.\n",
      });
    });

    test.each([
      [["search", "chain", "--dataset", "nowhere"], 1, NOT_THERE],
      [["search", "chain", "--dataset", "nowhere", "--json"], 1, NOT_THERE],
      [["query", "chain", "--dataset", "nowhere"], 1, NOT_THERE],
      [["file", "list", "--dataset", "nowhere"], 1, NOT_THERE],
      [["dataset", "remove", "nowhere", "--yes"], 1, NOT_THERE],
      [["file", "show", "none"], 1, /^lectern: There is no such file\.\n$/],
      [["file", "get", "none"], 1, /^lectern: There is no such file\.\n$/],
      [["file", "remove", "none", "--yes"], 1, /^lectern: none: There is no such file\. Nothing was removed\.\n$/],
      [["file", "remove", "none"], 2, NO_TERMINAL],
      [["dataset", "remove", "d"], 2, NO_TERMINAL],
      [["customer", "remove", "default"], 2, NO_TERMINAL],
      [["key", "revoke", "none"], 2, NO_TERMINAL],
      [["model", "remove", "none"], 2, NO_TERMINAL],
      [["query", "chain"], 2, /--dataset is missing/],
    ] as [string[], number, RegExp][])("%j", async (words, code, sentence) => {
      const result = await run(...words);
      expect(result.stderr).toMatch(sentence);
      expect(result).toMatchObject({ code, stdout: "" });
    });

    testWith(program("script"))("on a terminal a removal asks, and does nothing without a yes", async () => {
      const asked = (answer: string) =>
        answering(answer, ["dataset", "remove", "d", "--data-dir", folder.dataDirectory]);
      const refused = await asked("n");
      expect(refused.code).toBe(1);
      expect(refused.output).toContain("Dataset d holds 3 files, 3 passages, 0.0 MB. Remove for good? [y/N]");
      expect(refused.output).toContain("lectern: Nothing was removed.");
      expect(await listed()).toHaveLength(3);
      expect((await asked("yes")).output).toContain("Dataset d is removed: 3 files.");
      expect((await run("ingest", documents, "--dataset", "d")).code).toBe(0);
    });

    test("file remove: all, or none where one is not there; then the dataset", async () => {
      const [first, second] = (await run("file", "list", "--dataset", "d", "--json"))
        .json()
        .map(({ fileId }: { fileId: string }) => fileId) as [string, string];
      expect((await run("file", "remove", first, "none", "--yes")).code).toBe(1);
      expect(await listed()).toHaveLength(3);
      expect((await run("file", "remove", first, second, first, "--yes", "--json")).json()).toEqual({
        removed: [first, second],
        failed: [],
      });
      expect(await listed()).toHaveLength(1);
      expect((await run("dataset", "remove", "d", "--yes", "--json")).json()).toEqual({
        datasetId: "d",
        removed: true,
        files: 1,
      });
      expect((await run("dataset", "list")).stdout).toStartWith("There are no datasets yet.");
      expect([...new Bun.Glob("files/??/*").scanSync(folder.dataDirectory)]).toEqual([]);
    });

    test("another customer's documents are not there", async () => {
      await run("customer", "create", "other");
      expect((await run("ingest", join(documents, "a.txt"), "--dataset", "d", "--customer", "default")).code).toBe(0);
      const [{ fileId }] = (await run("file", "list", "--dataset", "d", "--customer", "default", "--json")).json();
      expect((await run("dataset", "list", "--customer", "other", "--json")).json()).toEqual([]);
      for (const words of [
        ["file", "show", fileId],
        ["file", "get", fileId, "--output", "-"],
        ["file", "remove", fileId, "--yes"],
        ["dataset", "remove", "d", "--yes"],
      ])
        expect((await run(...words, "--customer", "other")).code, words.join(" ")).toBe(1);
      expect((await run("file", "show", fileId, "--customer", "default")).code).toBe(0);
    });
  });

describe("extract", () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const sample = join(import.meta.dir, "../../samples/bicycle-maintenance.md");
  const run = (...words: string[]) => lectern(["extract", ...words, "--data-dir", folder.dataDirectory]);

  test("passages with their places, of every file that can be read, and no data directory", async () => {
    const empty = join(folder.path, "empty.txt");
    writeFileSync(empty, "");
    const { code, stdout, stderr } = await run(sample, empty, folder.path, join(folder.path, "none"));
    expect(code).toBe(1);
    expect(stdout).toContain(`1. ${sample}, "Looking after a city bicycle", line`);
    expect(stdout).toMatch(/: \d+ passages, read as markdown \(text\/markdown\)\.\n/);
    expect(stderr).toBe(
      [
        'lectern: The file "empty.txt" is empty.',
        `lectern: ${folder.path} is not a file.`,
        `lectern: ${join(folder.path, "none")} cannot be used: it is not there.`,
        "",
      ].join("\n"),
    );
    expect(existsSync(folder.dataDirectory)).toBe(false);
  });

  test("as JSON, one object a file, in passages of the length that is asked for", async () => {
    const records = async (...flags: string[]) =>
      (await run(sample, "none", "--json", ...flags)).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const [whole, missing] = await records();
    const [short] = await records("--chunk-size", "40", "--chunk-overlap", "0");
    expect(whole).toMatchObject({ path: sample, loaderId: "markdown", chunks: [{ place: { line: 1 } }, {}] });
    expect(missing).toMatchObject({ path: "none", error: "OPERATION_FAILED" });
    expect(short.chunks.length).toBeGreaterThan(whole.chunks.length * 3);
    expect((await run(sample, "--chunk-size", "5")).stderr).toContain("chunkSize must be an integer between 10 and");
  });
});
