/** The shapes of OpenAI's interface, as far as it is spoken here. */
import { fieldLimits } from "../../foundation/field-limits.ts";
import { arrayOf, constant, integer, nullableText, object, text, type Schema } from "./json-schema.ts";

export const referOpenAi = (name: keyof typeof openAiSchemas): Schema => ({ $ref: `#/components/schemas/${name}` });

const created: Schema = { ...integer, description: "Unix seconds." };
const usage: Schema = { $ref: "#/components/schemas/OpenAiUsage" };

export const openAiSchemas = {
  OpenAiError: object({
    error: object({
      message: text,
      type: {
        type: "string",
        enum: [
          "invalid_request_error",
          "authentication_error",
          "permission_error",
          "insufficient_quota",
          "rate_limit_error",
          "server_error",
        ],
      },
      code: { ...text, description: "As OpenAI calls it, where it has a code for it; else ours, in small letters." },
      param: { ...nullableText, description: "The field that is wrong, where it is one." },
    }),
  }),
  OpenAiModel: object({ id: text, object: constant("model"), created, owned_by: text }),
  OpenAiModelList: object({ object: constant("list"), data: arrayOf({ $ref: "#/components/schemas/OpenAiModel" }) }),
  OpenAiEmbeddingsRequest: object(
    {
      input: {
        oneOf: [
          { type: "string", ...fieldLimits.embeddingInput },
          { type: "array", items: { type: "string", ...fieldLimits.embeddingInput }, ...fieldLimits.embeddingInputs },
        ],
        description:
          "A text, or several. Token ids are refused. What is beyond the model's reach of a long text does not count.",
      },
      model: { ...text, description: "The embedding model, as `GET /v1/models` names it." },
      encoding_format: {
        type: ["string", "null"],
        enum: ["float", "base64", null],
        description: "base64: 32-bit floats, the lowest byte first.",
      },
      dimensions: { type: ["integer", "null"], description: "Only as many as the model has." },
      input_type: {
        type: ["string", "null"],
        enum: ["query", "passage", null],
        description:
          "For models that read a question otherwise than what may answer it: which of them the texts are; `passage` without it.",
      },
    },
    ["input", "model"],
  ),
  OpenAiEmbeddings: object({
    object: constant("list"),
    data: arrayOf(
      object({
        object: constant("embedding"),
        index: integer,
        embedding: { oneOf: [arrayOf({ type: "number" }), text], description: "Of unit length." },
      }),
    ),
    model: text,
    usage: object({ prompt_tokens: integer, total_tokens: integer }),
  }),
  OpenAiMessage: {
    ...object(
      {
        role: { type: "string", enum: ["system", "developer", "user", "assistant", "tool", "function"] },
        content: {
          oneOf: [text, arrayOf(object({ type: constant("text"), text })), { type: "null" }],
          description: "Of the question: a text, or parts of a text.",
        },
      },
      ["role"],
    ),
    additionalProperties: true,
  },
  OpenAiChatRequest: {
    ...object(
      {
        model: {
          ...text,
          description: "The dataset that answers. `lectern`, with a frontend token: the token's own.",
        },
        messages: {
          ...arrayOf({ $ref: "#/components/schemas/OpenAiMessage" }, { minItems: 1 }),
          description:
            "The last one of a user is the question. The others, system prompts too, are not read, and named in `X-Ignored-Fields`.",
        },
        stream: { type: ["boolean", "null"] },
        stream_options: {
          type: ["object", "null"],
          properties: { include_usage: { type: ["boolean", "null"] } },
          description: "With `stream` alone.",
        },
        filters: {
          type: ["array", "null"],
          items: { $ref: "#/components/schemas/Filter" },
          ...fieldLimits.filters,
          description: "As in a query.",
        },
        limit: { type: ["integer", "null"], ...fieldLimits.limit, description: "As in a query." },
        minScore: { type: ["number", "null"], ...fieldLimits.minScore, description: "As in a query." },
      },
      ["model", "messages"],
    ),
    additionalProperties: true,
    description:
      "What would change the answer and cannot be done is refused: `tools`, `functions`, `n` above 1, `response_format` other than text, `logprobs`, `stop`, `modalities` other than text, `audio`, `web_search_options`. Other fields, such as `temperature`, are ignored and named in `X-Ignored-Fields`.",
  },
  OpenAiAnnotation: {
    ...object({
      type: constant("url_citation"),
      url_citation: object({
        start_index: { ...integer, description: "UTF-16 units of the content." },
        end_index: { ...integer, description: "The end excluded." },
        title: { ...text, description: "The file, and where in it." },
        url: { ...text, format: "uri", description: "Signed download address of the file." },
      }),
    }),
    description: "Where the answer cites a source, as [1] does.",
  },
  OpenAiUsage: object({ prompt_tokens: integer, completion_tokens: integer, total_tokens: integer }),
  OpenAiChatCompletion: object({
    id: text,
    object: constant("chat.completion"),
    created,
    model: text,
    choices: arrayOf(
      object({
        index: integer,
        message: object({
          role: constant("assistant"),
          content: text,
          refusal: { type: "null" },
          annotations: arrayOf({ $ref: "#/components/schemas/OpenAiAnnotation" }),
        }),
        logprobs: { type: "null" },
        finish_reason: constant("stop"),
      }),
    ),
    usage,
  }),
  OpenAiChatChunk: {
    ...object(
      {
        id: text,
        object: constant("chat.completion.chunk"),
        created,
        model: text,
        choices: arrayOf(
          object({
            index: integer,
            delta: object(
              {
                role: constant("assistant"),
                content: text,
                refusal: { type: "null" },
                annotations: arrayOf({ $ref: "#/components/schemas/OpenAiAnnotation" }),
              },
              [],
            ),
            logprobs: { type: "null" },
            finish_reason: { type: ["string", "null"], enum: ["stop", null] },
          }),
        ),
        usage: { oneOf: [usage, { type: "null" }], description: "Where it was asked for; null but in the last." },
      },
      ["id", "object", "created", "model", "choices"],
    ),
    description:
      "The data of an event. The last event's data is `[DONE]`; an `OpenAiError` comes where the answer breaks off.",
  },
} satisfies Record<string, Schema>;
