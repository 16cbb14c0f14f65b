/** OpenAI's interface, by OpenAI's own client. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "openai";
import { fail } from "../../../src/foundation/errors.ts";
import { failureOf, startLectern, type TestServer } from "../../harness.ts";

const GATE = "The harbour gate is opened at six in the morning by the night watch.";
const ANSWER = `${GATE} [1]`;

let lectern: TestServer;
let key: string;
let customerId: string;
let client: OpenAI;
let embeddingModel: string;
let dimensions: number;

beforeAll(async () => {
  lectern = await startLectern();
  ({ key, customerId } = lectern.customer(100));
  await lectern.upload(key, "port", { "gates.md": `# Gates\n\n${GATE}\n` }, { extraMeta: '{"year": 2026}' });
  client = clientOf(key);
  ({ name: embeddingModel, dimensions } = lectern.appliance.models.chosen.embedder.manifest);
});
afterAll(() => lectern.stop());

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${lectern.url}/v1`, maxRetries: 0 });
const balance = () => lectern.appliance.access.balance(customerId)!;
const question = { role: "user", content: "Who opens the harbour gate?" } as const;
const tokenOf = async (datasetId: string): Promise<string> =>
  (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId } })).body.token;

describe("models", () => {
  test("are the caller's datasets, and the embedding model", async () => {
    const models = await Array.fromAsync(client.models.list());
    expect(models.map(({ id }) => id)).toEqual(["port", embeddingModel]);
    expect(await client.models.retrieve("port")).toEqual(models[0]!);
    expect(models[0]).toEqual({ id: "port", object: "model", created: expect.any(Number), owned_by: customerId });
  });

  test("of a token are its own dataset alone", async () => {
    const models = await Array.fromAsync(clientOf(await tokenOf("port")).models.list());
    expect(models.map(({ id }) => id)).toEqual(["lectern", "port", embeddingModel]);
    const elsewhere = await Array.fromAsync(clientOf(await tokenOf("none")).models.list());
    expect(elsewhere.map(({ id }) => id)).toEqual(["lectern", embeddingModel]);
  });

  test("of another customer are not there", async () => {
    const stranger = clientOf(lectern.customer(1).key);
    expect((await Array.fromAsync(stranger.models.list())).map(({ id }) => id)).toEqual([embeddingModel]);
    expect(await failureOf(stranger.models.retrieve("port"))).toBeInstanceOf(NotFoundError);
  });

  test("may have names that an address has to encode", async () => {
    const { key: own } = lectern.customer();
    await lectern.upload(own, "a/b ü?", { "a.txt": GATE });
    expect((await clientOf(own).models.retrieve("a/b ü?")).id).toBe("a/b ü?");
  });
});

describe("embeddings", () => {
  test("are those that searches compare, of unit length, in either form", async () => {
    const input = ["Who opens the gate?", GATE];
    const [packed, plain] = [
      // The client asks for base64 by itself, and unpacks it.
      await client.embeddings.create({ model: embeddingModel, input }),
      await client.embeddings.create({ model: embeddingModel, input, encoding_format: "float", dimensions }),
    ];
    const own = await lectern.appliance.models.chosen.embedder.embed(input, "passage", "search");
    for (const { data, model } of [packed, plain]) {
      expect(model).toBe(embeddingModel);
      expect(data.map(({ index }) => index)).toEqual([0, 1]);
      expect(data.map(({ embedding }) => [...Float32Array.from(embedding)])).toEqual(own.map((vector) => [...vector]));
    }
    const length = Math.hypot(...plain.data[0]!.embedding);
    expect(length).toBeCloseTo(1, 4);
    expect(plain.usage.prompt_tokens).toBeGreaterThan(10);
    expect(plain.usage.total_tokens).toBe(plain.usage.prompt_tokens);
  });

  test("cost 0.1 credit for every 16 texts begun, and count as one search", async () => {
    for (const [texts, price] of [
      [1, 100],
      [16, 100],
      [17, 200],
    ] as const) {
      const before = balance();
      const { response } = await client.embeddings
        .create({ model: embeddingModel, input: Array(texts).fill("A text.") })
        .withResponse();
      expect(before - balance()).toBe(price);
      expect(Number(response.headers.get("x-ratelimit-limit"))).toBe(1000);
    }
  });
});

describe("chat completions", () => {
  test("answer the last question of a user from the dataset, and cite where it stands", async () => {
    const before = balance();
    const { data, response } = await client.chat.completions
      .create({
        model: "port",
        temperature: 0,
        messages: [{ role: "system", content: "You are a pirate." }, { role: "user", content: "Hello" }, question],
      })
      .withResponse();
    const [choice] = data.choices;
    expect(data).toMatchObject({ object: "chat.completion", model: "port", usage: { total_tokens: 0 } });
    expect(choice).toMatchObject({ index: 0, finish_reason: "stop", message: { role: "assistant", content: ANSWER } });
    const [{ url_citation: cited }] = choice!.message.annotations as [OpenAI.ChatCompletionMessage.Annotation];
    expect(ANSWER.slice(cited.start_index, cited.end_index)).toBe("[1]");
    expect(cited.title).toStartWith('gates.md, "Gates"');
    expect(await (await fetch(cited.url)).text()).toContain(GATE);
    expect(response.headers.get("x-ignored-fields")).toBe("temperature, messages.0, messages.1");
    expect(before - balance()).toBe(100);
  });

  test.each([false, true])("stream the same, and what was read where that is asked for: %p", async (include_usage) => {
    const stream = await client.chat.completions.create({
      model: "port",
      messages: [question],
      stream: true,
      ...(include_usage && { stream_options: { include_usage } }),
    });
    const chunks = await Array.fromAsync(stream);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas[0]).toMatchObject({ role: "assistant" });
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe(ANSWER);
    expect((deltas.at(-1) as any).annotations).toHaveLength(1);
    expect(chunks.flatMap(({ choices }) => choices).at(-1)!.finish_reason).toBe("stop");
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const usages = chunks.map(({ usage }) => usage);
    if (include_usage) expect(usages).toEqual([...Array(chunks.length - 1).fill(null), expect.any(Object)]);
    else expect(usages).toEqual(Array(chunks.length).fill(undefined));
  });

  test("by the client's own helper for streams", async () => {
    const answer = await client.chat.completions.stream({ model: "port", messages: [question] }).finalContent();
    expect(answer).toBe(ANSWER);
  });

  test("take a text in parts, and filters of ours", async () => {
    const parts = { role: "user", content: [{ type: "text", text: question.content }] } as const;
    const ask = async (year: number) => {
      const filters = [{ key: "year", match: { value: year } }];
      const asked = { model: "port", messages: [parts], filters } as any;
      return (await client.chat.completions.create(asked)).choices[0]!.message.content;
    };
    expect(await ask(2026)).toBe(ANSWER);
    expect(await ask(1999)).not.toContain(GATE);
  });

  test("of a token answer from its dataset, by that name or lectern's", async () => {
    const own = clientOf(await tokenOf("port"));
    for (const model of ["lectern", "port"])
      expect((await own.chat.completions.create({ model, messages: [question] })).choices[0]!.message.content).toBe(
        ANSWER,
      );
    expect(await failureOf(own.chat.completions.create({ model: "other", messages: [question] }))).toBeInstanceOf(
      PermissionDeniedError,
    );
    const empty = clientOf(await tokenOf("none"));
    const { choices } = await empty.chat.completions.create({ model: "lectern", messages: [question] });
    expect(choices[0]!.message.content).not.toContain(GATE);
  });
});

describe("failures are those that the client knows", () => {
  const ask = (apiKey: string, model = "port") =>
    failureOf(clientOf(apiKey).chat.completions.create({ model, messages: [question] })) as Promise<APIError>;

  test.each<[what: string, kind: typeof APIError, code: string, credential: () => string | Promise<string>]>([
    ["a key that is none", AuthenticationError as any, "invalid_api_key", () => "sk-nonsense"],
    ["a dataset of somebody else", NotFoundError as any, "model_not_found", () => lectern.customer(1).key],
    ["a key for writing", PermissionDeniedError as any, "scope_insufficient", () => writingKey()],
    ["no credits", APIError, "insufficient_quota", () => lectern.customer(0).key],
    ["beyond the rate limit", RateLimitError as any, "rate_limit_exceeded", () => limitedKey()],
  ])("%s", async (_what, kind, code, credential) => {
    const apiKey = await credential();
    if (code === "insufficient_quota") await poorDataset(apiKey);
    const failure = await ask(apiKey);
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(/^\d{3} \w.+/) });
  });

  test("a dataset that is not there costs nothing", async () => {
    const before = balance();
    expect(await ask(key, "prot")).toMatchObject({
      status: 404,
      param: "model",
      message: '404 There is no model "prot" here. GET /v1/models lists those there are.',
    });
    expect(balance()).toBe(before);
  });

  test("what is asked for and cannot be done", async () => {
    const tools = [{ type: "function", function: { name: "f" } }] as const;
    const failure = await failureOf(
      client.chat.completions.create({ model: "port", messages: [question], tools: [...tools] }),
    );
    expect(failure).toBeInstanceOf(BadRequestError);
    expect(failure).toMatchObject({ param: "tools", type: "invalid_request_error" });
  });

  test("an answer that breaks off, told in the stream, costs nothing", async () => {
    const { answerer } = lectern.appliance;
    const { answer } = answerer;
    Object.assign(answerer, {
      answer: async () => ({
        model: "broken",
        given: [],
        usage: () => ({ promptTokens: 1, completionTokens: 1 }),
        text: (async function* () {
          yield "The gate";
          throw fail("ANSWER_UNAVAILABLE", { reason: "it ended.", retryAfter: 5 });
        })(),
      }),
    });
    try {
      const before = balance();
      const stream = await client.chat.completions.create({ model: "port", messages: [question], stream: true });
      const said: string[] = [];
      const failure = await failureOf(
        (async () => {
          for await (const { choices } of stream) said.push(choices[0]?.delta.content ?? "");
        })(),
      );
      expect(said.join("")).toBe("The gate");
      expect(failure).toMatchObject({ code: "answer_unavailable", type: "server_error" });
      expect(balance()).toBe(before);
    } finally {
      Object.assign(answerer, { answer });
    }
  });

  test("our own fault", async () => {
    const { store } = lectern.appliance;
    const { dataset } = store;
    store.dataset = () => {
      throw new Error("the disk is gone");
    };
    try {
      const failure = await ask(key);
      expect(failure).toBeInstanceOf(InternalServerError);
      expect(failure).toMatchObject({ status: 500, message: "500 Internal error", code: "internal_error" });
    } finally {
      store.dataset = dataset;
    }
  });

  const writingKey = () => lectern.appliance.access.createApiKey(customerId, null, { scope: "write" }).apiKey;
  const limitedKey = (): string => {
    const limited = lectern.customer();
    lectern.appliance.access.setRates(limited.customerId, { retrieval: 0 });
    return limited.key;
  };
  /** A dataset of whoever can pay for nothing more. */
  async function poorDataset(apiKey: string): Promise<void> {
    const { customerId: poor } = (await lectern.appliance.access.identify(apiKey))!;
    lectern.appliance.access.addCredits(poor, 1000);
    await lectern.upload(apiKey, "port", { "a.txt": GATE });
  }
});
