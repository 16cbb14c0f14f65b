/** The OpenAPI document against the server itself: what is answered is what it says, its examples work, and its linter finds nothing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../../src/http/server.ts";
import { Service } from "../../../src/http/service.ts";
import { loadConfig } from "../../../src/options/config.ts";
import { startLectern, uploadForm, type Call, type Reply, type TestServer } from "../../harness.ts";
import { eventsOf, LiveAnswers, lasting } from "./live-answers.ts";

const HANDBOOK = "# Chain\n\nWipe the chain with a dry rag, then put one drop of oil on each roller.\n";
const SRT = "1\n00:00:01,000 --> 00:00:04,500\nThe chain is oiled once a month.\n";
const ASSISTANT = { accept: "application/json, text/event-stream" };

let lectern: TestServer;
let document: any;
let answers: LiveAnswers;
let key: string;
/** Of the examples' own file, and of one with subtitles. */
let fileId: string;
let talkId: string;

beforeAll(async () => {
  lectern = await startLectern();
  document = (await lectern.call("GET", "/openapi/json")).body;
  answers = new LiveAnswers(document);
  ({ key } = lectern.customer(100));
});
afterAll(() => lectern.stop());

async function send(method: string, path: string, call: Call = { key }): Promise<Reply> {
  const reply = await lectern.call(method, path, call);
  answers.check(method, path, reply);
  return reply;
}
const operationOf = (id: string): any =>
  Object.values<any>(document.paths)
    .flatMap((methods) => Object.values<any>(methods))
    .find(({ operationId }) => operationId === id);
const requestOf = (id: string): any => Object.values<any>(operationOf(id).requestBody.content)[0].example;
const exampleOf = (id: string, status = 200): any =>
  operationOf(id).responses[status].content["application/json"].example;

