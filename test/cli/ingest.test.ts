/** `lectern ingest` before a server that a test plays: standard input, files that change, Ctrl-C, and what is said in the end. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failureLines } from "../../src/cli/ingest/report.ts";
import { until } from "../harness.ts";
import { lectern, spawnLectern, temporaryFolder } from "./lectern.ts";

let folder: ReturnType<typeof temporaryFolder>;
/** What the server is given, and what it does before it answers. */
let received: { name: string; text: string }[];
let beforeAnswer: () => void | Promise<void>;
let server: Bun.Server<undefined>;
beforeEach(() => {
  folder = temporaryFolder();
  received = [];
  beforeAnswer = () => {};
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const files = (await request.formData()).getAll("file") as File[];
      for (const file of files) received.push({ name: file.name, text: await file.text() });
      await beforeAnswer();
      return Response.json({ success: true, files: files.map((_file, index) => ({ fileId: `f${index}` })) });
    },
  });
});
afterEach(async () => {
  await server.stop(true);
  folder.remove();
});

const words = (...more: string[]): string[] => [
  "ingest",
  ...more,
  "--dataset",
  "d",
  "--url",
  `http://127.0.0.1:${server.port}`,
  "--key",
  "lk_x",
];
const at = (name: string): string => join(folder.path, name);

describe("--async", () => {
  let looks: object[];
  let paths: string[];
  beforeEach(() => {
    looks = [];
    paths = [];
    server.reload({
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        paths.push(`${request.method} ${pathname}${search}`);
        if (request.method === "GET") return Response.json({ success: true, files: [looks.shift()] });
        await request.formData();
        return Response.json({ success: true, files: [{ fileId: "f0", status: "processing" }] }, { status: 202 });
      },
    });
    writeFileSync(at("talk.txt"), "A talk.");
  });

  test("sends a file to be read in the background, and waits for it", async () => {
    looks = [{ status: "processing", progress: 0.4 }, { status: "ready" }];
    const result = await lectern(words(at("talk.txt"), "--async", "--language", "de", "--json"));
    expect(result.json()).toMatchObject({ indexed: 1, failed: [] });
    expect(paths).toEqual(["POST /v1/files/upload?async=true", "GET /v1/files/f0", "GET /v1/files/f0"]);
  });

  test("tells why one could not be read", async () => {
    looks = [{ status: "failed", error: { code: "NO_TEXT", message: 'The file "talk.txt" holds no text to index.' } }];
    const result = await lectern(words(at("talk.txt"), "--async", "--json"));
    expect(result.code).toBe(1);
    expect(result.json().failed).toEqual([
      { path: at("talk.txt"), sentence: 'The file "talk.txt" holds no text to index.' },
    ]);
  });
});

describe("standard input", () => {
  test("is one file, of the name given", async () => {
    const result = await lectern(words("-", "--name", "notes.md", "--json"), {}, "The lamp is lit at dusk.");
    expect(result.json()).toMatchObject({ indexed: 1, failed: [] });
    expect(received).toEqual([{ name: "notes.md", text: "The lamp is lit at dusk." }]);
  });

  test("leaves nothing behind", async () => {
    await lectern(words("-", "--name", "notes.md"), { TMPDIR: folder.path }, "text");
    expect(received).toHaveLength(1);
    expect([...new Bun.Glob("lectern-input-*").scanSync({ cwd: folder.path, onlyFiles: false })]).toEqual([]);
  });

  test.each<[more: string[], sentence: string]>([
    [["-"], "--name is missing"],
    [["a.md", "--name", "b.md"], "--name goes with PATH -"],
    [["-", "--name", "a/b.md"], '--name must be the name of a file, such as notes.md, not "a/b.md"'],
    [["-", "--name", ".."], "--name must be the name of a file"],
    [["-", "--name", "ü".repeat(200)], "--name must be the name of a file"],
  ])("%p is wrong usage", async (more, sentence) => {
    const result = await lectern(words(...more), {}, "text");
    expect(result.stderr).toContain(sentence);
    expect(result.code).toBe(2);
    expect(received).toEqual([]);
  });
});

