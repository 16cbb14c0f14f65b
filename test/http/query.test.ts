/** POST /v1/query, as JSON and as Server-Sent Events. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { check, startLectern, type Rule, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;
let token: string;

beforeAll(async () => {
  lectern = await startLectern();
  customer = lectern.customer();
  await lectern.upload(customer.key, "d", {
    "bees.txt":
      "Bees make honey from nectar. They live in hives with one queen. In winter they stay together to keep warm.",
    "cars.txt": "A car needs new oil every ten thousand kilometres. Tyres wear down with time.",
  });
  await lectern.upload(customer.key, "日本", {
    "tea.txt":
      "緑茶は日本で最もよく飲まれているお茶です。京都の宇治は茶の産地として有名です。コーヒーも人気があります。",
  });
  token = (await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId: "d" } })).body.token;
});
afterAll(() => lectern.stop());

const query = (json: unknown, key = customer.key, headers: Record<string, string> = {}) =>
  lectern.call("POST", "/v1/query", { key, json, headers });

function eventsOf(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .trim()
    .split("\n\n")
    .map((block) => {
      const [event, data] = block.split("\n");
      return { event: event!.replace("event: ", ""), data: JSON.parse(data!.replace("data: ", "")) };
    });
}

test("answers in the documents' own words, with citations that point at its sources", async () => {
  const { status, body } = await query({ datasetId: "d", question: "What do bees make?" });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ model: "extractive", usage: { promptTokens: 0, completionTokens: 0 } });
  expect(body.data.answer).toContain("Bees make honey from nectar.");
  const everything = body.data.sources.map((source: { pageContent: string }) => source.pageContent).join(" ");
  for (const sentence of body.data.answer.split(/ ?\[\d+\] ?/).filter(Boolean)) expect(everything).toContain(sentence);
  const cited = [...body.data.answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
  expect(cited).toContain(1);
  expect(Math.max(...cited)).toBeLessThanOrEqual(body.data.sources.length);
});

test("works in languages without spaces", async () => {
  const { body } = await query({ datasetId: "日本", question: "お茶の産地はどこですか" });
  expect(body.data.answer).toContain("[1]");
});

test("streams sources, tokens, done", async () => {
  const reply = await query({ datasetId: "d", question: "What do bees make?", stream: true });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toStartWith("text/event-stream");
  expect(reply.headers.get("x-ratelimit-limit")).toBe("1000");
  const events = eventsOf(reply.text);
  expect(events.map(({ event }) => event)).toEqual(["sources", ...Array(events.length - 2).fill("token"), "done"]);
  expect(events.at(-1)!.data).toEqual({ model: "extractive", usage: { promptTokens: 0, completionTokens: 0 } });
  const { body } = await query({ datasetId: "d", question: "What do bees make?" });
  expect(
    events
      .filter(({ event }) => event === "token")
      .map(({ data }) => data.text)
      .join(""),
  ).toBe(body.data.answer);
  expect(events[0]!.data as unknown).toEqual(body.data.sources);
});

test("the Accept header asks for the stream too; stream: false declines it", async () => {
  const accept = { accept: "text/event-stream" };
  expect(
    (await query({ datasetId: "d", question: "bees?" }, customer.key, accept)).headers.get("content-type"),
  ).toStartWith("text/event-stream");
  expect(
    (await query({ datasetId: "d", question: "bees?", stream: false }, customer.key, accept)).headers.get(
      "content-type",
    ),
  ).toStartWith("application/json");
});

test("nothing found is said, without sources", async () => {
  const { status, body } = await query({ datasetId: "nowhere", question: "Anything?" });
  expect(status).toBe(200);
  expect(body.data.sources).toEqual([]);
  expect(body.data.answer).toContain("nothing");
  expect(body.data.answer).not.toContain("[");
});

test("where nothing is sure enough, the answer says so in the question's language, beside what was found", async () => {
  await lectern.restart({ "answer-floor": "0.999" });
  const question = "Was ist die Hauptstadt von Peru?";
  const { status, body } = await query({ datasetId: "d", question });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    answer: "Die Dokumente enthalten nichts, was diese Frage beantwortet.",
    model: "extractive",
    usage: { promptTokens: 0, completionTokens: 0 },
  });
  expect(body.data.sources.map((source: any) => source.metadata.originalName).sort()).toEqual(["bees.txt", "cars.txt"]);
  const events = eventsOf((await query({ datasetId: "d", question, stream: true })).text);
  expect(events).toEqual([
    { event: "sources", data: body.data.sources },
    { event: "token", data: { text: body.data.answer } },
    { event: "done", data: { model: "extractive", usage: { promptTokens: 0, completionTokens: 0 } } },
  ]);
  await lectern.restart({ "answer-floor": "0" });
  expect((await query({ datasetId: "d", question })).body.data.answer).toContain("[1]");
  await lectern.restart();
});

const missing = { error: "datasetId and question are required" };
const rules: (Omit<Rule, "call"> & { json: unknown; token?: true })[] = [
  { rule: "no question", json: { datasetId: "d" }, status: 400, body: missing },
  { rule: "no datasetId", json: { question: "q" }, status: 400, body: missing },
  { rule: "token alone", token: true, json: { question: "bees" }, status: 200, holds: ["honey"] },
  {
    rule: "token and another dataset",
    token: true,
    json: { datasetId: "e", question: "bees" },
    status: 403,
    holds: ["DATASET_MISMATCH"],
  },
  {
    rule: "stream a string",
    json: { datasetId: "d", question: "q", stream: "yes" },
    status: 400,
    holds: ["INVALID_REQUEST"],
  },
  {
    rule: "filters as in search",
    json: { datasetId: "d", question: "bees", filters: [{ key: "originalName", match: { value: "cars.txt" } }] },
    status: 200,
    lacks: ["honey"],
  },
  {
    rule: "bad filters",
    json: { datasetId: "d", question: "bees", filters: 1 },
    status: 400,
    holds: ["INVALID_FILTER"],
  },
];

test.each(rules)("$rule → $status", async (rule) => {
  check(await query(rule.json, rule.token ? token : customer.key), { ...rule, call: {} });
});

test("errors before the stream are ordinary answers", async () => {
  const poor = lectern.customer(0);
  expect(await query({ datasetId: "d", question: "q", stream: true }, poor.key)).toMatchObject({
    status: 402,
    body: { error: "INSUFFICIENT_CREDITS" },
  });
});

test("clients that go away early do no harm", async () => {
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), index);
      await lectern
        .call("POST", "/v1/query", {
          key: customer.key,
          json: { datasetId: "d", question: "bees?", stream: index % 2 === 0 },
          signal: controller.signal,
        })
        .catch(() => {});
    }),
  );
  expect((await query({ datasetId: "d", question: "bees?" })).status).toBe(200);
});
