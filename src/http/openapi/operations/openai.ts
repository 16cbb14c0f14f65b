/** /v1/models, /v1/embeddings and /v1/chat/completions. */
import type { ErrorCode } from "../../../foundation/errors.ts";
import { PRICE_OF_EMBEDDINGS, TEXTS_PER_PRICE } from "../../../operations/prices.ts";
import { examples } from "../examples.ts";
import { referOpenAi } from "../openai-schemas.ts";
import { answer, body, json, operation, pathParameter, type OpenApiPaths } from "../operation.ts";

const { openai } = examples;
const ofAll = { tag: "OpenAI", credential: "any", errors: "openai" } as const;
const OF_WORK: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "INSUFFICIENT_CREDITS",
  "SCOPE_INSUFFICIENT",
  "MODEL_NOT_FOUND",
  "MODEL_MISSING",
  "RESTARTING",
  "INSUFFICIENT_STORAGE",
];

export const openAiPaths: OpenApiPaths = {
  "/v1/models": {
    get: operation({
      ...ofAll,
      operationId: "listModels",
      summary: "List what can be named as a model",
      description: "The caller's datasets, for chats; with a frontend token `lectern`, too; and the embedding model.",
      answers: { 200: answer("The models.", referOpenAi("OpenAiModelList"), openai.models) },
    }),
  },
  "/v1/models/{model}": {
    get: operation({
      ...ofAll,
      operationId: "getModel",
      summary: "One of the models",
      parameters: [pathParameter("model", examples.datasetId)],
      answers: { 200: answer("The model.", referOpenAi("OpenAiModel"), openai.models.data[0]) },
      failures: ["MODEL_NOT_FOUND"],
    }),
  },
  "/v1/embeddings": {
    post: operation({
      ...ofAll,
      operationId: "createEmbeddings",
      summary: "Make vectors of texts",
      description: `${PRICE_OF_EMBEDDINGS / 1000} credit for every ${TEXTS_PER_PRICE} texts begun; each request counts as a search does.`,
      requestBody: body(referOpenAi("OpenAiEmbeddingsRequest"), openai.embeddings.request),
      answers: {
        200: answer(
          "A vector for each text, in their order.",
          referOpenAi("OpenAiEmbeddings"),
          openai.embeddings.answer,
        ),
      },
      failures: OF_WORK,
    }),
  },
  "/v1/chat/completions": {
    post: operation({
      ...ofAll,
      operationId: "createChatCompletion",
      summary: "Answer a question from the documents of a dataset",
      description:
        "Costs and counts as a query. The answer's citations are its annotations, with download addresses. With `stream: true` each event's data is an `OpenAiChatChunk`, annotations come with the last of them, and `[DONE]` ends it.",
      requestBody: body(referOpenAi("OpenAiChatRequest"), openai.chat.request),
      answers: {
        200: {
          description: "The answer.",
          content: {
            ...json(referOpenAi("OpenAiChatCompletion"), openai.chat.answer),
            "text/event-stream": { schema: referOpenAi("OpenAiChatChunk"), example: openai.chat.chunk },
          },
        },
      },
      failures: [...OF_WORK, "INVALID_FILTER", "QUESTION_TOO_LONG", "DATASET_MISMATCH", "ANSWER_UNAVAILABLE"],
    }),
  },
};
