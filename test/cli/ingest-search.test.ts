/** `lectern ingest` and `lectern search`: through a running server, through one elsewhere, and without any. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lectern, post, serve, temporaryFolder, type Server } from "./lectern.ts";

const samples = join(import.meta.dir, "../../samples");
const folder = temporaryFolder();
const mixed = join(folder.path, "mixed");
beforeAll(() => {
  mkdirSync(mixed);
  writeFileSync(
    join(mixed, "good.md"),
    "# Lighthouse\n\nThe lamp of the lighthouse is lit at dusk and put out at dawn.",
  );
  writeFileSync(join(mixed, "empty.txt"), "");
  writeFileSync(
    join(mixed, "program.bin"),
    Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01", "latin1"), Buffer.alloc(200)]),
  );
});
afterAll(() => folder.remove());

const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);

describe("without a server", () => {
  test("a data directory that is not there is told, and not made", async () => {
    const result = await run("ingest", samples, "--dataset", "samples");
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("There is no Lectern data directory");
  });

  test("a folder is indexed by the command itself, charged, and found again", async () => {
    await run("customer", "create", "acme", "--credits", "23");
    const ingested = await run("ingest", samples, "--dataset", "samples");
    expect(ingested.stdout).toMatch(/^Indexed 20 files into dataset samples in [\d.]+ s \([\d.]+\/s\)\.\n$/);
    expect(ingested.code).toBe(0);
    expect((await run("credits", "show", "--customer", "acme", "--json")).json().credits).toBe(3);

    const found = (
      await run("search", "Bis wann muss ich übertragene Urlaubstage nehmen?", "--dataset", "samples", "--json")
    ).json();
    expect(found).toHaveLength(8);
    expect(found[0]).toEqual({
      score: expect.any(Number),
      pageContent: expect.stringContaining("31. März"),
      metadata: expect.objectContaining({
        originalName: "urlaubsregelung.docx",
        customerId: "acme",
        datasetId: "samples",
      }),
    });
  }, 30_000);

  test("results read well in a terminal: rank, score, file, wrapped beginning", async () => {
    const { stdout } = await run("search", "绿茶应该怎么保存?", "--dataset", "samples");
    expect(stdout).toMatch(/^ 1\. 0\.\d{3} {2}chaye-baocun\.html, "茶叶的保存方法"\n {4}茶叶的保存方法/);
    for (const line of stdout.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(102);
  });

  test("large files that do not fit into memory together take turns", async () => {
    await run("credits", "add", "20", "--customer", "acme");
    const large = join(folder.path, "large");
    mkdirSync(large);
    const chapters = "one two three four five six seven eight nine ten ".repeat(60);
    for (let file = 0; file < 4; file++) writeFileSync(join(large, `${file}.txt`), chapters);
    const options = [
      "--dataset",
      "large",
      "--chunk-size",
      "10",
      "--chunk-overlap",
      "0",
      "--data-dir",
      folder.dataDirectory,
    ];
    const result = await lectern(["ingest", large, ...options], { LECTERN_MAX_UPLOAD_CHUNKS: "100" });
    expect(result.stdout).toStartWith("Indexed 4 files into dataset large");
  }, 60_000);

  test("an unknown dataset is said to be none", async () => {
    const result = await run("search", "anything", "--dataset", "nothing");
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain('There is no dataset "nothing"');
  });
});

describe("through the server that holds the data directory", () => {
  let server: Server;
  beforeAll(async () => {
    server = await serve(folder.dataDirectory, ["--rate-upload", "2", "--rate-retrieval", "2"]);
  });
  afterAll(async () => {
    await server.stop();
  });

  test("failures are listed with their sentence and make the exit code 1; the rest is indexed", async () => {
    await run("credits", "add", "20", "--customer", "acme");
    const result = await run("ingest", mixed, "--dataset", "mixed", "--meta", '{"year": 2026}');
    expect(result.stdout).toStartWith("Indexed 1 file into dataset mixed");
    expect(result.stderr).toStartWith(
      `2 failed:\n  The file is empty.\n    ${join(mixed, "empty.txt")}\n  The file is `,
    );
    expect(result.stderr).toContain("which Lectern cannot read.");
    expect(result.stderr).toEndWith(`\n    ${join(mixed, "program.bin")}\n`);
    expect(result.code).toBe(1);
  });

  test("the operator is not held by the customer's rate limit", async () => {
    const many = join(folder.path, "many");
    mkdirSync(many);
    for (let index = 0; index < 3; index++)
      writeFileSync(join(many, `${index}.txt`), `Note number ${index} about the harbour.`);
    expect((await run("ingest", many, "--dataset", "many", "--json")).json()).toMatchObject({ indexed: 3, failed: [] });
  });

  test("of many small files together, those that can be read are indexed though others cannot", async () => {
    const notes = join(folder.path, "notes");
    mkdirSync(notes);
    for (let index = 0; index < 40; index++)
      writeFileSync(join(notes, `${index}.txt`), index % 20 === 7 ? "" : `Note ${index} about the harbour.`);
    await run("customer", "create", "clerk", "--credits", "100");
    const result = await run("ingest", notes, "--dataset", "notes", "--customer", "clerk", "--json");
    expect(result.json().indexed).toBe(38);
    const failed = result
      .json()
      .failed.map(({ path, sentence }: { path: string; sentence: string }) => [path, sentence]);
    expect(failed).toEqual([
      [join(notes, "27.txt"), 'The file "27.txt" is empty.'],
      [join(notes, "7.txt"), 'The file "7.txt" is empty.'],
    ]);
    expect((await run("credits", "show", "--customer", "clerk", "--json")).json().credits).toBe(62);
    await run("customer", "remove", "clerk", "--yes");
  });

  test("where several files are more than a key's limit in a minute, they are sent one by one", async () => {
    const notes = join(folder.path, "few");
    mkdirSync(notes);
    for (let index = 0; index < 3; index++) writeFileSync(join(notes, `${index}.txt`), `Note ${index}.`);
    const key = (await run("key", "create", "--customer", "acme", "--json")).json().apiKey;
    const sizes: number[] = [];
    const limited = Bun.serve({
      port: 0,
      // In place of a server whose limit would take a minute to pass.
      async fetch(request) {
        const form = await request.formData();
        sizes.push(form.getAll("file").length);
        return form.getAll("file").length > 1
          ? Response.json({ error: "RATE_LIMITED", message: "Too many." }, { status: 429 })
          : Response.json({ files: [{ fileId: `file-${sizes.length}` }] });
      },
    });
    const result = await lectern([
      "ingest",
      notes,
      "--dataset",
      "d",
      "--url",
      limited.url.origin,
      "--key",
      key,
      "--json",
    ]);
    await limited.stop();
    expect(result.json()).toMatchObject({ indexed: 3, failed: [] });
    expect(sizes).toEqual([3, 1, 1, 1]);
  });

  test("what may have been stored is not sent again, and told of each file", async () => {
    const notes = join(folder.path, "unknown");
    mkdirSync(notes);
    for (let index = 0; index < 3; index++) writeFileSync(join(notes, `${index}.txt`), `Note ${index}.`);
    const sizes: number[] = [];
    const between = Bun.serve({
      port: 0,
      // In place of a proxy that gives up waiting.
      async fetch(request) {
        sizes.push((await request.formData()).getAll("file").length);
        return new Response("<html>Gateway timeout</html>", { status: 504 });
      },
    });
    const words = ["ingest", notes, "--dataset", "d", "--url", between.url.origin, "--key", "lk_1", "--json"];
    const result = await lectern(words);
    await between.stop();
    expect(result.code).toBe(1);
    expect(result.json().failed.map(({ sentence }: { sentence: string }) => sentence)).toEqual(
      Array(3).fill("The server answered with status 504."),
    );
    expect(sizes).toEqual([3]);
  });

  test("metadata given at ingest can be filtered by", async () => {
    const filter = (year: number): string => JSON.stringify([{ key: "year", match: { value: year } }]);
    expect(
      (await run("search", "lamp", "--dataset", "mixed", "--json", "--filters", filter(2026))).json(),
    ).toHaveLength(1);
    expect((await run("search", "lamp", "--dataset", "mixed", "--json", "--filters", filter(1999))).json()).toEqual([]);
    expect((await run("search", "lamp", "--dataset", "mixed", "--filters", "{}")).stderr).toContain(
      "--filters must be a JSON list",
    );
  });

  test("when the credits are gone it stops, and says which files it did not try", async () => {
    await run("customer", "create", "poor", "--credits", "1");
    const many = join(folder.path, "many");
    const result = await run("ingest", many, "--dataset", "d", "--customer", "poor", "--parallel", "1", "--json");
    expect(result.code).toBe(1);
    const { indexed, failed } = result.json();
    expect(indexed).toBe(1);
    expect(failed.map((failure: { sentence: string }) => failure.sentence.slice(0, 10))).toEqual([
      "This reque",
      "Not tried:",
    ]);
  });

  test("a credit that comes back, since its file cannot be read, pays for another", async () => {
    await run("customer", "create", "frugal", "--credits", "1");
    const pair = join(folder.path, "pair");
    mkdirSync(pair);
    writeFileSync(join(pair, "a.pdf"), `%PDF-1.4\n${"0".repeat(300_000)}`);
    writeFileSync(join(pair, "b.txt"), "A note about the harbour. ".repeat(20_000));
    const result = await run("ingest", pair, "--dataset", "d", "--customer", "frugal", "--json");
    expect(result.json()).toMatchObject({ indexed: 1, failed: [{ path: join(pair, "a.pdf") }] });
    await run("customer", "remove", "frugal");
  });

  test("what it leaves out is counted, and a file's folder tells what", async () => {
    const tree = join(folder.path, "tree");
    for (const path of ["a.md", ".hidden.md", "node_modules/x.md", "drafts/b.md", "c.log", "d.txt"]) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), "The lamp is lit at dusk.");
    }
    writeFileSync(join(tree, ".lecternignore"), "drafts/\n");
    const words = [
      "ingest",
      tree,
      "--dataset",
      "tree",
      "--customer",
      "acme",
      "--exclude",
      "*.log",
      "--exclude",
      "*.txt",
    ];
    const told = await run(...words);
    expect(told.stdout).toMatch(/^Indexed 1 file into .*\nLeft out: 1 hidden, 3 by patterns, 1 node_modules\.\n$/);
    expect([told.code, told.stderr]).toEqual([0, ""]);
    expect((await run(...words, "--include", "*.md", "--json")).json()).toMatchObject({
      indexed: 1,
      leftOut: { hidden: 1, patterns: 3, nodeModules: 1, outside: 0, notFiles: 0 },
    });
  });

  test("which customer is meant must be clear", async () => {
    expect((await run("search", "q", "--dataset", "d")).stderr).toMatch(
      /There are \d customers: name one with --customer\./,
    );
    expect((await run("search", "q", "--dataset", "d", "--customer", "nobody")).stderr).toContain(
      'There is no customer "nobody"',
    );
  });
});

describe("through a server elsewhere", () => {
  test("an API key is enough, from a file too; with it the rate limit holds, and ingest waits for the next window", async () => {
    const other = temporaryFolder();
    // A server that refuses twice for a second, as a rate limit does, and then accepts.
    let refusals = 2;
    const names: string[] = [];
    const stub = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        expect(request.headers.get("authorization")).toBe("Bearer lk_test");
        if (refusals-- > 0)
          return Response.json(
            { error: "RATE_LIMIT_EXCEEDED", message: "later", retryAfter: 1 },
            { status: 429, headers: { "retry-after": "0" } },
          );
        names.push(((await request.formData()).get("file") as File).name);
        return Response.json({ success: true, message: "", files: [{ fileId: "f" }] });
      },
    });
    const keyFile = join(other.path, "key");
    writeFileSync(keyFile, "lk_test\n");
    const result = await lectern(
      ["ingest", join(mixed, "good.md"), "--dataset", "d", "--url", `http://127.0.0.1:${stub.port}`, "--json"],
      { LECTERN_KEY_FILE: keyFile },
    );
    void stub.stop(true);
    other.remove();
    expect(result.json()).toMatchObject({ indexed: 1, failed: [] });
    expect(names).toEqual(["good.md"]);
    expect(refusals).toBe(-1);
  });

  test("a real one, with a key that is good and one that is not", async () => {
    const other = temporaryFolder();
    const server = await serve(other.dataDirectory);
    const through = (key: string) =>
      lectern(["ingest", mixed, "--dataset", "d", "--json", "--url", server.url, "--key", key]);
    expect((await through(server.apiKey!)).json()).toMatchObject({ indexed: 1 });
    const refused = (await through("lk_wrong")).json();
    expect(refused.indexed).toBe(0);
    expect(refused.failed[0].sentence).toContain("Invalid API key or token");
    expect(
      (
        (await (await post(server, "/v1/search", server.apiKey!, { datasetId: "d", question: "lamp" })).json()) as {
          data: unknown[];
        }
      ).data,
    ).toHaveLength(1);
    await server.stop();
    other.remove();
  });

  test("--url and --key go together; a server that is not there is told", async () => {
    expect((await lectern(["search", "q", "--dataset", "d", "--url", "http://127.0.0.1:1"])).stderr).toContain(
      "--url needs a key",
    );
    expect((await lectern(["search", "q", "--dataset", "d", "--key", "lk_x"])).stderr).toContain(
      "--key goes with --url",
    );
    const nobody = await lectern(["search", "q", "--dataset", "d", "--url", "http://127.0.0.1:1", "--key", "lk_x"]);
    expect(nobody.stderr).toBe(
      "lectern: http://127.0.0.1:1 cannot be reached: nothing listens at that address. Is the server running, and is this its port?\n",
    );
    expect(nobody.code).toBe(1);
  });

  test("the address may be the interface's own, with /v1 at its end", async () => {
    const paths: string[] = [];
    const stub = Bun.serve({
      port: 0,
      fetch(request) {
        paths.push(new URL(request.url).pathname);
        return Response.json({ success: true, data: [] });
      },
    });
    for (const end of ["", "/", "/v1", "/v1/"])
      await lectern(["search", "q", "--dataset", "d", "--url", `${stub.url.origin}${end}`, "--key", "lk_x"]);
    await stub.stop();
    // That the dataset is there is asked where nothing was found in it.
    expect(paths).toEqual(Array(4).fill(["/v1/search", "/v1/datasets"]).flat());
  });
});