describe("files that do not keep still", () => {
  test("one that is written to while it is sent is told of", async () => {
    writeFileSync(at("a.md"), "one");
    writeFileSync(at("b.md"), "two");
    beforeAnswer = () => appendFileSync(at("a.md"), " and more");
    const result = await lectern(words(folder.path, "--json"));
    expect(result.json().failed).toEqual([{ path: at("a.md"), sentence: expect.stringMatching(/^It changed while/) }]);
    expect(result.code).toBe(1);
  });

  test("one that is gone when its turn comes fails by itself", async () => {
    for (const name of ["a.bin", "b.bin"]) writeFileSync(at(name), "x".repeat(300_000));
    beforeAnswer = () => rmSync(at("b.bin"), { force: true });
    const result = await lectern(words(folder.path, "--parallel", "1", "--json"));
    expect(result.json()).toMatchObject({
      indexed: 1,
      failed: [{ path: at("b.bin"), sentence: `${at("b.bin")} cannot be used: it is not there.` }],
    });
  });
});

test.each<[signal: NodeJS.Signals, code: number]>([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])("%s: what has begun is finished, one line says how far it came, and the code is %i", async (signal, exitCode) => {
  mkdirSync(at("many"));
  for (let index = 0; index < 3; index++) writeFileSync(at(`many/${index}.txt`), "x".repeat(300_000));
  const child = spawnLectern(words(at("many"), "--parallel", "1"));
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  beforeAnswer = () => {
    began.resolve();
    return goOn.promise;
  };
  await began.promise;
  child.process.kill(signal);
  // The signal comes before the answer: only then is it sent.
  await Bun.sleep(200);
  goOn.resolve();
  const { code, stdout, stderr } = await child.result;
  expect(code).toBe(exitCode);
  expect(stdout).toStartWith("Indexed 1 file into dataset d");
  expect(stderr).toEndWith("Interrupted: 1 of 3 files is in; running this again adds it anew.\n");
  expect(stderr).toContain(`2 failed:\n  Not tried: interrupted.\n    ${at("many/1.txt")}\n    ${at("many/2.txt")}\n`);
  expect(received).toHaveLength(1);
});

test("Ctrl-C reaches the processes that read files too, as a terminal sends it, and they read on", async () => {
  await lectern(["customer", "create", "acme", "--credits", "9", "--data-dir", folder.dataDirectory]);
  mkdirSync(at("long"));
  for (const name of ["a.txt", "b.txt"]) writeFileSync(at(`long/${name}`), "The lamp is lit at dusk. ".repeat(80_000));
  const child = spawnLectern(
    ["ingest", at("long"), "--dataset", "d", "--parallel", "1", "--data-dir", folder.dataDirectory],
    {},
    undefined,
    { detached: true },
  );
  await until(
    () => readdirSync(join(folder.dataDirectory), { recursive: true }).some((path) => /staging.+\//.test(`${path}/`)),
    60_000,
  );
  process.kill(-child.process.pid, "SIGINT");
  const { code, stderr } = await child.result;
  expect(stderr).not.toContain("breaks the program");
  expect(code).toBe(130);
});

describe("failures", () => {
  const failures = Array.from({ length: 13 }, (_, index) => ({
    path: `notes/${index}.txt`,
    sentence: `The file "${index}.txt" is empty.`,
  }));
  const other = { path: "b.png", sentence: "Not text." };

  test("each reason once, ten of its paths, and how many more", () => {
    expect(failureLines([failures[0]!, other, ...failures.slice(1)], false)).toEqual([
      "  The file is empty.",
      ...failures.slice(0, 10).map(({ path }) => `    ${path}`),
      "    and 3 more (--verbose lists them)",
      "  Not text.",
      "    b.png",
    ]);
  });

  test("all of them where all are asked for", () => {
    expect(failureLines(failures, true)).toHaveLength(14);
  });

  test("a path cannot rewrite the terminal", () => {
    expect(failureLines([{ path: "a\u001b[2J", sentence: "No." }], false)).toEqual(["  No.", "    a\ufffd[2J"]);
  });
});
