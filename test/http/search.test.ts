/** POST /v1/search, rule by rule. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { check, startLectern, type Rule, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;
let token: string;

interface Result {
  score: number;
  pageContent: string;
  metadata: Record<string, unknown>;
}

beforeAll(async () => {
  lectern = await startLectern();
  customer = lectern.customer();
  const { key } = customer;
  await lectern.upload(
    key,
    "animals",
    { "cat.txt": "Cats sleep for most of the day and hunt at night." },
    { extraMeta: '{"legs":4,"kind":"mammal","tame":true,"__proto__":"own"}' },
  );
  await lectern.upload(
    key,
    "animals",
    { "bird.txt": "Swallows fly to Africa before the winter comes." },
    { extraMeta: '{"legs":2,"kind":"bird","tame":false,"chunkIndex":99}' },
  );
  await lectern.upload(
    key,
    "animals",
    { "ant.txt": "Ants carry many times their own weight." },
    { extraMeta: '{"legs":"6"}' },
  );
  for (let index = 0; index < 12; index++)
    await lectern.upload(key, "many", {
      [`n${index}.txt`]: `Report number ${index} about the weather in town ${index}.`,
    });
  token = (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "animals" } })).body.token;
});
afterAll(() => lectern.stop());

const search = async (json: Record<string, unknown>, key = customer.key) =>
  lectern.call("POST", "/v1/search", { key, json });
const names = (results: Result[]) => results.map(({ metadata }) => metadata.originalName).sort();

test("answers passages, best first, with score, text and metadata", async () => {
  const { status, body } = await search({ datasetId: "animals", question: "When do cats hunt?" });
  expect(status).toBe(200);
  expect(body.success).toBe(true);
  expect(Object.keys(body)).toEqual(["success", "data"]);
  const results = body.data as Result[];
  expect(results[0]!.pageContent).toContain("Cats sleep");
  expect(results[0]!.metadata).toMatchObject({
    originalName: "cat.txt",
    customerId: customer.customerId,
    datasetId: "animals",
    chunkIndex: 0,
    legs: 4,
    kind: "mammal",
    tame: true,
  });
  const scores = results.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
});

test("a file's own metadata cannot replace chunkIndex and is shown with the file, and a key named __proto__ is a key like any other", async () => {
  const results = (await search({ datasetId: "animals", question: "winter" })).body.data as Result[];
  const bird = results.find(({ metadata }) => metadata.originalName === "bird.txt")!;
  expect(bird.metadata.chunkIndex).toBe(0);
  const { body } = await lectern.call("GET", `/v1/files/${bird.metadata.fileId}`, { key: customer.key });
  expect(body.files[0].extraMeta.chunkIndex).toBe(99);
  expect(Object.keys(results.find(({ metadata }) => metadata.originalName === "cat.txt")!.metadata)).toContain(
    "__proto__",
  );
});

test("gives eight results", async () => {
  expect((await search({ datasetId: "many", question: "weather" })).body.data).toHaveLength(8);
});

test("an unknown dataset has no results, and that is charged", async () => {
  const poor = lectern.customer(1);
  expect(await search({ datasetId: "nowhere", question: "anything" }, poor.key)).toMatchObject({
    status: 200,
    body: { success: true, data: [] },
  });
  expect(lectern.appliance.access.balance(poor.customerId)).toBe(900);
});

describe("filters", () => {
  const match = (key: string, value: unknown) => ({ key, match: { value } });
  test.each([
    ["a number", [match("legs", 4)], ["cat.txt"]],
    ["a string is not a number", [match("legs", "4")], []],
    ["a number in a string", [match("legs", "6")], ["ant.txt"]],
    ["a boolean", [match("tame", false)], ["bird.txt"]],
    ["both must match", [match("legs", 4), match("kind", "bird")], []],
    ["the same twice", [match("legs", 4), match("legs", 4)], ["cat.txt"]],
    ["originalName", [match("originalName", "ant.txt")], ["ant.txt"]],
    ["chunkIndex is the chunk's, not the file's own", [match("chunkIndex", 99)], []],
    ["chunkIndex 0", [match("chunkIndex", 0)], ["ant.txt", "bird.txt", "cat.txt"]],
    ["datasetId", [match("datasetId", "animals")], ["ant.txt", "bird.txt", "cat.txt"]],
    ["another customer's id", [match("customerId", "someone else")], []],
    ["a key nobody uses", [match("colour", "red")], []],
    ["a key named __proto__", [match("__proto__", "own")], ["cat.txt"]],
    ["none", [], ["ant.txt", "bird.txt", "cat.txt"]],
    ["null", null, ["ant.txt", "bird.txt", "cat.txt"]],
  ] as [string, unknown, string[]][])("%s", async (_name, filters, expected) => {
    const reply = await search({ datasetId: "animals", question: "animals", filters });
    expect(reply.status).toBe(200);
    expect(names(reply.body.data)).toEqual(expected);
  });

  test("fileId", async () => {
    const [fileId] = await lectern.upload(customer.key, "animals-2", {
      "x.txt": "One more text about horses and hay.",
      "y.txt": "Another one about cows and milk.",
    });
    const reply = await search({ datasetId: "animals-2", question: "milk", filters: [match("fileId", fileId)] });
    expect(names(reply.body.data)).toEqual(["x.txt"]);
  });
});

const missing = { error: "datasetId and question are required" };
const rules: (Omit<Rule, "call"> & { json: unknown; token?: true })[] = [
  { rule: "no datasetId", json: { question: "q" }, status: 400, body: missing },
  { rule: "no question", json: { datasetId: "animals" }, status: 400, body: missing },
  { rule: "neither", json: {}, status: 400, body: missing },
  { rule: "empty question", json: { datasetId: "animals", question: "" }, status: 400, body: missing },
  { rule: "blank question", json: { datasetId: "animals", question: " \n" }, status: 400, body: missing },
  { rule: "null question", json: { datasetId: "animals", question: null }, status: 400, body: missing },
  { rule: "question a number", json: { datasetId: "animals", question: 5 }, status: 400, holds: ["INVALID_REQUEST"] },
  {
    rule: "question an array",
    json: { datasetId: "animals", question: ["a"] },
    status: 400,
    holds: ["INVALID_REQUEST"],
  },
  { rule: "datasetId a number", json: { datasetId: 5, question: "q" }, status: 400, holds: ["INVALID_REQUEST"] },
  { rule: "token and no datasetId", token: true, json: { question: "cats" }, status: 200, holds: ["cat.txt"] },
  {
    rule: "token and its own datasetId",
    token: true,
    json: { datasetId: "animals", question: "cats" },
    status: 200,
    holds: ["cat.txt"],
  },
  {
    rule: "token and another datasetId",
    token: true,
    json: { datasetId: "many", question: "cats" },
    status: 400,
    body: { error: "datasetId mismatch between token and request" },
  },
  { rule: "token and no question", token: true, json: {}, status: 400, body: missing },
  {
    rule: "filters an object",
    json: { datasetId: "animals", question: "q", filters: {} },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "filters a string",
    json: { datasetId: "animals", question: "q", filters: "legs" },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "a filter null",
    json: { datasetId: "animals", question: "q", filters: [null] },
    status: 400,
    holds: ["INVALID_FILTER", "filters[0]"],
  },
  {
    rule: "a filter without match",
    json: { datasetId: "animals", question: "q", filters: [{ key: "a" }] },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "a filter without value",
    json: { datasetId: "animals", question: "q", filters: [{ key: "a", match: {} }] },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "a filter on null",
    json: { datasetId: "animals", question: "q", filters: [{ key: "a", match: { value: null } }] },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "a filter on an array",
    json: { datasetId: "animals", question: "q", filters: [{ key: "a", match: { value: [1] } }] },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "a filter key a number",
    json: { datasetId: "animals", question: "q", filters: [{ key: 1, match: { value: 1 } }] },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "32 filters",
    json: { datasetId: "animals", question: "q", filters: Array(32).fill({ key: "legs", match: { value: 4 } }) },
    status: 200,
    holds: ["cat.txt"],
    lacks: ["ant.txt"],
  },
  {
    rule: "33 filters",
    json: { datasetId: "animals", question: "q", filters: Array(33).fill({ key: "legs", match: { value: 4 } }) },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "a thousand filters",
    json: { datasetId: "animals", question: "q", filters: Array(1000).fill({ key: "legs", match: { value: 4 } }) },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
  {
    rule: "ten thousand filters",
    json: { datasetId: "animals", question: "q", filters: Array(10_000).fill({ key: "legs", match: { value: 4 } }) },
    status: 400,
    holds: ["INVALID_REQUEST", "more than 20000"],
  },
  {
    rule: "an unknown field nested deeply",
    json: { datasetId: "animals", question: "q", more: JSON.parse(`${"[".repeat(64)}${"]".repeat(64)}`) },
    status: 400,
    holds: ["INVALID_REQUEST", "more than 64 levels"],
  },
  {
    rule: "an unknown field nested less deeply",
    json: { datasetId: "animals", question: "q", more: JSON.parse(`${"[".repeat(63)}${"]".repeat(63)}`) },
    status: 200,
  },
  {
    rule: "a question with NUL and half a surrogate pair",
    json: { datasetId: "animals", question: "cats\0 \ud800 sleep" },
    status: 200,
    holds: ["cat.txt"],
  },
  {
    rule: "a dataset name with NUL",
    json: { datasetId: "ani\0mals", question: "cats" },
    status: 200,
    body: { success: true, data: [] },
  },
  {
    rule: "a dataset name with half a surrogate pair",
    json: { datasetId: "\udfff", question: "cats" },
    status: 200,
    body: { success: true, data: [] },
  },
  {
    rule: "a dataset name like a path",
    json: { datasetId: "../../etc", question: "cats" },
    status: 200,
    body: { success: true, data: [] },
  },
  {
    rule: "a dataset named like a prototype",
    json: { datasetId: "__proto__", question: "cats" },
    status: 200,
    body: { success: true, data: [] },
  },
  {
    rule: "unknown further fields",
    json: { datasetId: "animals", question: "cats", constructor: 1, topK: -1 },
    status: 200,
  },
];

test.each(rules)("$rule → $status", async (rule) => {
  check(await search(rule.json as Record<string, unknown>, rule.token ? token : customer.key), { ...rule, call: {} });
});

test("a question as long as it may be is answered; a longer one costs nothing", async () => {
  expect((await search({ datasetId: "animals", question: "cats ".repeat(2000) })).status).toBe(200);
  const payer = lectern.customer(1);
  for (const path of ["/v1/search", "/v1/query"]) {
    const reply = await lectern.call("POST", path, {
      key: payer.key,
      json: { datasetId: "animals", question: `${"cats ".repeat(2000)}!` },
    });
    expect(reply).toMatchObject({
      status: 400,
      body: {
        error: "QUESTION_TOO_LONG",
        message: "The question is too long: it has 10001 characters, and at most 10000 are read.",
        details: { limit: 10_000 },
      },
    });
  }
  expect(lectern.appliance.access.balance(payer.customerId)).toBe(1000);
});

test("the number of results is the operator's choice, 5-10", async () => {
  await lectern.restart({ "search-results": "5" });
  expect((await search({ datasetId: "many", question: "weather" })).body.data).toHaveLength(5);
});

describe("where a passage stands", () => {
  const handbook = `---\n---\n# Handbook\n\n${"Nothing of note happens here. ".repeat(12)}\n\n## Overtime\n\n${"Hours beyond the plan are overtime and are paid double. ".repeat(12)}\n`;

  test("is told in its metadata, found by filters, and said in its text where it begins in the middle of a section", async () => {
    const { key } = customer;
    await lectern.upload(
      key,
      "places",
      { "handbook.md": handbook },
      { chunkSize: "60", chunkOverlap: "0", extraMeta: '{"heading":"mine","sheet":"A"}' },
    );
    const overtime = { key: "heading", match: { value: "Handbook › Overtime" } };
    const { body } = await search({ datasetId: "places", question: "How is overtime paid?", filters: [overtime] });
    const results = body.data as Result[];
    expect(results.length).toBeGreaterThan(1);
    for (const { metadata, pageContent } of results) {
      expect(metadata).toMatchObject({ heading: "Handbook › Overtime", sheet: "A" });
      expect(pageContent).toStartWith("Handbook");
    }
    expect(results.some(({ pageContent }) => pageContent.startsWith("Handbook › Overtime\n\nHours"))).toBe(true);
    const byOwn = [{ key: "heading", match: { value: "mine" } }];
    expect((await search({ datasetId: "places", question: "overtime", filters: byOwn })).body.data).toEqual([]);
    const bySheet = [{ key: "sheet", match: { value: "A" } }];
    expect((await search({ datasetId: "places", question: "overtime", filters: bySheet })).body.data).not.toEqual([]);
  });
});