test("the linter has nothing to say of it", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-openapi-"));
  try {
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
    const cli = join(import.meta.dir, "../../../node_modules/@redocly/cli/bin/cli.js");
    const { stdout, stderr } = Bun.spawnSync(
      [process.execPath, cli, "lint", "openapi.json", "--extends=recommended-strict", "--format=json"],
      // It asks nobody for news, and tells nobody of its use.
      { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    const report = JSON.parse(
      stdout.toString() || `{"totals": null, "problems": ${JSON.stringify(stderr.toString())}}`,
    );
    expect(report).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe("examples", () => {
  test("the upload's stores a file as the answer shows it", async () => {
    const { file: _, ...fields } = requestOf("uploadFiles");
    const { body } = await send("POST", "/v1/files/upload", {
      key,
      body: uploadForm(fields, { "bicycle.md": HANDBOOK }),
    });
    expect(lasting(body)).toEqual(lasting(exampleOf("uploadFiles")) as object);
    [{ fileId }] = body.files;
  });

  test.each<[operationId: string, method: string, path: () => string, status: number]>([
    ["listFiles", "GET", () => "/v1/files?datasetId=handbook", 200],
    ["getFile", "GET", () => `/v1/files/${fileId}`, 200],
    ["listPassages", "GET", () => `/v1/files/${fileId}/passages`, 200],
    ["listDatasets", "GET", () => "/v1/datasets", 200],
    ["createToken", "POST", () => "/v1/tokens/create", 200],
    ["search", "POST", () => "/v1/search", 200],
    ["query", "POST", () => "/v1/query", 200],
    ["askAsAssistant", "POST", () => "/mcp", 200],
    ["listModels", "GET", () => "/v1/models", 200],
    ["getModel", "GET", () => "/v1/models/handbook", 200],
    ["createEmbeddings", "POST", () => "/v1/embeddings", 200],
    ["createChatCompletion", "POST", () => "/v1/chat/completions", 200],
    ["getHealth", "GET", () => "/healthz", 200],
    ["getReadiness", "GET", () => "/readyz", 200],
  ])("%s answers as its example", async (operationId, method, path, status) => {
    const json = method === "POST" ? requestOf(operationId) : undefined;
    const headers = operationId === "askAsAssistant" ? ASSISTANT : {};
    const reply = await lectern.call(method, path(), { key, json, headers });
    expect([reply.status, answers.check(method, path(), reply)]).toEqual([status, operationId]);
    expect(lasting(reply.body)).toEqual(lasting(exampleOf(operationId, status)) as object);
  });

  test("the query's streams the events that are shown", async () => {
    const { text } = await send("POST", "/v1/query", { key, json: { ...requestOf("query"), stream: true } });
    const { examples } = operationOf("query").responses[200].content["text/event-stream"];
    const shown = new Map(Object.values<any>(examples).map(({ value }) => [value.event, lasting(value)]));
    const events = eventsOf(text);
    expect([...new Set(events.map(({ event }) => event))]).toEqual([...shown.keys()] as string[]);
    for (const event of events) expect(lasting(event)).toEqual(shown.get(event.event) as object);
  });

  test("every error's has a whole sentence", () => {
    for (const [code, { value }] of Object.entries<any>(document.components.examples)) {
      expect([code, value.message ?? value.error]).toEqual([code, expect.not.stringMatching(/undefined|\{\w+\}/)]);
    }
  });
});

test("every other answer that succeeds is as the document says", async () => {
  const asynchronous = await send("POST", "/v1/files/upload?async=true", {
    key,
    body: uploadForm({ datasetId: "handbook", externalId: "talk", path: "talks/talk.srt" }, { "talk.srt": SRT }),
  });
  expect(asynchronous.status).toBe(202);
  [{ fileId: talkId }] = asynchronous.body.files;
  while ((await send("GET", `/v1/files/${talkId}`)).body.files[0].status === "processing") await Bun.sleep(10);
  for (const format of ["srt", "vtt"]) await send("GET", `/v1/files/${talkId}/subtitles?format=${format}`);
  const { permanentUrl } = (await send("GET", `/v1/files/${talkId}`)).body.files[0];
  const link = permanentUrl.slice(lectern.url.length);
  expect((await send("GET", link, {})).status).toBe(200);
  expect((await send("GET", link, { headers: { range: "bytes=0-9" } })).status).toBe(206);
  expect((await send("GET", link, { headers: { range: "bytes=999-" } })).status).toBe(416);
  expect((await send("HEAD", link, {})).status).toBe(200);
  expect((await send("HEAD", link, { headers: { range: "bytes=0-9" } })).status).toBe(206);
  await send("GET", "/v1/files?datasetId=handbook&limit=1");
  await send("POST", "/v1/search", { key, json: { datasetId: "handbook", question: "chain oil", highlights: true } });
  await lectern.upload(key, "handbook", { "copy.md": HANDBOOK });
  const { body } = await send("POST", "/v1/search", {
    key,
    json: { datasetId: "handbook", question: "chain" },
  });
  expect(body.data.some(({ alsoIn }: any) => alsoIn?.length > 0)).toBe(true);
  await send("POST", "/v1/query", { key, json: { datasetId: "handbook", question: "Who won the war of the worlds?" } });
  const chat = requestOf("createChatCompletion");
  const more = { stream: true, stream_options: { include_usage: true } };
  await send("POST", "/v1/chat/completions", { key, json: { ...chat, ...more } });
  await send("POST", "/v1/embeddings", { key, json: { ...requestOf("createEmbeddings"), encoding_format: "float" } });
  await send("POST", "/mcp", {
    key,
    headers: ASSISTANT,
    json: { jsonrpc: "2.0", method: "notifications/initialized" },
  });
  for (const path of ["/metrics", "/openapi", "/openapi/json"]) await send("GET", path, {});
  await send("DELETE", `/v1/files/${talkId}`);
  await send("DELETE", "/v1/datasets/handbook/files");
  await send("DELETE", "/v1/files");
  const failed = await send("POST", "/v1/files/upload?async=true", {
    key,
    body: uploadForm({ datasetId: "handbook" }, { "broken.pdf": "%PDF-1.7 and nothing more" }),
  });
  const shown = async () => (await send("GET", `/v1/files/${failed.body.files[0].fileId}`)).body.files[0];
  while ((await shown()).status === "processing") await Bun.sleep(10);
  expect(await shown()).toMatchObject({ status: "failed", error: { code: expect.any(String) } });
  const successes = Object.values<any>(document.paths)
    .flatMap((methods) => Object.values<any>(methods))
    .flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => status < "300")
        .map((status) => `${operationId} ${status}`),
    );
  expect(successes.filter((one) => !answers.seen.has(one))).toEqual([]);
});

describe("refusals are as the document says", () => {
  const question = { datasetId: "d", question: "What?" };
  const upload = (fields: Record<string, string>, files: Record<string, string> = { "a.txt": "A text." }) => ({
    body: uploadForm(fields, files),
  });
  const d = { datasetId: "d" };
  test.each<[status: number, method: string, path: string, call: Call]>([
    [400, "POST", "/v1/search", { json: {} }],
    [400, "POST", "/v1/search", { body: "{" }],
    [400, "POST", "/v1/search", { json: { ...question, filters: [1] } }],
    [400, "POST", "/v1/search", { json: { ...question, limit: 0 } }],
    [400, "POST", "/v1/query", { json: { ...question, question: "x".repeat(100_000) } }],
    [400, "POST", "/v1/query", { json: { ...question, Stream: true } }],
    [400, "POST", "/v1/chat/completions", { json: {} }],
    [400, "POST", "/v1/embeddings", { body: "[" }],
    [404, "POST", "/v1/embeddings", { json: { model: "x", input: "?" } }],
    [404, "GET", "/v1/models/x", {}],
    [400, "POST", "/v1/tokens/create", { json: {} }],
    [400, "POST", "/v1/tokens/create", { json: { ...d, ttlSeconds: 0 } }],
    [400, "POST", "/v1/tokens/create", { json: { datasetId: "x".repeat(101) } }],
    [400, "POST", "/v1/files/upload", upload({})],
    [400, "POST", "/v1/files/upload", upload(d, {})],
    [400, "POST", "/v1/files/upload", upload(d, { "a.txt": "" })],
    [400, "POST", "/v1/files/upload", upload(d, { "a.txt": " \n " })],
    [400, "POST", "/v1/files/upload", upload(d, { "a.bin": `\x7fELF${"\0".repeat(200)}` })],
    [400, "POST", "/v1/files/upload", upload(d, { "a.pdf": "%PDF-1.7 and nothing more" })],
    [400, "POST", "/v1/files/upload", upload({ ...d, chunkSize: "1" })],
    [400, "POST", "/v1/files/upload", upload({ ...d, extraMeta: "[]" })],
    [400, "GET", "/v1/files", {}],
    [400, "GET", "/v1/files?datasetId=d&limit=0", {}],
    [400, "GET", "/v1/datasets?cursor=x", {}],
    [400, "DELETE", "/v1/files?datasetId=d", {}],
    [400, "DELETE", "/v1/datasets/d/files?externalId=", {}],
    [400, "GET", "/v1/files/x/passages?from=-1", {}],
    [400, "GET", "/v1/files/x/subtitles?format=doc", {}],
    [400, "POST", "/mcp", { json: { hello: 1 }, headers: ASSISTANT }],
    [400, "POST", "/mcp", { body: "[", headers: ASSISTANT }],
    [406, "POST", "/mcp", { json: { jsonrpc: "2.0", id: 1, method: "ping" } }],
    [415, "POST", "/mcp", { body: "{}", headers: { ...ASSISTANT, "content-type": "text/plain" } }],
    [200, "POST", "/mcp", { json: { jsonrpc: "2.0", id: "a", method: "no/such" }, headers: ASSISTANT }],
    [403, "GET", "/v1/files/x/content?expires=1&signature=x", {}],
    [404, "GET", "/v1/files/x", {}],
    [404, "DELETE", "/v1/files/x", {}],
    [404, "GET", "/v1/files/x/content", {}],
    [404, "HEAD", "/v1/files/x/content", {}],
    [404, "GET", "/v1/files/x/passages", {}],
    [404, "GET", "/v1/files/x/subtitles", {}],
    [404, "DELETE", "/v1/datasets/none/files", {}],
    [404, "DELETE", "/v1/datasets/none/files?externalId=x", {}],
    ...["/v1/search", "/v1/query", "/v1/tokens/create", "/mcp", "/v1/embeddings", "/v1/chat/completions"].map(
      (path): [number, string, string, Call] => [413, "POST", path, { body: "x".repeat(2 * 1024 ** 2) }],
    ),
  ])("%p %s %s", async (status, method, path, call) => {
    expect((await send(method, path, { key, ...call })).status).toBe(status);
  });

  /** Every operation that takes a credential, as a request without a body. */
  const credentialed = (): [string, string][] =>
    Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods)
        .filter(
          ([, { security }]) => security.length > 0 && !("bearer" in security[0] === false && security.length < 2),
        )
        .map(([method]): [string, string] => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x")]),
    );

  test("without a credential, and with one that is none", async () => {
    expect(credentialed().length).toBeGreaterThan(12);
    for (const [method, path] of credentialed())
      for (const call of [{}, { key: "nonsense" }])
        expect([401, 403]).toContain((await send(method, path, call)).status);
  });

  test("without credits", async () => {
    const { key: poor } = lectern.customer(0);
    for (const path of ["/v1/search", "/v1/query"])
      expect((await send("POST", path, { key: poor, json: question })).status).toBe(402);
    expect((await send("POST", "/v1/files/upload", { key: poor, ...upload(d) })).status).toBe(402);
  });

  test("by a token of another dataset, and by a key of another scope", async () => {
    const [other] = await lectern.upload(key, "other", { "a.txt": "A text." });
    const { token } = (await send("POST", "/v1/tokens/create", { key, json: d })).body;
    const mismatched: [number, string, string, Call][] = [
      [400, "POST", "/v1/search", { json: { ...question, datasetId: "other" } }],
      [403, "POST", "/v1/query", { json: { ...question, datasetId: "other" } }],
      [403, "POST", "/v1/files/upload", upload({ datasetId: "other" })],
      [403, "GET", "/v1/files?datasetId=other", {}],
      [403, "GET", `/v1/files/${other}`, {}],
      [403, "GET", `/v1/files/${other}/content`, {}],
      [403, "GET", `/v1/files/${other}/passages`, {}],
      [403, "DELETE", `/v1/files/${other}`, {}],
      [403, "DELETE", "/v1/datasets/other/files", {}],
      [403, "DELETE", "/v1/files?datasetId=other", {}],
      [403, "POST", "/mcp?dataset=other", { json: { jsonrpc: "2.0", id: 1, method: "ping" }, headers: ASSISTANT }],
    ];
    for (const [status, method, path, call] of mismatched)
      expect([path, (await send(method, path, { key: token, ...call })).status]).toEqual([path, status]);
    const customer = lectern.customer();
    for (const [scope, requests] of [
      [
        "read",
        [
          ["POST", "/v1/files/upload"],
          ["DELETE", "/v1/files"],
          ["POST", "/v1/tokens/create"],
        ],
      ],
      [
        "write",
        [
          ["POST", "/v1/search"],
          ["POST", "/v1/query"],
          ["GET", "/v1/files/x/subtitles"],
          ["POST", "/mcp"],
        ],
      ],
    ] as const) {
      const { apiKey } = lectern.appliance.access.createApiKey(customer.customerId, null, { scope });
      for (const [method, path] of requests) {
        const call = method === "POST" && path !== "/v1/files/upload" ? { json: question, headers: ASSISTANT } : {};
        expect((await send(method, path, { key: apiKey, ...call })).status).toBe(403);
      }
    }
  });

  test("beyond a rate limit", async () => {
    const limited = lectern.customer();
    lectern.appliance.access.setRates(limited.customerId, { retrieval: 0, upload: 0, token: 0, free: 0 });
    for (const [method, path] of credentialed()) {
      const call = path.endsWith("/upload")
        ? upload(d)
        : method === "POST"
          ? { json: question, headers: ASSISTANT }
          : {};
      expect([path, (await send(method, path, { key: limited.key, ...call })).status]).toEqual([path, 429]);
    }
  });

  test("by a server that is stopping, or still warms up; and by one that fails", async () => {
    const config = loadConfig({ flags: { port: "0", "data-dir": lectern.directory }, environment: {} });
    const service = new Service(lectern.appliance, config);
    const server = startServer(service, config);
    const ask = async (method: string, path: string): Promise<number> => {
      const response = await fetch(server.url + path, { method, headers: { authorization: `Bearer ${key}` } });
      answers.check(method, path, { status: response.status, headers: response.headers, text: await response.text() });
      return response.status;
    };
    try {
      service.isWarmingUp = true;
      expect(await ask("GET", "/readyz")).toBe(503);
      const { store } = lectern.appliance;
      const { file } = store;
      store.file = () => {
        throw new Error("the disk is gone");
      };
      expect(await ask("GET", "/v1/files/x")).toBe(500);
      store.file = file;
      service.stop();
      for (const [path, methods] of Object.entries<any>(document.paths))
        for (const method of Object.keys(methods))
          expect(await ask(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x"))).toBe(503);
    } finally {
      await server.stop(1);
    }
  });
});
