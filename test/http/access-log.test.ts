/** What the log and the metrics say of requests, and what never gets into the log. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startLectern, uploadForm, type TestCustomer, type TestServer } from "../harness.ts";

const SECRET_TEXT = "The vault opens at seven.";
const QUESTION = "When does the vault open?";

let lectern: TestServer;
let customer: TestCustomer;
let token: string;

beforeAll(async () => {
  lectern = await startLectern({ "access-log": "on", "max-json-bytes": "4096" });
  customer = lectern.customer();
  await lectern.upload(customer.key, "d", { "secret-name.txt": SECRET_TEXT });
  const { body } = await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId: "d" } });
  token = body.token;
});
afterAll(() => lectern.stop());

/** The line of the request of this id, without its time. */
const lineOf = (id: string): string | undefined =>
  lectern.logLines.find((line) => line.endsWith(`req=${id}\n`))?.replace(/^\S+ /, "");

const search = (key: string) => ({ key, json: { datasetId: "d", question: QUESTION } });

describe("a line for each request: who asked, how it was answered, how long it took", () => {
  test.each<[id: string, method: string, path: string, call: () => object, line: RegExp]>([
    [
      "key",
      "POST",
      "/v1/search",
      () => search(customer.key),
      /^info {2}POST \/v1\/search 200 \d+ms customer=\S+ by=key_\S+ req=key\n$/,
    ],
    [
      "token",
      "POST",
      "/v1/search",
      () => search(token),
      /^info {2}POST \/v1\/search 200 \d+ms customer=\S+ by=token req=token\n$/,
    ],
    [
      "wrong-key",
      "GET",
      "/v1/files?datasetId=d",
      () => ({ key: "lk_nobody" }),
      /^info {2}GET \/v1\/files 401 \d+ms refusal=INVALID_CREDENTIAL req=wrong-key\n$/,
    ],
    [
      "no-file",
      "GET",
      "/v1/files/nothing",
      () => ({ key: customer.key }),
      /^info {2}GET \/v1\/files\/nothing 404 \d+ms customer=\S+ by=key_\S+ refusal=FILE_NOT_FOUND req=no-file\n$/,
    ],
    ["no-route", "GET", "/v2/x%0ay", () => ({}), /^info {2}GET \/v2\/x%0ay 404 0ms refusal=NOT_FOUND req=no-route\n$/],
    [
      "no-method",
      "PUT",
      "/v1/search",
      () => ({}),
      /^info {2}PUT \/v1\/search 405 0ms refusal=METHOD_NOT_ALLOWED req=no-method\n$/,
    ],
    [
      "too-large",
      "POST",
      "/v1/search",
      () => ({ key: customer.key, json: { question: "x".repeat(5000) } }),
      /^info {2}POST \/v1\/search 413 \d+ms refusal=PAYLOAD_TOO_LARGE req=too-large\n$/,
    ],
    ["long", "GET", `/v1/${"x".repeat(2000)}`, () => ({}), /^info {2}GET \/v1\/x{296} 404 0ms .*req=long\n$/],
  ])("%s", async (id, method, path, call, line) => {
    await lectern.call(method, path, { ...call(), headers: { "x-request-id": id } });
    expect(lineOf(id)).toMatch(line);
  });

  test("probes are no news", async () => {
    for (const path of ["/healthz", "/readyz", "/metrics"])
      await lectern.call("GET", path, { headers: { "x-request-id": `probe${path}` } });
    expect(lectern.logLines.filter((line) => line.includes("req=probe"))).toEqual([]);
  });

  test("never a question, a text, a name, a credential or a signature", async () => {
    const { body } = await lectern.call("GET", "/v1/files?datasetId=d", { key: customer.key });
    const details = await lectern.call("GET", `/v1/files/${body.files[0].fileId}`, { key: customer.key });
    const link = new URL(details.body.files[0].permanentUrl);
    expect((await lectern.call("GET", link.pathname + link.search, {})).status).toBe(200);
    await lectern.call("POST", "/v1/query", search(customer.key));
    const said = lectern.logLines.join("");
    expect(said).toContain(`GET ${link.pathname} 200`);
    for (const secret of [
      SECRET_TEXT,
      QUESTION,
      "secret-name",
      customer.key,
      token,
      link.searchParams.get("signature")!,
    ])
      expect(said).not.toContain(secret);
  });
});

test("refusals are counted by their cause", async () => {
  await lectern.call("POST", "/v1/files/upload", {
    key: customer.key,
    body: uploadForm({ datasetId: "d" }, { "a.txt": "" }),
  });
  const { text } = await lectern.call("GET", "/metrics", {});
  expect(text).toMatch(/^# TYPE lectern_refusals_total counter$/m);
  expect(text).toMatch(/^lectern_refusals_total\{code="EMPTY_FILE"\} 1$/m);
  expect(text).toMatch(/^lectern_refusals_total\{code="INVALID_CREDENTIAL"\} 1$/m);
});

test("--access-log off leaves the lines out, and counts all the same", async () => {
  const quiet = await startLectern({ "access-log": "off" });
  try {
    await quiet.call("GET", "/v1/files", {});
    expect(quiet.logLines).toEqual([]);
    expect((await quiet.call("GET", "/metrics", {})).text).toContain(
      'lectern_refusals_total{code="MISSING_CREDENTIAL"} 1',
    );
  } finally {
    await quiet.stop();
  }
});
