/** POST /v1/tokens/create, rule by rule. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { check, startLectern, type Rule, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;

beforeAll(async () => {
  lectern = await startLectern();
  customer = lectern.customer(0);
});
afterAll(() => lectern.stop());

const create = (json: unknown, key = customer.key) => lectern.call("POST", "/v1/tokens/create", { key, json });

test("answers the token at the top and under data, for the asked time", async () => {
  const { status, body } = await create({ datasetId: "books", ttlSeconds: 120 });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    token: body.token,
    expiresIn: 120,
    data: { token: body.token, expiresIn: 120 },
  });
  const claims = decodeJwt(body.token);
  expect(claims).toMatchObject({ customerId: customer.customerId, datasetId: "books" });
  expect(claims.exp! - claims.iat!).toBe(120);
});

test.each([
  [undefined, 3600],
  [1, 1],
  [86400, 86400],
  [59.9, 59],
])("ttlSeconds %p gives %p seconds", async (ttlSeconds, expected) => {
  expect((await create({ datasetId: "books", ttlSeconds })).body.expiresIn).toBe(expected);
});

const ttl = { error: "ttlSeconds must be between 1 and 86400" };
const missing = { error: "datasetId is required" };
const length = { error: "datasetId must be between 1 and 100 characters" };

const rules: (Omit<Rule, "call"> & { json: unknown })[] = [
  { rule: "no datasetId", json: {}, status: 400, body: missing },
  { rule: "datasetId null", json: { datasetId: null }, status: 400, body: missing },
  { rule: "datasetId empty", json: { datasetId: "" }, status: 400, body: missing },
  { rule: "datasetId a number", json: { datasetId: 7 }, status: 400, body: missing },
  { rule: "datasetId an object", json: { datasetId: { a: 1 } }, status: 400, body: missing },
  { rule: "datasetId of 101 characters", json: { datasetId: "x".repeat(101) }, status: 400, body: length },
  { rule: "datasetId of 100 characters", json: { datasetId: "x".repeat(100) }, status: 200 },
  { rule: "datasetId with NUL", json: { datasetId: "a\0b" }, status: 400, holds: ["INVALID_REQUEST"] },
  {
    rule: "datasetId with half a surrogate pair",
    json: { datasetId: "a\ud800" },
    status: 400,
    holds: ["INVALID_REQUEST"],
  },
  { rule: "ttl 0", json: { datasetId: "d", ttlSeconds: 0 }, status: 400, body: ttl },
  { rule: "ttl 0.9", json: { datasetId: "d", ttlSeconds: 0.9 }, status: 400, body: ttl },
  { rule: "ttl 86401", json: { datasetId: "d", ttlSeconds: 86401 }, status: 400, body: ttl },
  { rule: "ttl 86400.5", json: { datasetId: "d", ttlSeconds: 86400.5 }, status: 400, body: ttl },
  { rule: "ttl negative", json: { datasetId: "d", ttlSeconds: -5 }, status: 400, body: ttl },
  { rule: "ttl a string", json: { datasetId: "d", ttlSeconds: "60" }, status: 400, body: ttl },
  { rule: "ttl null", json: { datasetId: "d", ttlSeconds: null }, status: 400, body: ttl },
  { rule: "ttl true", json: { datasetId: "d", ttlSeconds: true }, status: 400, body: ttl },
  { rule: "a body that is an array", json: [], status: 400, holds: ["INVALID_REQUEST"] },
  { rule: "a body that is null", json: null, status: 400, holds: ["INVALID_REQUEST"] },
];

test.each(rules)("$rule → $status", async (rule) => {
  check(await create(rule.json), { ...rule, call: {} });
});

test("an infinite ttl is out of range", async () => {
  const reply = await lectern.call("POST", "/v1/tokens/create", {
    key: customer.key,
    body: '{"datasetId":"d","ttlSeconds":1e999}',
  });
  expect(reply.body).toEqual(ttl);
});

test("without a key: Missing API key; with another value: Invalid API key; with any JWT: Missing API key", async () => {
  const token = (await create({ datasetId: "books" })).body.token;
  expect(await lectern.call("POST", "/v1/tokens/create", { json: { datasetId: "d" } })).toMatchObject({
    status: 401,
    body: { error: "Missing API key" },
  });
  expect(await create({ datasetId: "d" }, `lk_${"a".repeat(43)}`)).toMatchObject({
    status: 401,
    body: { error: "Invalid API key" },
  });
  expect(await create({ datasetId: "d" }, token)).toMatchObject({ status: 401, body: { error: "Missing API key" } });
  expect(await create({ datasetId: "d" }, "eyJhbGciOiJub25lIn0.e30.")).toMatchObject({
    status: 401,
    body: { error: "Missing API key" },
  });
  const operator = await lectern.appliance.access.createOperatorToken(customer.customerId);
  expect(await create({ datasetId: "d" }, operator)).toMatchObject({ status: 401, body: { error: "Missing API key" } });
});

test("who comes before what: a bad body without a key is 401", async () => {
  expect((await lectern.call("POST", "/v1/tokens/create", { body: "{" })).status).toBe(401);
});

test("a token works as x-service-key and for the dataset it names only", async () => {
  const { key } = lectern.customer();
  await lectern.upload(key, "inside", { "a.txt": "The harbour is closed on Sundays." });
  await lectern.upload(key, "outside", { "b.txt": "The museum opens at nine." });
  const { token } = (await create({ datasetId: "inside" }, key)).body;
  const found = await lectern.call("POST", "/v1/search", {
    headers: { "x-service-key": token },
    json: { question: "harbour" },
  });
  expect(found.body.data.map((result: { metadata: { datasetId: string } }) => result.metadata.datasetId)).toEqual([
    "inside",
  ]);
});
