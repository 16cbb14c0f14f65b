/** What only the TypeScript client has: signals, functions in place of values, and the forms of browsers. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Lectern, LecternError, type LecternOptions, type UploadFile } from "lectern-client";
import { platformForm } from "../../clients/typescript/src/form.ts";
import { partOf } from "../../clients/typescript/src/upload-file.ts";
import { failureOf, startLectern, type TestServer } from "../harness.ts";
import { faultyLine, type FaultyLine } from "./faulty-line.ts";

let server: TestServer;
let silent: FaultyLine;
let key: string;
let fileId: string;

beforeAll(async () => {
  server = await startLectern();
  silent = faultyLine(() => server.url, Array(1000).fill("silent"));
  ({ key } = server.customer());
  [fileId = ""] = await server.upload(key, "handbook", { "chain.txt": "The chain is cleaned with a brush." });
});
afterAll(async () => {
  silent.stop();
  await server.stop();
});

const client = (more: Partial<LecternOptions> = {}): Lectern => new Lectern({ url: server.url, key, ...more });
const asked = { datasetId: "handbook", question: "How is the chain cleaned?" };

describe("a signal ends", () => {
  /** What takes for ever, by what it does. */
  const endless: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
    "a search that is not answered": (signal) => client({ url: silent.url }).search(asked, { signal }),
    "an upload that is not answered": (signal) =>
      client({ url: silent.url }).upload({ name: "a.txt", content: "text" }, { datasetId: "a", signal }),
    "an upload whose stream does not go on": (signal) =>
      client().upload({ name: "a.txt", content: new ReadableStream() }, { datasetId: "a", signal }),
    "a download that is not answered": (signal) => client({ url: silent.url }).download(fileId, { signal }),
    "a listing that is not answered": (signal) =>
      client({ url: silent.url }).listFiles("handbook", { signal }).toArray(),
    "the wait for a repetition": (signal) =>
      client({ url: "http://127.0.0.1:9", retries: 1_000_000 }).search(asked, { signal }),
    "a stream of events": async (signal) => {
      for await (const _ of client({ url: silent.url }).queryStream(asked, { signal }));
    },
  };

  test.each(Object.entries(endless))("%s, with its reason", async (_name, begin) => {
    const controller = new AbortController();
    const reason = new Error("the user has left");
    const ended = failureOf(begin(controller.signal));
    setTimeout(() => controller.abort(reason), 50);
    expect(await ended).toBe(reason);
  });

  test("nothing else: aborted before, a call does not begin", async () => {
    let calls = 0;
    const fetch = (() => {
      calls++;
      return Promise.reject(new Error("called"));
    }) as unknown as typeof globalThis.fetch;
    const failure = await failureOf(client({ fetch }).search(asked, { signal: AbortSignal.abort() }));
    expect([failure.name, calls]).toEqual(["AbortError", 0]);
  });

  test("a download that is under way", async () => {
    const controller = new AbortController();
    const large = "A line of a text that is long.\n".repeat(100_000);
    const [file] = await client().upload({ name: "large.txt", content: large }, { datasetId: "large" });
    const download = await client().download(file!.fileId, { signal: controller.signal });
    const read = (async () => {
      for await (const _ of download) controller.abort();
    })();
    expect((await failureOf(read)).name).toBe("AbortError");
  });
});

describe("an option may be", () => {
  test("a key that is asked for with each request", async () => {
    const keys = [key, "lk_another"];
    const renewing = client({ key: async () => keys.shift()! });
    expect(await renewing.search(asked)).toHaveLength(1);
    expect(await failureOf(renewing.search(asked))).toMatchObject({ status: 401 });
    const broken = client({ key: () => "lk_with\na-line-break" });
    expect((await failureOf(broken.search(asked))).message).not.toContain("a-line-break");
  });

  test("a fetch of the caller's own", async () => {
    const addresses: string[] = [];
    const fetch = ((address: string, init: RequestInit) => {
      addresses.push(address);
      return globalThis.fetch(address, init);
    }) as unknown as typeof globalThis.fetch;
    await client({ fetch }).search(asked);
    expect(addresses).toEqual([`${server.url}/v1/search`]);
  });
});

describe("content of every kind", () => {
  const bytes = new TextEncoder().encode("A text of its own.");
  const kinds: Record<string, UploadFile["content"]> = {
    text: "A text of its own.",
    bytes,
    "a Blob": new Blob([bytes]),
    "a stream": new Blob([bytes]).stream(),
    "what is iterated": (async function* () {
      yield bytes;
    })(),
    "a function that opens a stream": () => new Blob([bytes]).stream(),
  };

  test.each(Object.entries(kinds))("is stored: %s", async (_kind, content) => {
    const [file] = await client().upload({ name: "a.txt", content }, { datasetId: "kinds" });
    expect(file).toMatchObject({ size: bytes.length });
  });

  test("and none other", async () => {
    const content = 5 as unknown as string;
    const failure = await failureOf(client().upload({ name: "a.txt", content }, { datasetId: "kinds" }));
    expect(failure).toBeInstanceOf(TypeError);
  });

  test("is not stored where it is shorter or longer than was said", async () => {
    for (const size of [bytes.length - 1, bytes.length + 1]) {
      const content = () => new Blob([bytes]).stream();
      const failure = await failureOf(client().upload({ name: "a.txt", content, size }, { datasetId: "changed" }));
      expect(failure.message).toBe('"a.txt" changed while it was sent.');
    }
    expect(await client().listFiles("changed").toArray()).toEqual([]);
  });

  test("a browser sends Blobs, with names and types as they are, and says that it sends nothing else", async () => {
    const file = new File([bytes], 'größe "x" 日本.txt', { type: "text/plain" });
    const { content } = platformForm(new Map([["datasetId", "browser"]]), [partOf({ name: file.name, content: file })]);
    const reply = await server.call("POST", "/v1/files/upload", { key, body: content as FormData });
    expect(reply.body.files).toMatchObject([{ originalName: file.name, size: bytes.length }]);
    const stream = partOf({ name: "a.txt", content: () => file.stream() });
    expect(() => platformForm(new Map(), [stream])).toThrow('Browsers send no streams: give the content of "a.txt"');
  });
});

test("an error is a LecternError, and its name says so", async () => {
  const failure = await failureOf(client().getFile("none"));
  expect(failure).toBeInstanceOf(LecternError);
  expect(String(failure)).toBe("LecternError: There is no such file.");
});
