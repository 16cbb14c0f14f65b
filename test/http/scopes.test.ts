/** What API keys and tokens of each scope may do, and when keys end. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { startLectern, uploadForm, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;
let fileId: string;
let talkId: string;

beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.stop());
beforeEach(async () => {
  customer = lectern.customer();
  [fileId, talkId] = (await lectern.upload(customer.key, "d", {
    "a.txt": "The bell rings at noon.",
    "talk.srt": "1\n00:00:01,000 --> 00:00:02,000\nThe bell rang.\n",
  })) as [string, string];
});

const embeddingModel = () => lectern.appliance.models.chosen.embedder.manifest.name;
/** Of either form of errors. */
const codeOf = ({ error }: any): string => (typeof error === "string" ? error : error.code.toUpperCase());
const access = () => lectern.appliance.access;
const assistant = { accept: "application/json, text/event-stream" };
const question = { datasetId: "d", question: "When does the bell ring?" };

/** Every request that needs a credential, by what it is for. */
const requests = {
  look: [
    () => ["GET", "/v1/files?datasetId=d", {}],
    () => ["GET", `/v1/files/${fileId}`, {}],
    () => ["GET", "/v1/models", {}],
    () => ["GET", "/v1/models/d", {}],
  ],
  search: [
    () => ["POST", "/v1/search", { json: question }],
    () => ["POST", "/v1/query", { json: question }],
    () => ["GET", `/v1/files/${fileId}/passages`, {}],
    () => ["GET", `/v1/files/${talkId}/subtitles`, {}],
    () => ["POST", "/v1/chat/completions", { json: { model: "d", messages: [{ role: "user", content: "When?" }] } }],
    () => ["POST", "/v1/embeddings", { json: { model: embeddingModel(), input: "When?" } }],
    () => ["POST", "/mcp", { json: { jsonrpc: "2.0", id: 1, method: "ping" }, headers: assistant }],
  ],
  change: [
    () => ["POST", "/v1/files/upload", { body: uploadForm({ datasetId: "d" }, { "b.txt": "The bell is silent." }) }],
    () => ["DELETE", `/v1/files/${fileId}`, {}],
    () => ["DELETE", "/v1/datasets/d/files", {}],
    () => ["DELETE", "/v1/files", {}],
  ],
  fullToken: [() => ["POST", "/v1/tokens/create", { json: { datasetId: "d" } }]],
  readToken: [() => ["POST", "/v1/tokens/create", { json: { datasetId: "d", scope: "read" } }]],
} satisfies Record<string, (() => [string, string, object])[]>;

type Kind = keyof typeof requests;
const everything = Object.keys(requests) as Kind[];

describe.each<[credential: string, may: readonly Kind[], make: () => Promise<string>]>([
  ["a key", everything, async () => customer.key],
  [
    "a key for reading",
    ["look", "search", "readToken"],
    async () => access().createApiKey(customer.customerId, null, { scope: "read" }).apiKey,
  ],
  [
    "a key for writing",
    ["look", "change"],
    async () => access().createApiKey(customer.customerId, null, { scope: "write" }).apiKey,
  ],
  ["a token", ["look", "search", "change"], async () => tokenOf({})],
  ["a token for reading", ["look", "search"], async () => tokenOf({ scope: "read" })],
  [
    "a token for reading, made by a key for reading",
    ["look", "search"],
    async () => tokenOf({ scope: "read" }, access().createApiKey(customer.customerId, null, { scope: "read" }).apiKey),
  ],
])("%s", (credential, may, make) => {
  test.each(everything)("%s", async (kind) => {
    const key = await make();
    for (const request of requests[kind]) {
      const [method, path, call] = request();
      const { status, body } = await lectern.call(method, path, { key, ...call });
      const what = `${credential}: ${method} ${path}`;
      if (may.includes(kind)) expect(status, what).toBe(200);
      else if (credential.startsWith("a token") && path.startsWith("/v1/tokens")) expect(status, what).toBe(401);
      else expect({ status, error: codeOf(body) }, what).toEqual({ status: 403, error: "SCOPE_INSUFFICIENT" });
    }
  });
});

async function tokenOf(fields: object, key = customer.key): Promise<string> {
  return (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "d", ...fields } })).body.token;
}

test("a refusal says what the credential may do and what this needs", async () => {
  const { apiKey } = access().createApiKey(customer.customerId, null, { scope: "read" });
  const { body } = await lectern.call("DELETE", "/v1/files", { key: apiKey });
  expect(body.message).toBe("This API key or token may only look and search, and this is to upload, delete and look.");
});

test.each([["write"], ["all"], [""], [1], [["read"]]])("a token of scope %j is refused", async (scope) => {
  const { status, body } = await lectern.call("POST", "/v1/tokens/create", {
    key: customer.key,
    json: { datasetId: "d", scope },
  });
  expect({ status, error: body.error }).toEqual({ status: 400, error: "INVALID_REQUEST" });
});

test("a key ends when it was to end, and not before", async () => {
  const ask = (key: string) => lectern.call("GET", "/v1/files?datasetId=d", { key });
  const [later, past] = [60_000, -1].map(
    (away) => access().createApiKey(customer.customerId, null, { expires: Date.now() + away }).apiKey,
  );
  expect((await ask(later!)).status).toBe(200);
  expect(await ask(past!)).toMatchObject({ status: 401, body: { error: "Invalid API key or token" } });
});

test("it is kept when a key was last used", async () => {
  const { apiKey, keyId } = access().createApiKey(customer.customerId, null);
  const lastUsed = () =>
    access()
      .listApiKeys(customer.customerId)
      .find((key) => key.keyId === keyId)!.lastUsed;
  expect(lastUsed()).toBeNull();
  const before = Date.now();
  await lectern.call("GET", "/v1/files?datasetId=d", { key: apiKey });
  expect(lastUsed()).toBeGreaterThanOrEqual(before);
});
