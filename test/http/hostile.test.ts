/** Nothing a client sends makes a 5xx, a crash or a leak. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { FORBIDDEN, startLectern, uploadForm, type Reply, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;

beforeAll(async () => {
  lectern = await startLectern({ "rate-retrieval": "1m", "rate-upload": "1m", "rate-token": "1m" });
  customer = lectern.customer();
  await lectern.upload(customer.key, "d", { "a.txt": "A quiet text about nothing in particular." });
});
afterAll(async () => {
  expect((await lectern.call("GET", "/readyz")).status).toBe(200);
  await lectern.stop();
});

const JSON_ROUTES = ["/v1/search", "/v1/query", "/v1/tokens/create"];

function isHarmless({ status, text }: Reply): void {
  expect(status).toBeLessThan(500);
  for (const fragment of FORBIDDEN) expect(text).not.toContain(fragment);
}

test.each([
  "",
  "{",
  "}",
  "nonsense",
  "null",
  "[]",
  "42",
  '"text"',
  "{}garbage",
  "\ufeff{}",
  '{"datasetId":"d","question":"q"',
  "{'a':1}",
  '{"datasetId":"d","question":"q","filters":[[[[[[]]]]]]}',
  `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
  '{"__proto__":{"datasetId":"d","question":"q"}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"datasetId":1e999,"question":-1e999}',
  '{"datasetId":"\\u0000","question":"\\udc00"}',
])("the body %.60p", async (body) => {
  for (const path of JSON_ROUTES) isHarmless(await lectern.call("POST", path, { key: customer.key, body }));
});

test("a body of bytes that are no text", async () => {
  for (const path of JSON_ROUTES)
    isHarmless(
      await lectern.call("POST", path, { key: customer.key, body: new Uint8Array([0xff, 0xfe, 0, 1, 0xc3, 0x28]) }),
    );
});

test("compressed bodies and foreign character sets are refused by name", async () => {
  for (const headers of [
    { "content-encoding": "gzip" },
    { "content-type": "application/json; charset=utf-16" },
  ] as Record<string, string>[]) {
    expect(await lectern.call("POST", "/v1/search", { key: customer.key, body: "{}", headers })).toMatchObject({
      status: 400,
      body: { error: "INVALID_REQUEST" },
    });
  }
});

test("any JSON value for any field", async () => {
  const request = fc.record(
    {
      datasetId: fc.oneof(fc.constant("d"), fc.jsonValue()),
      question: fc.oneof(fc.constant("q"), fc.string({ unit: "binary" }), fc.jsonValue()),
      filters: fc.oneof(
        fc.jsonValue(),
        fc.array(
          fc.record({
            key: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
            match: fc.oneof(fc.record({ value: fc.jsonValue() }), fc.jsonValue()),
          }),
          { maxLength: 40 },
        ),
      ),
      ttlSeconds: fc.oneof(fc.double(), fc.jsonValue()),
      stream: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...JSON_ROUTES), request, async (path, json) => {
      isHarmless(await lectern.call("POST", path, { key: customer.key, json }));
    }),
    { numRuns: 300 },
  );
});

test("any path below /v1/files, /v1/datasets and any query", async () => {
  const segment = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom("%", "%E0%A4%A", "%00", "..%2f", "%2e%2e", "content", "__proto__", "%ff%fe"),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "DELETE", "HEAD"),
      fc.constantFrom("files", "datasets"),
      segment,
      segment,
      segment,
      async (method, root, one, two, query) => {
        for (const path of [
          `/v1/${root}/x${one}`,
          `/v1/${root}/x${one}/${two}`,
          `/v1/${root}/x${one}/content?expires=${query}&signature=${two}`,
          `/v1/files?datasetId=x${query}`,
        ]) {
          if (method === "DELETE" && path.startsWith("/v1/files?")) continue;
          isHarmless(await lectern.call(method, path, { key: customer.key }));
        }
      },
    ),
    { numRuns: 150 },
  );
});

test("any value in the headers that are read", async () => {
  const value = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        "authorization",
        "x-service-key",
        "x-request-id",
        "content-type",
        "accept",
        "range",
        "origin",
        "content-encoding",
      ),
      value,
      async (name, header) => {
        isHarmless(
          await lectern.call("POST", "/v1/search", {
            key: customer.key,
            json: { datasetId: "d", question: "q" },
            headers: { [name]: header },
          }),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test("any text in any field of an upload", async () => {
  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.json({ maxDepth: 3 }),
    fc.constantFrom("NaN", "1e5", "-0", "0x10", "９", " 30 ", "null"),
  );
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (datasetId, chunkSize, chunkOverlap, extraMeta) => {
      isHarmless(
        await lectern.call("POST", "/v1/files/upload", {
          key: customer.key,
          body: uploadForm({ datasetId, chunkSize, chunkOverlap, extraMeta }, { "a.txt": "Some text." }),
        }),
      );
    }),
    { numRuns: 60 },
  );
});

test.each([
  "../../x",
  "/etc/passwd",
  "..\\..\\x",
  "CON",
  "a".repeat(1000),
  "x.txt\r\nX-Evil: 1",
  "\u202efdp.exe",
  "<script>.html",
  "日本語.txt",
  "%00",
  "nul\0byte.txt",
])("a file named %.40p is stored and comes back as an attachment", async (name) => {
  const form = uploadForm({ datasetId: "names" }, { [name]: "Some text in a file with a strange name." });
  const reply = await lectern.call("POST", "/v1/files/upload", { key: customer.key, body: form });
  expect(reply.status).toBe(200);
  const [file] = reply.body.files;
  expect(file.originalName).not.toMatch(/[/\\\r\n\0]/);
  const { permanentUrl } = (await lectern.call("GET", `/v1/files/${file.fileId}`, { key: customer.key })).body.files[0];
  const content = await lectern.call("GET", permanentUrl.slice(lectern.url.length));
  expect(content.status).toBe(200);
  expect(content.headers.get("content-disposition")).toStartWith("attachment; filename=");
  expect(content.headers.has("x-evil")).toBe(false);
});

test.each([
  "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
  "GET /v1/files?datasetId=d HTTP/1.1\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost: \r\n\r\n",
  "GET http://[::bad/healthz HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET //healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
  "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
  "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
  "BREW /coffee HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "\0\0\0\0\r\n\r\n",
])("the bytes %.60p", async (bytes) => {
  const answer = Promise.withResolvers<string>();
  const { hostname, port } = new URL(lectern.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, data) => answer.resolve(data.toString()), close: () => answer.resolve("") },
  });
  socket.write(bytes);
  setTimeout(() => answer.resolve(""), 300);
  expect(await answer.promise).not.toMatch(/^HTTP\/1.1 5/);
  socket.end();
});

test("requests sent before the last one is answered end their connection, and nothing else", async () => {
  const json = JSON.stringify({ datasetId: "d", question: "quiet" });
  const post = `POST /v1/search HTTP/1.1\r\nHost: localhost\r\nx-service-key: ${customer.key}\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
  const ended = Promise.withResolvers<void>();
  let answers = "";
  const { hostname, port } = new URL(lectern.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, data) => void (answers += data.toString()), close: () => ended.resolve() },
  });
  socket.write(`${post}${post}GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await ended.promise;
  // No answer is given to a request that it does not belong to.
  expect(answers.match(/HTTP\/1\.1 \d+/g) ?? []).toEqual([]);
  expect((await lectern.search(customer.key, "d", "quiet")).status).toBe(200);
  while (!/^lectern_requests_running 1$/m.test((await lectern.call("GET", "/metrics")).text)) await Bun.sleep(10);
});

test("a body without a declared length is cut at the limit, before anybody is asked who it is", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(100_000).fill(0x20));
    },
  });
  const reply = await lectern.call("POST", "/v1/search", { body: endless });
  expect(reply).toMatchObject({ status: 413, body: { error: "PAYLOAD_TOO_LARGE" } });
});

test("the log tells of no failure", () => {
  expect(lectern.logLines.filter((line) => line.includes(" error "))).toEqual([]);
});
