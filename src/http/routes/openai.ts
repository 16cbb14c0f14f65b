/**
 * GET /v1/models, POST /v1/embeddings and /v1/chat/completions: the interface of OpenAI, for software that speaks it. A model of a chat is
 * a dataset, one of embeddings an embedding model. Credentials, limits, prices and isolation are those of searches and queries.
 */
import { Elysia } from "elysia";
import type { Caller } from "../../access/index.ts";
import { letOthersIn } from "../../foundation/let-others-in.ts";
import { embedTexts, findEmbeddingModel, unknownModel } from "../../operations/embeddings.ts";
import { downloadLink } from "../../operations/links.ts";
import { readRetrievalRequest } from "../../operations/retrieval-request.ts";
import { readAnswer, streamAnswer, type AnswerDesk, type Delivery } from "../answer-delivery.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { annotationsOf, chunk, completion, type Annotation, type ChatAnswer } from "../openai/chat-answer.ts";
import { CHAT_FIELDS, readChatRequest, type ChatRequest } from "../openai/chat-request.ts";
import { EMBEDDING_FIELDS, readEmbeddingsRequest } from "../openai/embeddings-request.ts";
import { openAiError, refuse } from "../openai/errors.ts";
import { findModel, listModels, OWN_DATASET } from "../openai/models.ts";
import { publicOrigin } from "../public-origin.ts";
import type { Service } from "../service.ts";

/** Vectors that are written as numbers at one go: a few milliseconds. */
const VECTORS_AT_ONCE = 16;

const errorBody = openAiError;

export function openAiRoutes(service: Service, desk: AnswerDesk) {
  const routes = new Elysia();
  if (service.options.openaiApi === "off") return routes;
  const looking = { credential: "any", body: "none", bucket: "free", errorBody } as const;
  const asking = {
    credential: "any",
    needs: "read",
    body: "json",
    bucket: "retrieval",
    timed: true,
    errorBody,
  } as const;
  return routes
    .get(
      "/v1/models",
      endpoint(service, { route: "GET /v1/models", ...looking }, async (exchange, caller) =>
        exchange.json({ object: "list", data: await listModels(service.engines, caller) }),
      ),
      unparsed,
    )
    .get(
      "/v1/models/:model",
      endpoint(service, { route: "GET /v1/models/:model", ...looking }, async (exchange, caller) =>
        exchange.json(await findModel(service.engines, caller, exchange.params.model ?? "")),
      ),
      unparsed,
    )
    .post("/v1/embeddings", endpoint(service, { route: "POST /v1/embeddings", ...asking }, answerEmbeddings), unparsed)
    .post(
      "/v1/chat/completions",
      endpoint(service, { route: "POST /v1/chat/completions", ...asking }, (exchange, caller) =>
        answerChat(desk, exchange, caller),
      ),
      unparsed,
    );
}

async function answerEmbeddings(exchange: Exchange, { customerId }: Caller): Promise<Response> {
  const { engines } = exchange.service;
  const { model, texts, format, dimensions, kind } = readEmbeddingsRequest(exchange.body);
  exchange.checkNames(Object.keys(exchange.body), EMBEDDING_FIELDS);
  const { modelId, manifest } = findEmbeddingModel(engines, model);
  if (dimensions !== null && dimensions !== manifest.dimensions)
    throw refuse("dimensions", `vectors of this model have ${manifest.dimensions} dimensions, not ${dimensions}.`);
  const { vectors, tokens } = await embedTexts(engines, { customerId, modelId, texts, kind });
  // Numbers like these are hardly shorter compressed.
  exchange.mayCompress = false;
  const data: string[] = [];
  for (const [index, vector] of vectors.entries()) {
    if (index % VECTORS_AT_ONCE === VECTORS_AT_ONCE - 1) await letOthersIn();
    data.push(`{"object":"embedding","index":${index},"embedding":${writeVector(vector, format)}}`);
  }
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return exchange.text(
    `{"object":"list","data":[${data.join(",")}],"model":${JSON.stringify(model)},"usage":${JSON.stringify(usage)}}`,
  );
}

/** In base64: 32-bit floats, the lowest byte first. */
function writeVector(vector: Float32Array, format: "float" | "base64"): string {
  if (format === "float") return `[${vector.join(",")}]`;
  return `"${Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64")}"`;
}

async function answerChat(desk: AnswerDesk, exchange: Exchange, caller: Caller): Promise<Response> {
  const arrived = performance.now();
  const { service, body } = exchange;
  const { engines, options } = service;
  const chat = readChatRequest(body);
  exchange.checkNames(Object.keys(body), CHAT_FIELDS);
  exchange.ignore(chat.unread);
  const { question } = chat;
  const { filters, limit, minScore } = body;
  const request = readRetrievalRequest(
    caller,
    { datasetId: datasetOf(caller, chat), question, filters, limit, minScore },
    {
      maxQuestionCharacters: options.maxQuestionCharacters,
      searchResults: engines.searchResults,
      mismatch: "DATASET_MISMATCH",
    },
  );
  // A dataset whose name was mistyped would only ever answer that it knows nothing.
  if (chat.model !== OWN_DATASET && !engines.store.dataset(caller.customerId, request.datasetId)?.fileCount)
    throw unknownModel(chat.model);
  const delivery = await desk.ask(exchange, caller, request, arrived);
  const answer: ChatAnswer = {
    id: `chatcmpl-${exchange.requestId}`,
    created: Math.floor(Date.now() / 1000),
    model: chat.model,
  };
  return chat.streams ? stream(delivery, answer, chat) : whole(delivery, answer);
}

/** The dataset that a model's name means; null: the token's own. */
function datasetOf({ datasetId }: Caller, { model }: ChatRequest): string | null {
  return model === OWN_DATASET && datasetId !== null ? null : model;
}

async function whole(delivery: Delivery, answer: ChatAnswer): Promise<Response> {
  const content = await readAnswer(delivery);
  const { exchange, found } = delivery;
  // It holds signed links.
  exchange.mayCompress = false;
  return exchange.json(completion(answer, content, annotate(delivery, content), found.answer.usage()));
}

function stream(delivery: Delivery, answer: ChatAnswer, { includesUsage }: ChatRequest): Response {
  const pending = includesUsage ? null : undefined;
  const { found } = delivery;
  return streamAnswer(delivery, {
    begun: [{ data: chunk(answer, { role: "assistant", content: "", refusal: null }, null, pending) }],
    word: (content) => ({ data: chunk(answer, { content }, null, pending) }),
    done: (content) => [
      { data: chunk(answer, { annotations: annotate(delivery, content) }, "stop", pending) },
      ...(includesUsage ? [{ data: chunk(answer, null, null, found.answer.usage()) }] : []),
    ],
    broken: (error) => ({ data: openAiError(error) }),
    last: "[DONE]",
  });
}

function annotate({ exchange, customerId, found: { sources } }: Delivery, content: string): Annotation[] {
  const { access, store } = exchange.service.engines;
  const origin = publicOrigin(exchange);
  const urls = sources.map(({ metadata }) => {
    const fileId = String(metadata.fileId);
    // Deleted a moment ago, it has a link that leads nowhere any more.
    return origin + downloadLink(access, { fileId, created: store.file(customerId, fileId)?.created ?? Date.now() });
  });
  return annotationsOf(content, sources, urls);
}
