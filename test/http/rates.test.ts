/** How often: one fixed minute per customer and bucket, shared by keys and tokens, told on every answer, kept over a restart. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { roomInMinute, startLectern, uploadForm, type Reply, type TestServer } from "../harness.ts";

// Waits for a minute with enough of it left.
setDefaultTimeout(60_000);

let lectern: TestServer;

beforeAll(async () => {
  lectern = await startLectern({ "rate-upload": "5", "rate-retrieval": "10", "rate-token": "3", "rate-free": "4" });
  await roomInMinute(25);
});
afterAll(() => lectern.stop());

const rateOf = ({ headers }: Reply) =>
  [headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")].map(Number);
const files = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f${index}.txt`, `Some text number ${index} to read.`]),
  );
const upload = (key: string, count: number, fields: Record<string, string> = { datasetId: "d" }) =>
  lectern.call("POST", "/v1/files/upload", { key, body: uploadForm(fields, files(count)) });

test("search and query share a window, keys and tokens too; errors after that step count and carry the headers", async () => {
  const { key } = lectern.customer();
  const { token } = (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "d" } })).body;
  const search = (json: unknown, credential = key) => lectern.call("POST", "/v1/search", { key: credential, json });
  expect(rateOf(await search({ datasetId: "d", question: "q" }))).toEqual([10, 9]);
  expect(rateOf(await lectern.call("POST", "/v1/query", { key, json: { datasetId: "d", question: "q" } }))).toEqual([
    10, 8,
  ]);
  expect(rateOf(await search({ question: "q" }, token))).toEqual([10, 7]);
  expect(rateOf(await search({}))).toEqual([10, 6]);
  expect(rateOf(await lectern.call("POST", "/v1/search", { key, body: "{" }))).toEqual([10, 5]);
  const before = await search({ datasetId: "x", question: "q" }, token);
  expect(before.status).toBe(400);
  expect(rateOf(before)).toEqual([10, 4]);
  for (let left = 3; left >= 0; left--)
    expect(rateOf(await search({ datasetId: "d", question: "q" }))).toEqual([10, left]);

  const refused = await search({ datasetId: "d", question: "q" }, token);
  expect(refused.status).toBe(429);
  expect(rateOf(refused)).toEqual([10, 0]);
  const { error, message, retryAfter } = refused.body;
  expect(error).toBe("RATE_LIMIT_EXCEEDED");
  expect(message).toBeString();
  expect(refused.headers.get("retry-after")).toBe(String(retryAfter));
  const reset = Number(refused.headers.get("x-ratelimit-reset"));
  expect(reset % 60).toBe(0);
  expect(Math.abs(reset - Date.now() / 1000 - retryAfter)).toBeLessThan(2);
  expect((await lectern.call("POST", "/v1/query", { key, json: {} })).status).toBe(429);
  expect((await search({ datasetId: "d", question: "q" }, lectern.customer().key)).status).toBe(200);
});

test("a request without a valid credential or beyond the size counts nothing and tells nothing", async () => {
  const { key } = lectern.customer();
  const nobody = await lectern.call("POST", "/v1/search", { json: { datasetId: "d", question: "q" } });
  expect(nobody.headers.has("x-ratelimit-limit")).toBe(false);
  const tooLarge = await lectern.call("POST", "/v1/search", { key, body: "x".repeat(1024 ** 2 + 1) });
  expect(tooLarge).toMatchObject({ status: 413, body: { error: "PAYLOAD_TOO_LARGE", details: { limit: 1024 ** 2 } } });
  expect(rateOf(await lectern.call("POST", "/v1/search", { key, json: { datasetId: "d", question: "q" } }))).toEqual([
    10, 9,
  ]);
});

test("an upload of n files counts n; one that is too many consumes nothing and is not charged", async () => {
  const { customerId, key } = lectern.customer(100);
  expect(rateOf(await upload(key, 3))).toEqual([5, 2]);
  const refused = await upload(key, 3);
  expect(refused.status).toBe(429);
  expect(rateOf(refused)).toEqual([5, 2]);
  expect(refused.headers.get("retry-after")).toBe(String(refused.body.retryAfter));
  expect(lectern.appliance.access.balance(customerId)).toBe(97_000);
  expect(rateOf(await upload(key, 1, {}))).toEqual([5, 1]);
  expect(rateOf(await upload(key, 1))).toEqual([5, 0]);
  expect(rateOf(await upload(key, 0))).toEqual([5, 0]);
});

test("a customer with nothing left is refused before the body is read", async () => {
  const { key } = lectern.customer();
  await upload(key, 5);
  const response = Promise.withResolvers<string>();
  const { hostname, port } = new URL(lectern.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, data) => response.resolve(data.toString()) },
  });
  socket.write(
    `POST /v1/files/upload HTTP/1.1\r\nHost: localhost\r\nx-service-key: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b`,
  );
  expect(await response.promise).toStartWith("HTTP/1.1 429");
  socket.end();
});

test("token creation has its own window", async () => {
  const { key } = lectern.customer();
  const create = (json: unknown) => lectern.call("POST", "/v1/tokens/create", { key, json });
  expect(rateOf(await create({ datasetId: "d" }))).toEqual([3, 2]);
  expect(rateOf(await create({}))).toEqual([3, 1]);
  expect(rateOf(await create({ datasetId: "d" }))).toEqual([3, 0]);
  expect((await create({ datasetId: "d" })).status).toBe(429);
});

test("listing, details and deletions share a window of their own; links need none", async () => {
  const { key } = lectern.customer();
  const [fileId] = await lectern.upload(key, "d", { "a.txt": "Some text to look at." });
  const details = await lectern.call("GET", `/v1/files/${fileId}`, { key });
  expect(rateOf(details)).toEqual([4, 3]);
  expect(rateOf(await lectern.call("GET", "/v1/files?datasetId=d", { key }))).toEqual([4, 2]);
  expect(rateOf(await lectern.call("DELETE", "/v1/files/unknown", { key }))).toEqual([4, 1]);
  expect(rateOf(await lectern.call("DELETE", "/v1/datasets/unknown/files", { key }))).toEqual([4, 0]);
  const refused = await lectern.call("DELETE", "/v1/files", { key });
  expect(refused).toMatchObject({ status: 429, body: { error: "RATE_LIMIT_EXCEEDED" } });
  expect(rateOf(refused)).toEqual([4, 0]);
  expect(lectern.appliance.store.fileById(fileId!)).not.toBeNull();
  expect((await fetch(details.body.files[0].permanentUrl)).status).toBe(200);
  expect((await lectern.search(key, "d", "text")).status).toBe(200);
});

test("a restart forgets neither the window nor the documents", async () => {
  const { key } = lectern.customer();
  await upload(key, 4);
  await lectern.restart();
  expect((await lectern.call("GET", "/v1/files?datasetId=d", { key })).body.files).toHaveLength(4);
  expect((await lectern.search(key, "d", "text")).body.data).toHaveLength(4);
  expect((await upload(key, 2)).status).toBe(429);
});

test("the operator's own token is not limited", async () => {
  const { customerId } = lectern.customer();
  const token = await lectern.appliance.access.createOperatorToken(customerId);
  for (let count = 0; count < 15; count++) expect((await lectern.search(token, "d", "q")).status).toBe(200);
  for (let count = 0; count < 5; count++)
    expect((await lectern.call("GET", "/v1/files?datasetId=d", { key: token })).status).toBe(200);
});
