/** Who is asking: both headers, every wrong credential, and that nothing tells more than the fixed sentences. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SignJWT } from "jose";
import { startLectern, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;

beforeAll(async () => {
  lectern = await startLectern();
  customer = lectern.customer();
});
afterAll(() => lectern.stop());

const json = { datasetId: "d", question: "what?" };
const search = (headers: Record<string, string>) => lectern.call("POST", "/v1/search", { headers, json });

describe("accepted", () => {
  test.each([
    ["Authorization: Bearer", () => ({ authorization: `Bearer ${customer.key}` })],
    ["a scheme name in lower case", () => ({ authorization: `bearer ${customer.key}` })],
    ["a scheme name in upper case", () => ({ authorization: `BEARER ${customer.key}` })],
    ["several spaces after the scheme", () => ({ authorization: `Bearer   ${customer.key}` })],
    ["x-service-key", () => ({ "x-service-key": customer.key })],
    [
      "Authorization before a wrong x-service-key",
      () => ({ authorization: `Bearer ${customer.key}`, "x-service-key": "wrong" }),
    ],
    ["x-service-key beside another scheme", () => ({ authorization: "Basic abc", "x-service-key": customer.key })],
  ])("%s", async (_name, headers) => {
    expect((await search(headers())).status).toBe(200);
  });
});

describe("missing", () => {
  test.each([
    ["nothing", {}],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
    ["a scheme alone", { authorization: "Bearer" }],
    ["an empty x-service-key", { "x-service-key": "" }],
  ] as [string, Record<string, string>][])("%s", async (_name, headers) => {
    expect(await search(headers)).toMatchObject({ status: 401, body: { error: "Missing API key or token" } });
  });
});

const foreignSecret = new TextEncoder().encode("another secret of thirty-two bytes");
const claims = () => ({ customerId: customer.customerId, datasetId: "d" });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("invalid", () => {
  test.each([
    ["an unknown key", () => `lk_${"A".repeat(43)}`],
    ["a key of another shape", () => "hello"],
    ["a key with one letter changed", () => customer.key.slice(0, -1) + (customer.key.endsWith("A") ? "B" : "A")],
    ["a wrong Authorization beside a right x-service-key", () => "wrong"],
    [
      "a token signed with another key",
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: "HS256" })
          .setIssuedAt()
          .setExpirationTime("1h")
          .sign(foreignSecret),
    ],
    [
      "a token without a signature",
      () => `${encode({ alg: "none", typ: "JWT" })}.${encode({ ...claims(), iat: 1, exp: 9_999_999_999 })}.`,
    ],
    [
      "a token of another algorithm",
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: "HS512" })
          .setIssuedAt()
          .setExpirationTime("1h")
          .sign(new Uint8Array(64)),
    ],
    ["three dots", () => "..."],
    ["a very long value", () => "x".repeat(8000)],
  ] as [string, () => string | Promise<string>][])("%s", async (_name, credential) => {
    expect(await search({ authorization: `Bearer ${await credential()}` })).toMatchObject({
      status: 401,
      body: { error: "Invalid API key or token" },
    });
  });

  test("a token whose claims were changed", async () => {
    const { token } = (await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId: "d" } }))
      .body;
    const [header, , signature] = token.split(".");
    const forged = `${header}.${encode({ ...claims(), datasetId: "other", iat: 1, exp: 9_999_999_999 })}.${signature}`;
    expect((await search({ authorization: `Bearer ${forged}` })).status).toBe(401);
  });

  test("a token past its end", async () => {
    const { token } = (
      await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId: "d", ttlSeconds: 3 } })
    ).body;
    // Tokens count whole seconds: this one holds for two to three.
    expect((await search({ authorization: `Bearer ${token}` })).status).toBe(200);
    await Bun.sleep(3100);
    expect(await search({ authorization: `Bearer ${token}` })).toMatchObject({
      status: 401,
      body: { error: "Invalid API key or token" },
    });
  });

  test("a revoked key, from the next request on", async () => {
    const { keyId, apiKey } = lectern.appliance.access.createApiKey(customer.customerId, "short-lived");
    expect((await search({ authorization: `Bearer ${apiKey}` })).status).toBe(200);
    lectern.appliance.access.revokeApiKey(keyId);
    expect((await search({ authorization: `Bearer ${apiKey}` })).status).toBe(401);
  });

  test("key and token of a removed customer, whose documents then vanish", async () => {
    const removed = lectern.customer();
    await lectern.upload(removed.key, "d", { "a.txt": "A short note about nothing much." });
    const { token } = (await lectern.call("POST", "/v1/tokens/create", { key: removed.key, json: { datasetId: "d" } }))
      .body;
    lectern.appliance.access.removeCustomer(removed.customerId);
    expect((await search({ authorization: `Bearer ${removed.key}` })).status).toBe(401);
    expect((await search({ authorization: `Bearer ${token}` })).status).toBe(401);
    for (let waited = 0; lectern.appliance.access.removedCustomers().length > 0 && waited < 50; waited++)
      await Bun.sleep(100);
    expect(lectern.appliance.store.dataset(removed.customerId, "d")).toBeNull();
  });
});

test("every endpoint under /v1 but downloads asks for a credential", async () => {
  const endpoints = [
    ["POST", "/v1/files/upload"],
    ["GET", "/v1/files?datasetId=d"],
    ["GET", "/v1/files/x"],
    ["DELETE", "/v1/files/x"],
    ["DELETE", "/v1/files"],
    ["GET", "/v1/datasets"],
    ["DELETE", "/v1/datasets/d/files"],
    ["POST", "/v1/search"],
    ["POST", "/v1/query"],
    ["GET", "/v1/files/x/passages"],
    ["GET", "/v1/files/x/subtitles"],
    ["POST", "/mcp"],
    ["GET", "/v1/models"],
    ["GET", "/v1/models/d"],
    ["POST", "/v1/embeddings"],
    ["POST", "/v1/chat/completions"],
  ] as const;
  for (const [method, path] of endpoints)
    for (const [call, sentence] of [
      [{}, "Missing API key or token"],
      [{ key: "nonsense" }, "Invalid API key or token"],
    ] as const) {
      const { status, body } = await lectern.call(method, path, call);
      expect([path, status, body.error.message ?? body.error]).toEqual([path, 401, sentence]);
    }
});

test("no credential reaches the log, of requests that fail neither", async () => {
  const { store } = lectern.appliance;
  const { file } = store;
  store.file = () => {
    throw new Error("the disk is gone");
  };
  const ways: Record<string, string>[] = [
    { authorization: `Bearer ${customer.key}` },
    { "x-service-key": customer.key },
  ];
  try {
    for (const headers of ways)
      expect((await lectern.call("GET", `/v1/files/x?key=${customer.key}`, { headers })).status).toBe(500);
  } finally {
    store.file = file;
  }
  expect(lectern.logLines.filter((line) => line.includes("A request failed"))).toHaveLength(ways.length);
  expect(lectern.logLines.join("")).not.toContain(customer.key);
});
