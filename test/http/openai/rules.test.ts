/** What OpenAI's interface refuses, and what it passes over, rule by rule; and that it can be turned off. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startLectern, type TestServer } from "../../harness.ts";

let lectern: TestServer;
let key: string;
let embeddingModel: string;
beforeAll(async () => {
  lectern = await startLectern({ "max-question-characters": "200" });
  ({ key } = lectern.customer());
  await lectern.upload(key, "d", { "a.txt": "The bell rings at noon." });
  embeddingModel = lectern.appliance.models.chosen.embedder.manifest.name;
});
afterAll(() => lectern.stop());

const user = { role: "user", content: "When does the bell ring?" };
const chat = (fields: object) =>
  lectern.call("POST", "/v1/chat/completions", { key, json: { model: "d", messages: [user], ...fields } });
const embed = (fields: object) =>
  lectern.call("POST", "/v1/embeddings", { key, json: { model: embeddingModel, input: "bell", ...fields } });

type Refused = readonly [fields: object, param: string | null, fragment: string];

const refusedChats: readonly Refused[] = [
  [{ model: undefined }, "model", "GET /v1/models"],
  [{ model: 3 }, "model", "must be a string"],
  [{ model: "" }, "model", "must be a string"],
  [{ messages: undefined }, "messages", "at least one message"],
  [{ messages: [] }, "messages", "at least one message"],
  [{ messages: "When?" }, "messages", "must be an array"],
  [{ messages: ["When?"] }, "messages", "messages[0] must be an object with a role"],
  [{ messages: [{ role: "oracle", content: "?" }] }, "messages", "system, developer, user"],
  [{ messages: [{ role: "system", content: "Be brief." }] }, "messages", "there is none with a text"],
  [{ messages: [{ role: "user", content: " \n" }] }, "messages", "there is none with a text"],
  [{ messages: [{ role: "user" }] }, "messages", "messages[0].content must be a string"],
  [
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: {} }] }] },
    "messages",
    "only texts are read",
  ],
  [{ messages: [{ role: "user", content: "x".repeat(201) }] }, null, "at most 200 are read"],
  [{ tools: [{ type: "function" }] }, "tools", "there are no tools"],
  [{ tool_choice: "required" }, "tool_choice", "there are no tools"],
  [{ functions: [{}] }, "functions", "there are no functions"],
  [{ n: 2 }, "n", "one answer"],
  [{ response_format: { type: "json_object" } }, "response_format", "answers are text"],
  [{ modalities: ["audio"] }, "modalities", "answers are text"],
  [{ logprobs: true }, "logprobs", "not told"],
  [{ stop: "." }, "stop", "ends where it ends"],
  [{ web_search_options: {} }, "web_search_options", "outside the documents"],
  [{ stream: "yes" }, "stream", "not a boolean"],
  [{ stream_options: { include_usage: true } }, "stream_options", "stream: true"],
  [{ stream: true, stream_options: 1 }, "stream_options", "not an object"],
  [{ stream: true, stream_options: { include_usage: 1 } }, "stream_options.include_usage", "not a boolean"],
  [{ filters: 1 }, null, "filters must be an array"],
  [{ limit: 100 }, null, "limit"],
  [{ Messages: [] }, null, "did you mean messages?"],
];

const refusedEmbeddings: readonly Refused[] = [
  [{ model: undefined }, "model", "GET /v1/models"],
  [{ input: undefined }, "input", "a string or an array of strings"],
  [{ input: {} }, "input", "a string or an array of strings"],
  [{ input: [1, 2, 3] }, "input", "token ids"],
  [{ input: [[1, 2], [3]] }, "input", "token ids"],
  [{ input: ["a", 1] }, "input", "input[1] is not a string"],
  [{ encoding_format: "hex" }, "encoding_format", "float or base64"],
  [{ dimensions: 3 }, "dimensions", "dimensions, not 3"],
  [{ dimensions: "all" }, "dimensions", "not a whole number"],
  [{ input_type: "document" }, "input_type", "query or passage"],
];

describe.each([
  ["a chat", chat, refusedChats],
  ["a request for embeddings", embed, refusedEmbeddings],
] as const)("%s is refused", (_what, send, rules) => {
  test.each(rules)("with %j", async (fields, param, fragment) => {
    const { status, body } = await send(fields);
    expect([status, Object.keys(body), Object.keys(body.error)]).toEqual([
      400,
      ["error"],
      ["message", "type", "code", "param"],
    ]);
    expect(body.error).toMatchObject({ type: "invalid_request_error", param });
    expect(body.error.message).toContain(fragment);
  });
});

test.each<[fields: object, ignored: string | null]>([
  [{}, null],
  [{ n: 1, tools: [], tool_choice: "auto", response_format: { type: "text" }, logprobs: false, stop: null }, null],
  [{ temperature: 0.2, max_tokens: 100, seed: 1, user: "u" }, "temperature, max_tokens, seed, user"],
  [
    { messages: [user, { role: "assistant", content: null }, { role: "tool", content: "" }, user] },
    "messages.0, messages.1, messages.2",
  ],
])("a chat with %j is answered, and told what was passed over", async (fields, ignored) => {
  const { status, headers } = await chat(fields);
  expect([status, headers.get("x-ignored-fields")]).toEqual([200, ignored]);
});

test.each([
  ["a model's whole id", () => ({ model: lectern.appliance.models.chosen.embedder.modelId }), 200],
  ["a name that is no embedding model's", () => ({ model: "d" }), 404],
])("embeddings by %s", async (_what, fields, status) => {
  const reply = await embed(fields());
  expect(reply.status).toBe(status);
  if (status === 404) expect(reply.body.error).toMatchObject({ code: "model_not_found", param: "model" });
});

test("texts are read as a question where that is said", async () => {
  const { embedder } = lectern.appliance.models.chosen;
  const { body } = await embed({ input: "bell", input_type: "query" });
  const [own] = await embedder.embed(["bell"], "query", "search");
  expect([...Float32Array.from(body.data[0].embedding)]).toEqual([...own!]);
});

test("a dataset of which all files were deleted is none", async () => {
  await lectern.upload(key, "gone", { "a.txt": "A text." });
  await lectern.call("DELETE", "/v1/datasets/gone/files", { key });
  expect((await chat({ model: "gone" })).status).toBe(404);
});

test("turned off, nothing of it is there, nor in the document", async () => {
  const closed = await startLectern({ "openai-api": "off" });
  try {
    const { key: own } = closed.customer();
    for (const [method, path] of [
      ["GET", "/v1/models"],
      ["GET", "/v1/models/d"],
      ["POST", "/v1/embeddings"],
      ["POST", "/v1/chat/completions"],
    ] as const) {
      const { status, body } = await closed.call(method, path, { key: own });
      expect([path, status, body.error]).toEqual([path, 404, "NOT_FOUND"]);
    }
    expect((await closed.call("GET", "/openapi/json")).text).not.toContain("OpenAi");
  } finally {
    await closed.stop();
  }
});
