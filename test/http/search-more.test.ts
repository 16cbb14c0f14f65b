/** What a search and a query may ask for beside the question: lists and ranges, fewer results; and what is said of copies. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { check, startLectern, type Rule, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;

interface Result {
  score: number;
  pageContent: string;
  metadata: Record<string, unknown>;
  alsoIn?: { fileId: string; originalName: string; chunkIndex: number }[];
}

const MANY = 10_000;

beforeAll(async () => {
  lectern = await startLectern({ "rate-upload": "1000" });
  customer = lectern.customer();
  for (const [name, extraMeta] of [
    ["spring.txt", { year: 2023, held: "2023-04-30T18:00:00Z", kind: "minutes" }],
    ["summer.txt", { year: 2024, held: "2024-07-01T09:00:00+02:00", kind: "minutes" }],
    ["autumn.txt", { year: 2024.5, held: "2024-10-05", kind: "report" }],
    ["winter.txt", { year: "2024" }],
  ] as const)
    await lectern.upload(
      customer.key,
      "meetings",
      { [name]: `The meeting in ${name.split(".")[0]} was about the new bridge over the river.` },
      { extraMeta: JSON.stringify(extraMeta) },
    );
});
afterAll(() => lectern.stop());

const ask = (more: Record<string, unknown>, path = "/v1/search", key = customer.key) =>
  lectern.call("POST", path, {
    key,
    json: { datasetId: "meetings", question: "the meeting about the bridge", ...more },
  });
const names = (results: Result[]) => results.map(({ metadata }) => String(metadata.originalName)).sort();
const matching = async (...filters: unknown[]) => names((await ask({ filters })).body.data);

describe("a filter by", () => {
  const ALL = ["autumn.txt", "spring.txt", "summer.txt", "winter.txt"];
  const noise = Array.from({ length: MANY - 1 }, (_, at) => 100_000 + at);
  test.each<[string, string, unknown, string[]]>([
    ["any", "year", { any: [2023, "2024", false] }, ["spring.txt", "winter.txt"]],
    ["any of nothing", "year", { any: [] }, []],
    ["any of ten thousand", "year", { any: [...noise, 2024] }, ["summer.txt"]],
    ["not one", "kind", { not: "minutes" }, ["autumn.txt", "winter.txt"]],
    ["not several", "kind", { not: ["minutes", "report"] }, ["winter.txt"]],
    ["not any of ten thousand", "year", { not: [...noise, 2024] }, ["autumn.txt", "spring.txt", "winter.txt"]],
    ["a range of numbers", "year", { range: { gt: 2023, lte: 2024.5 } }, ["autumn.txt", "summer.txt"]],
    ["a range of days", "held", { range: { lte: "2024-07-01", gt: "2023-04-29" } }, ["spring.txt", "summer.txt"]],
    ["behind a day", "held", { range: { gt: "2023-04-30" } }, ["autumn.txt", "summer.txt"]],
    ["a line", "line", { range: { gte: 1, lt: 2 } }, ALL],
    ["any name", "originalName", { any: ["summer.txt", "x"] }, ["summer.txt"]],
    ["chunkIndex", "chunkIndex", { range: { lt: 1 } }, ALL],
  ])("%s", async (_name, key, match, expected) => {
    expect(await matching({ key, match })).toEqual(expected);
  });

  test("several at once", async () => {
    const filters = [
      { key: "kind", match: { any: ["minutes", "report"] } },
      { key: "year", match: { range: { gte: 2024 } } },
      { key: "originalName", match: { not: "autumn.txt" } },
    ];
    expect(await matching(...filters)).toEqual(["summer.txt"]);
    const { sources } = (await ask({ filters }, "/v1/query")).body.data;
    expect(names(sources)).toEqual(["summer.txt"]);
  });

  test("a list, and never another customer's files", async () => {
    const other = lectern.customer();
    const [fileId] = await lectern.upload(other.key, "meetings", { "theirs.txt": "Their meeting about the bridge." });
    expect(await matching({ key: "fileId", match: { any: [fileId] } })).toEqual([]);
    expect(await matching({ key: "customerId", match: { not: customer.customerId } })).toEqual([]);
    expect(await matching({ key: "originalName", match: { range: { gte: "t" } } })).toEqual(["winter.txt"]);
  });
});

const by = (match: unknown) => ({ filters: [{ key: "year", match }] });
const refused: (Omit<Rule, "call"> & { json: Record<string, unknown> })[] = [
  { rule: "two forms", json: by({ any: [1], not: 1 }), status: 400, holds: ["INVALID_FILTER", "both any and not"] },
  {
    rule: "no list",
    json: by({ any: { 0: 1 } }),
    status: 400,
    holds: ["INVALID_FILTER", "filters[0].match.any is not"],
  },
  { rule: "nested lists", json: by({ any: [[[1]]] }), status: 400, holds: ["INVALID_FILTER", "match.any[0]"] },
  {
    rule: "an object in a list",
    json: by({ not: [{ a: {} }] }),
    status: 400,
    holds: ["INVALID_FILTER", "match.not[0]"],
  },
  { rule: "an unknown bound", json: by({ range: { from: 1 } }), status: 400, holds: ["INVALID_FILTER", "from"] },
  {
    rule: "no such day",
    json: by({ range: { gt: "2024-02-30" } }),
    status: 400,
    holds: ["INVALID_FILTER", "no such day"],
  },
  {
    rule: "a value too many",
    json: by({ any: Array(MANY + 1).fill(1) }),
    status: 400,
    holds: ["INVALID_FILTER", "10001"],
  },
  {
    rule: "ten thousand long values",
    json: by({ any: Array.from({ length: MANY }, (_, at) => `${at}${"x".repeat(10_000)}`) }),
    status: 413,
    holds: ["PAYLOAD_TOO_LARGE"],
  },
  { rule: "one long value", json: by({ any: ["x".repeat(500_000)] }), status: 200 },
  { rule: "keys of every object", json: by({ any: ["__proto__", "constructor"] }), status: 200 },
  {
    rule: "limit 0",
    json: { limit: 0 },
    status: 400,
    holds: ["INVALID_REQUEST", "limit is not a whole number from 1 to 8."],
  },
  {
    rule: "limit beyond the server's",
    json: { limit: 9 },
    status: 400,
    holds: ["limit is not a whole number from 1 to 8."],
  },
  { rule: "limit a text", json: { limit: "3" }, status: 400, holds: ["INVALID_REQUEST", "limit"] },
  { rule: "minScore above 1", json: { minScore: 1.1 }, status: 400, holds: ["minScore is not a number from 0 to 1."] },
  { rule: "minScore a list", json: { minScore: [0.5] }, status: 400, holds: ["INVALID_REQUEST", "minScore"] },
];

test.each(refused.flatMap((rule) => ["/v1/search", "/v1/query"].map((path) => ({ ...rule, path }))))(
  "$path: $rule → $status",
  async ({ path, ...rule }) => check(await ask(rule.json, path), { ...rule, call: {} }),
);

test("a number that JSON cannot hold is refused", async () => {
  const body = '{"datasetId":"meetings","question":"q","filters":[{"key":"year","match":{"any":[1e999]}}]}';
  const headers = { "content-type": "application/json" };
  expect(await lectern.call("POST", "/v1/search", { key: customer.key, body, headers })).toMatchObject({
    status: 400,
    body: { error: "INVALID_FILTER" },
  });
});

test("of a key that is sent twice the last counts", async () => {
  const body = '{"datasetId":"meetings","question":"q","filters":[{"key":"year","match":{"value":2023,"value":2024}}]}';
  const headers = { "content-type": "application/json" };
  const { data } = (await lectern.call("POST", "/v1/search", { key: customer.key, body, headers })).body;
  expect(names(data)).toEqual(["summer.txt"]);
});

describe("fewer results:", () => {
  test("limit gives the first of those without it", async () => {
    const all = (await ask({})).body.data as Result[];
    expect((await ask({ limit: 2 })).body.data).toEqual(all.slice(0, 2));
    expect((await ask({ limit: 8 })).body.data).toEqual(all);
    expect((await ask({ limit: null, minScore: null })).body.data).toEqual(all);
  });

  test("minScore gives those that score as much", async () => {
    const all = (await ask({})).body.data as Result[];
    const least = all[1]!.score;
    expect((await ask({ minScore: least })).body.data).toEqual(all.filter(({ score }) => score >= least));
    expect((await ask({ minScore: 0 })).body.data).toEqual(all);
    expect((await ask({ minScore: 1 })).body.data).toEqual(all.filter(({ score }) => score === 1));
  });

  test("an answer is made from no more, and from nothing where nothing scores enough", async () => {
    const { data } = (await ask({ limit: 1 }, "/v1/query")).body;
    expect(data.sources.length).toBeLessThanOrEqual(1);
    expect((await ask({ minScore: 1 }, "/v1/query")).body.data.sources).toEqual([]);
  });
});

describe("highlights", () => {
  interface Shown extends Result {
    highlights?: { start: number; end: number }[];
  }
  const words = ({ pageContent, highlights }: Shown) =>
    highlights!.map(({ start, end }) => pageContent.slice(start, end));

  test.each(["/v1/search", "/v1/query"])("of %s say where the question's words stand", async (path) => {
    const { data } = (await ask({ highlights: true }, path)).body;
    const results = (path === "/v1/search" ? data : data.sources) as Shown[];
    expect(results.length).toBeGreaterThan(0);
    for (const result of results) expect(words(result)).toEqual(expect.arrayContaining(["meeting", "bridge"]));
  });

  test("are not there where nobody asked, and only true or false may be said", async () => {
    const [result] = (await ask({})).body.data as Shown[];
    expect(result).not.toHaveProperty("highlights");
    expect(await ask({ highlights: "yes" })).toMatchObject({
      status: 400,
      body: { error: "INVALID_REQUEST", message: expect.stringContaining("highlights is not a boolean") },
    });
  });
});

describe("explain", () => {
  interface Shown extends Result {
    explanation?: Record<string, unknown>;
  }

  test("says what each kind of evidence gave, and changes nothing else", async () => {
    const plain = (await ask({})).body.data as Shown[];
    const explained = (await ask({ explain: true })).body.data as Shown[];
    expect(explained.map(({ explanation: _, ...result }) => result)).toEqual(plain);
    for (const { explanation } of explained) {
      expect(Object.keys(explanation!)).toEqual(["meaning", "words", "matched", "reading", "pairs"]);
      const { matched, ...shares } = explanation!;
      for (const share of Object.values(shares)) expect(share as number).toBeWithin(0, 1.0001);
      expect(matched).toEqual(expect.arrayContaining(["meeting", "bridge"]));
    }
  });

  test("is not there where nobody asked, nor in answers, and only true or false may be said", async () => {
    const [result] = (await ask({})).body.data as Shown[];
    expect(result).not.toHaveProperty("explanation");
    const answered = await ask({ explain: true }, "/v1/query");
    expect(answered.headers.get("x-ignored-fields")).toBe("explain");
    expect(answered.body.data.sources[0]).not.toHaveProperty("explanation");
    expect(await ask({ explain: 1 })).toMatchObject({
      status: 400,
      body: { error: "INVALID_REQUEST", message: expect.stringContaining("explain is not a boolean") },
    });
  });
});

describe("copies", () => {
  const text = "The lighthouse keeper polishes the lamp every evening before the ships come in.";
  const about = { datasetId: "copies", question: "Who polishes the lamp of the lighthouse?" };

  test("of a passage are one result, which names the other files, and the next results take their places", async () => {
    for (let at = 0; at < 12; at++) await lectern.upload(customer.key, "copies", { [`copy-${at}.txt`]: text });
    for (let at = 0; at < 9; at++)
      await lectern.upload(customer.key, "copies", { [`other-${at}.txt`]: `The ship number ${at} came in at dawn.` });
    const results = (await ask(about)).body.data as Result[];
    expect(results).toHaveLength(8);
    expect(new Set(results.map(({ pageContent }) => pageContent)).size).toBe(8);
    const [best, ...others] = results;
    expect(best!.pageContent).toBe(text);
    const copies = [best!.metadata, ...best!.alsoIn!].map(({ originalName }) => String(originalName));
    expect(copies.sort()).toEqual(Array.from({ length: 12 }, (_, at) => `copy-${at}.txt`).sort());
    expect(best!.alsoIn![0]).toEqual({
      fileId: expect.any(String),
      originalName: expect.any(String),
      chunkIndex: 0,
    });
    expect(others.every((result) => !("alsoIn" in result))).toBe(true);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  });

  test("more than one search proposes leave room for the rest", async () => {
    for (let at = 0; at < 60; at++) await lectern.upload(customer.key, "copies", { [`more-${at}.txt`]: text });
    const results = (await ask(about)).body.data as Result[];
    expect(results).toHaveLength(8);
    expect(new Set(results.map(({ pageContent }) => pageContent)).size).toBe(8);
    expect((await ask({ ...about, limit: 1 })).body.data).toHaveLength(1);
  });

  test("that are deleted are not named, and one that is left is a result by itself", async () => {
    await lectern.upload(customer.key, "pair", { "a.txt": text });
    const [second] = await lectern.upload(customer.key, "pair", { "b.txt": text });
    const [pair] = (await ask({ ...about, datasetId: "pair" })).body.data as Result[];
    expect(names([pair!])).toEqual(["a.txt"]);
    expect(pair!.alsoIn).toEqual([{ fileId: second!, originalName: "b.txt", chunkIndex: 0 }]);
    await lectern.call("DELETE", `/v1/files/${pair!.metadata.fileId}`, { key: customer.key });
    const left = (await ask({ ...about, datasetId: "pair" })).body.data as Result[];
    expect(left).toHaveLength(1);
    expect(left[0]!.metadata.fileId).toBe(second);
    expect(left[0]).not.toHaveProperty("alsoIn");
  });

  test("are answered from once", async () => {
    const { sources } = (await ask(about, "/v1/query")).body.data as { sources: Result[] };
    expect(sources.filter(({ pageContent }) => pageContent.includes("keeper"))).toHaveLength(1);
  });
});
