/** What every client does, in every runtime that is here, against a real server; the lines to it break where a rule is about that. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { roomInMinute, startLectern, until, type TestServer } from "../harness.ts";
import { temporaryFolder } from "../cli/lectern.ts";
import { linux, testWith } from "../requirements.ts";
import { describeClients, type ClientOptions, type Outcome, type RunningClient } from "./clients.ts";
import { faultyLine, type Fault } from "./faulty-line.ts";

const folder = temporaryFolder();
let server: TestServer;
/** One search a minute, one upload at a time, small files. */
let strict: TestServer;

beforeAll(async () => {
  server = await startLectern({ "max-file-bytes": "200MB" });
  strict = await startLectern({ "rate-retrieval": "1", "max-concurrent-uploads": "1", "max-file-bytes": "1MB" });
});
afterAll(async () => {
  await strict.stop();
  await server.stop();
  folder.remove();
});

const CHAIN = "The chain is cleaned with a brush and a drop of oil.";
const LARGE = 100_000_000;
const BELL = "A bell warns people on the path.";

/** A file on disk of so many lines of text, none like another. */
function fileOf(name: string, bytes: number): { path: string; sha256: string } {
  const path = join(folder.path, name);
  const line = (at: number): string => `Line ${at} of a file that is long: ${"x".repeat(60)}\n`;
  const text = Array.from({ length: Math.ceil(bytes / line(0).length) }, (_, at) => line(at)).join("");
  writeFileSync(path, text.slice(0, bytes));
  return { path, sha256: createHash("sha256").update(text.slice(0, bytes)).digest("hex") };
}

