/** Paying: first, once, atomically, and given back where the work fails on our side or a file cannot be read. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startLectern, uploadForm, type TestServer } from "../harness.ts";

let lectern: TestServer;

beforeAll(async () => {
  lectern = await startLectern({ "rate-retrieval": "100000", "rate-upload": "100000" });
});
afterAll(() => lectern.stop());

const balance = (customerId: string) => lectern.appliance.access.balance(customerId);
const upload = (key: string, files: Record<string, string>) =>
  lectern.call("POST", "/v1/files/upload", { key, body: uploadForm({ datasetId: "d" }, files) });

test("1000 parallel searches on a balance for 500: exactly 500 are answered", async () => {
  const { customerId, key } = lectern.customer(50);
  const replies = await Promise.all(Array.from({ length: 1000 }, () => lectern.search(key, "d", "anything")));
  const count = (status: number) => replies.filter((reply) => reply.status === status).length;
  expect([count(200), count(402)]).toEqual([500, 500]);
  expect(balance(customerId)).toBe(0);
});

test("402 tells what is required and what is available", async () => {
  const { key } = lectern.customer(0.05);
  const { status, body } = await lectern.search(key, "d", "anything");
  expect(status).toBe(402);
  expect(body).toEqual({
    error: "INSUFFICIENT_CREDITS",
    message: expect.stringContaining("top up"),
    details: { required: 0.1, available: 0.05 },
  });
  expect((await upload(key, { "a.txt": "text to read", "b.txt": "text to read" })).body.details).toEqual({
    required: 1,
    available: 0.05,
  });
});

test("prices: 1 per file, 0.1 per search and query, the rest free", async () => {
  const { customerId, key } = lectern.customer(10);
  const [fileId] = await lectern.upload(key, "d", {
    "a.txt": "A text to be found.",
    "b.txt": "Another one to be found.",
  });
  expect(balance(customerId)).toBe(8000);
  await lectern.search(key, "d", "text");
  expect(balance(customerId)).toBe(7900);
  await lectern.call("POST", "/v1/query", { key, json: { datasetId: "d", question: "text?" } });
  expect(balance(customerId)).toBe(7800);
  await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "d" } });
  await lectern.call("GET", "/v1/files?datasetId=d", { key });
  await lectern.call("GET", `/v1/files/${fileId}`, { key });
  await lectern.call("DELETE", "/v1/files", { key });
  expect(balance(customerId)).toBe(7800);
});

test("a request refused for what it asks costs nothing", async () => {
  const { customerId, key } = lectern.customer(1);
  await lectern.call("POST", "/v1/search", { key, json: { datasetId: "d" } });
  await lectern.call("POST", "/v1/search", { key, json: { datasetId: "d", question: "q", filters: 7 } });
  await lectern.call("POST", "/v1/search", { key, body: "not json" });
  await lectern.call("POST", "/v1/query", { key, json: {} });
  await upload(key, {});
  expect(balance(customerId)).toBe(1000);
});

test("what comes before pay: a bad request of a customer without credits is 400", async () => {
  const { key } = lectern.customer(0);
  expect((await lectern.call("POST", "/v1/search", { key, json: {} })).status).toBe(400);
  expect((await upload(key, {})).status).toBe(400);
});

test("an unreadable upload is given back", async () => {
  const { customerId, key } = lectern.customer(5);
  expect((await upload(key, { "a.pdf": "%PDF-1.7 not really" })).status).toBe(400);
  expect((await upload(key, { "a.txt": "fine text", "b.txt": "" })).status).toBe(400);
  expect(balance(customerId)).toBe(5000);
});

test("a failure of ours is a 500 that tells nothing, is given back, and is in the log under the request's id", async () => {
  const { customerId, key } = lectern.customer(5);
  await lectern.upload(key, "d", { "a.txt": "A text to be found." });
  const { embedder } = lectern.appliance.models.chosen;
  const { embed, embedWithTerms, embedQuestion } = embedder;
  const works = { embed, embedWithTerms, embedQuestion };
  const catchFire = (): Promise<never> => Promise.reject(new Error("the model caught fire"));
  Object.assign(embedder, { embed: catchFire, embedWithTerms: catchFire, embedQuestion: catchFire });
  try {
    const reply = await lectern.call("POST", "/v1/search", {
      key,
      json: { datasetId: "d", question: "q" },
      headers: { "x-request-id": "my-request-7" },
    });
    expect(reply).toMatchObject({ status: 500, body: { error: "Internal error" } });
    expect(reply.headers.get("x-request-id")).toBe("my-request-7");
    expect(reply.text).toBe('{"error":"Internal error"}');
    expect((await lectern.call("POST", "/v1/query", { key, json: { datasetId: "d", question: "q" } })).text).toBe(
      '{"error":"Internal error"}',
    );
    expect((await upload(key, { "b.txt": "Another text." })).text).toBe('{"error":"Internal error"}');
  } finally {
    Object.assign(embedder, works);
  }
  expect(balance(customerId)).toBe(4000);
  expect(lectern.appliance.access.pendingCharges()).toEqual([]);
  const line = lectern.logLines.find((entry) => entry.includes("my-request-7"))!;
  expect(line).toContain("the model caught fire");
  expect((await lectern.call("GET", "/v1/files?datasetId=d", { key })).body.files).toHaveLength(1);
});