describeClients((runtime) => {
  let client: RunningClient;
  beforeAll(() => {
    client = runtime.start();
  });
  afterAll(() => client.stop());

  /** A customer with a dataset `handbook` of two files, and calls with its key. */
  async function customer(): Promise<{
    options: ClientOptions;
    fileIds: string[];
    call: (name: string, given?: Record<string, unknown>) => Promise<any>;
  }> {
    const { key } = server.customer();
    const options = { url: server.url, key };
    const fileIds = await server.upload(key, "handbook", { "chain.txt": CHAIN, "bell.txt": BELL });
    return { options, fileIds, call: (name, given) => done(client.call(options, name, given)) };
  }

  describe("asks", () => {
    test("searches, with everything that a search takes", async () => {
      const { call } = await customer();
      const asked = { question: "How is the chain cleaned?", datasetId: "handbook" };
      const all = await call("search", asked);
      expect(all.length).toBe(2);
      expect(all[0]).toMatchObject({ pageContent: CHAIN, metadata: { originalName: "chain.txt", chunkIndex: 0 } });
      const few = await call("search", {
        ...asked,
        filters: [{ key: "originalName", match: { any: ["bell.txt"] } }],
        limit: 1,
        minScore: 0,
        highlights: true,
      });
      expect(few).toMatchObject([{ pageContent: BELL, highlights: expect.any(Array) }]);
    });

    test("queries, at once and as a stream that may be left early", async () => {
      const { call } = await customer();
      const asked = { question: "How is the chain cleaned?", datasetId: "handbook" };
      expect(await call("query", asked)).toMatchObject({
        answer: expect.stringContaining("brush"),
        model: "extractive",
        sources: [{ pageContent: CHAIN }],
      });
      const types = await call("queryStream", asked);
      expect(types[0]).toBe("sources");
      expect(types.at(-1)).toBe("done");
      expect(types.slice(1, -1)).toContain("token");
      expect(await call("queryStream", { ...asked, stopAfter: 1 })).toEqual(["sources"]);
    });

    test("a token for one dataset, and works with it", async () => {
      const { call, options } = await customer();
      const { token, expiresIn } = await call("createToken", {
        datasetId: "handbook",
        ttlSeconds: 90,
        scope: "read",
      });
      expect(expiresIn).toBe(90);
      const asToken = { ...options, key: token };
      expect(await done(client.call(asToken, "search", { question: "bell" }))).toHaveLength(2);
      expect(await client.call(asToken, "upload", { texts: { "a.txt": "text" } })).toMatchObject({
        error: { code: "SCOPE_INSUFFICIENT", status: 403 },
      });
    });
  });

  describe("uploads", () => {
    test("texts and paths, with metadata, under names in any script", async () => {
      const { call } = await customer();
      const names = ['größe "neu".txt', "日本語 文書.txt", "emoji 🎉 & co.txt", "100 % sure.txt"];
      const paths = names.map((name, at) => {
        const path = join(folder.path, name);
        writeFileSync(path, `Text number ${at}, by itself.`);
        return path;
      });
      const stored = await call("upload", { datasetId: "names", paths, extraMeta: { year: 2026, who: "Zoë" } });
      expect(stored.map((file: any) => file.originalName)).toEqual(names);
      expect(stored.map((file: any) => file.extraMeta)).toEqual(names.map(() => ({ year: 2026, who: "Zoë" })));
      const texts = Object.fromEntries(names.map((name) => [name, `Another text called ${name}.`]));
      const others = await call("upload", {
        datasetId: "names",
        texts,
        chunkSize: 50,
        chunkOverlap: 5,
        language: "en",
      });
      expect(others.map((file: any) => file.originalName)).toEqual(names);
    });

    test("what takes the place of a former file, one or several at a time", async () => {
      const { call } = await customer();
      const upload = (texts: Record<string, string>) =>
        call("upload", { datasetId: "replaced", texts, externalIds: { "a.txt": "a", "b.txt": "b" } });
      await upload({ "a.txt": "The first text of a.", "b.txt": "The first text of b." });
      const [a] = await upload({ "a.txt": "The second text of a." });
      expect(a).toMatchObject({ externalId: "a" });
      expect(await upload({ "b.txt": "The first text of b." })).toMatchObject([{ unchanged: true }]);
      const files = await call("listFiles", { datasetId: "replaced" });
      expect(files.map((file: any) => [file.externalId, file.size]).sort()).toEqual([
        ["a", 21],
        ["b", 20],
      ]);
    });

    test("what is read later, waited for until searches find it", async () => {
      const { call } = await customer();
      const files = await call("upload", {
        datasetId: "later",
        async: true,
        texts: { "a.txt": CHAIN, "b.txt": BELL },
      });
      expect(await call("waitUntilReady", { files })).toMatchObject([
        { originalName: "a.txt", status: "ready" },
        { originalName: "b.txt", status: "ready" },
      ]);
      expect(await call("search", { datasetId: "later", question: "chain" })).toHaveLength(2);
    });

    test("what cannot be read: the same code, waited for or not", async () => {
      const { options } = await customer();
      const broken = { datasetId: "broken", texts: { "broken.pdf": "%PDF-1.4 and then nothing" } };
      const atOnce = await client.call(options, "upload", broken);
      expect(atOnce).toMatchObject({ error: { kind: "LecternError", status: 400, details: { file: "broken.pdf" } } });
      const files = await done(client.call(options, "upload", { ...broken, async: true }));
      const later = await client.call(options, "waitUntilReady", { files });
      expect(later.error).toMatchObject({ code: atOnce.error!.code, status: 400, details: { file: "broken.pdf" } });
    });

    testWith(linux)("a file of 100 MB with less than half of that in memory", async () => {
      const { call } = await customer();
      const { path } = fileOf("large.log", LARGE);
      // What sending anything takes is there then.
      await call("upload", { datasetId: "large", paths: [fileOf("small.log", 5_000_000).path] });
      const memory = client.measureMemory();
      memory.begin();
      const [file] = await call("upload", { datasetId: "large", paths: [path], async: true });
      expect(memory.growth()).toBeLessThan(LARGE / 2);
      expect(file).toMatchObject({ size: LARGE, originalName: "large.log" });
      await call("deleteFile", { fileId: file.fileId });
    });

    test("no half of a file that is gone, and nothing else instead", async () => {
      const { options } = await customer();
      const missing = await client.call(options, "upload", {
        datasetId: "none",
        paths: [join(folder.path, "none.txt")],
      });
      expect(missing.error).toMatchObject({ message: expect.stringContaining("none.txt") });
      expect(missing.error!.kind).not.toBe("LecternError");
      const twice = await client.call(options, "upload", {
        datasetId: "none",
        paths: [fileOf("same.txt", 100).path],
        texts: { "same.txt": "another" },
        externalIds: { "same.txt": "same" },
      });
      expect(twice.error).toMatchObject({ message: expect.stringContaining("same.txt") });
      expect(await done(client.call(options, "listFiles", { datasetId: "none" }))).toEqual([]);
    });
  });

  describe("looks and deletes", () => {
    test("listings, whole though they come in pages", async () => {
      const { call } = await customer();
      const texts = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`${at}.txt`, `Text number ${at}.`]));
      await call("upload", { datasetId: "pages", texts });
      const names = async (given: object) =>
        (await call("listFiles", { datasetId: "pages", ...given })).map((file: any) => file.originalName).sort();
      expect(await names({ limit: 2 })).toEqual(Object.keys(texts));
      expect(await names({ name: "3.txt" })).toEqual(["3.txt"]);
      expect(await names({ externalId: "none" })).toEqual([]);
      const datasets = await call("listDatasets", { limit: 1 });
      expect(datasets.map((dataset: any) => [dataset.datasetId, dataset.files])).toEqual([
        ["handbook", 2],
        ["pages", 5],
      ]);
    });

    test("a file: details, bytes, a part of them, passages, subtitles", async () => {
      const { call } = await customer();
      const srt = "1\n00:00:01,000 --> 00:00:02,500\nThe chain is cleaned.\n";
      const [file] = await call("upload", { datasetId: "media", texts: { "talk.srt": srt } });
      const { fileId } = file;
      const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
      expect(await call("getFile", { fileId })).toMatchObject({
        fileId,
        permanentUrl: expect.stringContaining(fileId),
      });
      expect(await call("headFile", { fileId })).toMatchObject({ size: srt.length });
      expect(await call("download", { fileId })).toEqual({ length: srt.length, sha256: sha256(srt) });
      for (const [start, end] of [
        [0, 1],
        [3, 20],
        [10, undefined],
      ])
        expect(await call("download", { fileId, start, end })).toMatchObject({
          sha256: sha256(srt.slice(start, end)),
        });
      expect(await call("getPassages", { fileId, from: 0, limit: 5 })).toMatchObject({
        total: 1,
        passages: [{ metadata: { startTime: 1, endTime: 2.5 } }],
      });
      expect(await call("getSubtitles", { fileId, format: "vtt" })).toStartWith("WEBVTT");
    });

    test("deletes a file, one of an externalId, a dataset, everything", async () => {
      const { call, fileIds } = await customer();
      await call("upload", { datasetId: "names", texts: { "a.txt": CHAIN }, externalIds: { "a.txt": "a/b c" } });
      await call("upload", { datasetId: "ä/ö", texts: { "a.txt": CHAIN } });
      expect(await call("deleteFile", { fileId: fileIds[0] })).toMatchObject([{ fileId: fileIds[0] }]);
      expect(await call("deleteByExternalId", { datasetId: "names", externalId: "a/b c" })).toHaveLength(1);
      expect(await call("deleteDataset", { datasetId: "ä/ö" })).toHaveLength(1);
      expect(await call("deleteEverything")).toMatchObject([{ fileId: fileIds[1] }]);
      expect(await call("listDatasets")).toEqual([]);
    });

    test("saves a file, going on with what an interruption left", async () => {
      const { call, options } = await customer();
      const { path, sha256 } = fileOf("to-save.log", 300_000);
      const [{ fileId }] = await call("upload", { datasetId: "saved", paths: [path] });
      const target = join(folder.path, `saved-${runtime.name}.log`);
      const partial = `${target}.${fileId}.partial`;
      writeFileSync(partial, readFileSync(path).subarray(0, 100_000));
      expect(await call("saveFile", { fileId, path: target })).toBe(sha256);
      expect(existsSync(partial)).toBe(false);
      // What is not the beginning of this file is found out at the end, and thrown away.
      writeFileSync(partial, "x".repeat(100_000));
      expect((await client.call(options, "saveFile", { fileId, path: target })).error).toMatchObject({
        code: "UNEXPECTED_ANSWER",
      });
      expect(await call("saveFile", { fileId, path: target })).toBe(sha256);
    });
  });

  describe("refused", () => {
    test.each([
      [
        "without a dataset",
        "search",
        { question: "x" },
        { code: "HTTP_400", message: "datasetId and question are required" },
      ],
      [
        "by a filter",
        "search",
        { datasetId: "a", question: "x", filters: [{ key: "a" }] },
        { code: "INVALID_FILTER", status: 400 },
      ],
      ["for a file that is not there", "getFile", { fileId: "none" }, { code: "FILE_NOT_FOUND", status: 404 }],
      [
        "for a range beyond the end",
        "download",
        { start: 10_000_000 },
        { code: "INVALID_REQUEST", status: 416, details: { size: CHAIN.length } },
      ],
      ["for a file without subtitles", "getSubtitles", { format: "srt" }, { code: "NO_SUBTITLES", status: 404 }],
      ["to delete one twice", "deleteFile", { fileId: "none" }, { code: "FILE_NOT_FOUND", status: 404 }],
    ])("%s, it says what the server says", async (_case, name, given, expected) => {
      const { options, fileIds } = await customer();
      const { error } = await client.call(options, name, {
        ...(!("fileId" in given) && name !== "search" && { fileId: fileIds[0] }),
        ...given,
      });
      expect(error).toMatchObject({
        kind: "LecternError",
        requestId: expect.stringMatching(/^[\w-]{8,}$/),
        ...expected,
      });
    });

    test("without credits, with what is needed and what is left", async () => {
      const { key } = server.customer(0);
      const { error } = await client.call({ url: server.url, key }, "search", { datasetId: "a", question: "x" });
      expect(error).toMatchObject({
        code: "INSUFFICIENT_CREDITS",
        status: 402,
        details: { required: 0.1, available: 0 },
      });
    });

    test("by a key that is none, without showing it", async () => {
      for (const key of ["lk_nobodys-key-0123456789", "eyJhbGciOiJIUzI1NiJ9.e30.c2VjcmV0LXNpZ25hdHVyZQ"]) {
        const { error } = await client.call({ url: server.url, key }, "search", { datasetId: "a", question: "x" });
        expect(error).toMatchObject({ code: "HTTP_401", status: 401 });
      }
      for (const key of ["lk_with-a-line-break\n", "lk_with a-space", ""]) {
        const { error } = await client.call({ url: server.url, key: key || " " }, "search", { question: "x" });
        expect(error).toMatchObject({
          kind: expect.stringMatching(/^(Type|Value)Error$/),
          message: expect.stringContaining("key must be"),
        });
      }
    });

    test("by an address that is none", async () => {
      for (const url of ["ftp://example.org", "nowhere", "http://name:password@127.0.0.1"]) {
        const { error } = await client.call({ url, key: "lk_x" }, "search", { question: "x" });
        expect(error!.message).toContain("url must");
        expect(error!.message).not.toContain("password@");
      }
    });
  });

  describe("refused for now", () => {
    test("by a limit, it says when to come again, where that is not waited for", async () => {
      await roomInMinute(10);
      const { key } = strict.customer();
      const options = { url: strict.url, key, longestWait: 0 };
      const asked = { datasetId: "a", question: "x" };
      expect(await done(client.call(options, "search", asked))).toEqual([]);
      const { error } = await client.call(options, "search", asked);
      expect(error).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", status: 429 });
      expect(error!.retryAfter).toBeGreaterThan(0);
      expect(error!.retryAfter).toBeLessThanOrEqual(60);
    });

    test("by a busy server, it goes through when there is room", async () => {
      const { key } = strict.customer();
      const held = await holdUpload(strict.url, key);
      const line = faultyLine(() => strict.url, []);
      const options = { url: strict.url, key };
      const asked = { datasetId: "a", texts: { "a.txt": CHAIN } };
      try {
        const { error } = await client.call({ ...options, retries: 0 }, "upload", asked);
        expect(error).toMatchObject({ code: "BUSY", status: 503, retryAfter: expect.any(Number) });
        const later = client.call({ ...options, url: line.url }, "upload", asked);
        await until(() => line.connections() > 0, 10_000);
        held.release();
        expect(await done(later)).toMatchObject([{ originalName: "a.txt" }]);
      } finally {
        line.stop();
        held.release();
      }
    });

    test.each([2_000_000, 50_000_000])("for good: a file of %i bytes that is too large", async (bytes) => {
      const { key } = strict.customer();
      const { path } = fileOf("too-large.log", bytes);
      const asked = { datasetId: "a", paths: [path], externalIds: { "too-large.log": "a" } };
      const { error } = await client.call({ url: strict.url, key, retries: 0 }, "upload", asked);
      expect(error).toMatchObject({ code: "PAYLOAD_TOO_LARGE", status: 413, details: { limit: 1_000_000 } });
    });
  });

  describe("on a bad line", () => {
    /** Calls through a line with these faults. */
    async function through(
      faults: readonly Fault[],
      options: Partial<ClientOptions>,
      name: string,
      given: Record<string, unknown>,
    ): Promise<Outcome & { connections: number }> {
      const line = faultyLine(() => server.url, faults);
      try {
        const outcome = await client.call({ url: line.url, key: "", ...options }, name, given);
        return { ...outcome, connections: line.connections() };
      } finally {
        line.stop();
      }
    }

    test.each<[string, Fault[]]>([
      ["closed before it answers", ["refused", "refused"]],
      ["cut before the answer", [{ cutBehind: 0 }]],
      ["cut within the head", [{ cutBehind: 30 }]],
      ["cut within the body", [{ cutBehind: '"success":true' }]],
    ])("a search goes through once it holds: %s", async (_case, faults) => {
      const { options } = await customer();
      const { value } = await through(faults, { key: options.key }, "search", {
        datasetId: "handbook",
        question: "chain",
      });
      expect(value).toHaveLength(2);
    });

    test("a search that nobody answers is given up in time", async () => {
      const { options } = await customer();
      const asked = { datasetId: "handbook", question: "chain" };
      const { error } = await through(
        ["silent", "silent"],
        { key: options.key, timeout: 300, retries: 1 },
        "search",
        asked,
      );
      expect(error).toMatchObject({ kind: "LecternError", code: "TIMEOUT", status: 0 });
      const again = await through(["silent"], { key: options.key, timeout: 1000, retries: 1 }, "search", asked);
      expect(again.value).toHaveLength(2);
    });

    test("where no server is, it says so", async () => {
      const line = faultyLine(() => server.url, []);
      line.stop();
      const { error } = await client.call({ url: line.url, key: "lk_x", retries: 1 }, "search", { question: "x" });
      expect(error).toMatchObject({
        code: "UNREACHABLE",
        status: 0,
        message: expect.stringContaining(`${line.url} cannot be reached`),
      });
    });

    test("a download goes on where it was cut, byte by byte the same", async () => {
      const { options, call } = await customer();
      const { path, sha256 } = fileOf("to-cut.log", 2_000_000);
      const [{ fileId }] = await call("upload", { datasetId: "cut", paths: [path] });
      const faults: Fault[] = [{ cutBehind: 700_000 }, { cutBehind: 500_000 }, "refused", { cutBehind: 100_000 }];
      const whole = await through(faults, { key: options.key }, "download", { fileId });
      expect(whole.value).toEqual({ length: 2_000_000, sha256 });
      expect(whole.connections).toBeGreaterThan(faults.length);
      const part = await through(faults.slice(1), { key: options.key }, "download", {
        fileId,
        start: 1000,
        end: 1_500_000,
      });
      const wanted = readFileSync(path).subarray(1000, 1_500_000);
      expect(part.value).toEqual({
        length: wanted.length,
        sha256: createHash("sha256").update(wanted).digest("hex"),
      });
      const given = await through([{ cutBehind: 500_000 }], { key: options.key, retries: 0 }, "download", { fileId });
      expect(given.error).toMatchObject({ kind: "LecternError", code: "BROKEN_OFF", status: 0 });
    });

    test("an interrupted saving is gone on with by the next", async () => {
      const { options, call } = await customer();
      const { path, sha256 } = fileOf("to-save-cut.log", 1_000_000);
      const [{ fileId }] = await call("upload", { datasetId: "cut", paths: [path] });
      const target = join(folder.path, `cut-${runtime.name}.log`);
      const given = { fileId, path: target };
      // The file's details come first, over the same connection or one of their own.
      const cut = { cutBehind: "Line 5000 of" } as const;
      const first = await through([cut, cut], { key: options.key, retries: 0 }, "saveFile", given);
      expect(first.error).toMatchObject({ code: "BROKEN_OFF" });
      expect(existsSync(target)).toBe(false);
      expect(await call("saveFile", given)).toBe(sha256);
    });

    test("a streamed answer that is cut says so, and is not begun anew", async () => {
      const { options } = await customer();
      const asked = { datasetId: "handbook", question: "How is the chain cleaned?" };
      const { error } = await through([{ cutBehind: "event: token" }], { key: options.key }, "queryStream", asked);
      expect(error).toMatchObject({ kind: "LecternError", code: "BROKEN_OFF", status: 0 });
    });

    test("an upload whose answer is lost is sent again only under an externalId, and stored once", async () => {
      const { options, call } = await customer();
      const lost: Fault[] = [{ cutBehind: 0 }];
      const texts = { "a.txt": CHAIN };
      const plain = await through(lost, { key: options.key }, "upload", { datasetId: "plain", texts });
      expect(plain.error).toMatchObject({ code: "UNREACHABLE" });
      expect(plain.connections).toBe(1);
      const named = await through(lost, { key: options.key }, "upload", {
        datasetId: "named",
        texts,
        externalIds: { "a.txt": "a" },
      });
      expect(named.value).toMatchObject([{ externalId: "a", unchanged: true }]);
      const stream = await through(["refused"], { key: options.key }, "upload", {
        datasetId: "named",
        streams: { "b.txt": fileOf("once.txt", 100).path },
        externalIds: { "b.txt": "b" },
      });
      expect(stream.error).toMatchObject({ code: "UNREACHABLE" });
      await until(async () => (await call("listFiles", { datasetId: "plain" })).length === 1, 10_000);
      expect(await call("listFiles", { datasetId: "named" })).toHaveLength(1);
    });

    test("a deletion whose answer is lost is done, and no error", async () => {
      const { options, call, fileIds } = await customer();
      const lost: Fault[] = [{ cutBehind: 0 }];
      expect(await through(lost, { key: options.key }, "deleteFile", { fileId: fileIds[0] })).toMatchObject({
        value: [],
      });
      expect(await call("listFiles", { datasetId: "handbook" })).toMatchObject([{ fileId: fileIds[1] }]);
    });

    test("a server that is started anew is waited for", async () => {
      const moving = await startLectern();
      const line = faultyLine(() => moving.url, []);
      try {
        const { key } = moving.customer();
        const options = { url: line.url, key };
        const files = await done(
          client.call(options, "upload", { datasetId: "a", texts: { "a.txt": CHAIN }, async: true }),
        );
        await moving.stopServer();
        const waited = client.call(options, "waitUntilReady", { files });
        await until(() => line.connections() > 1, 30_000);
        await moving.restart();
        expect(await done(waited)).toMatchObject([{ status: "ready" }]);
        expect(await done(client.call(options, "search", { datasetId: "a", question: "chain" }))).toHaveLength(1);
      } finally {
        line.stop();
        await moving.stop();
      }
    });
  });
});

/** Throws with the error of a call that failed. */
async function done(outcome: Promise<Outcome>): Promise<any> {
  const { value, error } = await outcome;
  if (error) throw new Error(`The call failed: ${JSON.stringify(error)}`);
  return value;
}

/** An upload that has begun and does not end until it is released. */
async function holdUpload(url: string, key: string): Promise<{ release(): void }> {
  const { hostname, port } = new URL(url);
  const head = `POST /v1/files/upload HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n`;
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
  socket.write(head);
  socket.flush();
  const isRunning = async (): Promise<boolean> =>
    (await (await fetch(`${url}/metrics`)).text()).includes("\nlectern_uploads_running 1\n");
  await until(isRunning, 10_000);
  return { release: () => void socket.terminate() };
}
