/** What the document says of errors: their shapes, and an example of each code, made by the table that the service answers from. */
import { errorCodes, fail, type ErrorCode, type LecternError } from "../../foundation/errors.ts";
import { openAiError } from "../openai/errors.ts";
import { constant, integer, object, text, type Schema } from "./json-schema.ts";

type Values = Readonly<Record<string, string | number>>;
type Answered = Exclude<ErrorCode, "USAGE" | "OPERATION_FAILED">;
type Sample = { readonly values?: Values; readonly details?: Readonly<Record<string, unknown>> };

/** What the sentences of the examples speak of. Codes that say the same of everything need nothing. */
const samples: Readonly<Partial<Record<Answered, Sample>>> = {
  INVALID_REQUEST: { values: { reason: "limit is not a whole number from 1 to 8." } },
  INVALID_FILTER: { values: { limit: 32, reason: "filters[0] is not an object" } },
  EMPTY_FILE: { values: { file: "notes.txt" }, details: { file: "notes.txt" } },
  UNSUPPORTED_FILE_TYPE: {
    values: {
      file: "tool.bin",
      type: "a Linux program",
      supported: "PDF; Word, Excel and PowerPoint; text of any kind",
    },
    details: { file: "tool.bin" },
  },
  UNREADABLE_FILE: {
    values: { file: "report.pdf", reason: "it is damaged or cut off" },
    details: { file: "report.pdf" },
  },
  NO_OCR_LANGUAGE: {
    values: { file: "scan.pdf", language: "Greek", model: "ell" },
    details: { file: "scan.pdf" },
  },
  NO_TEXT: { values: { file: "empty.pdf" }, details: { file: "empty.pdf" } },
  NO_SPEECH_MODEL: {
    values: { file: "talk.mp3", what: "is spoken in German", remedy: "Add a model that understands it." },
    details: { file: "talk.mp3" },
  },
  INVALID_CHUNKING: { values: { reason: "chunkSize must be an integer between 10 and 4000." } },
  QUESTION_TOO_LONG: {
    values: { reason: "it has 9000 characters, and at most 8000 are read." },
    details: { limit: 8000 },
  },
  INVALID_METADATA: { values: { reason: "is not a JSON object." } },
  INSUFFICIENT_CREDITS: {
    values: { required: 0.1, available: 0 },
    details: { required: 0.1, available: 0 },
  },
  SCOPE_INSUFFICIENT: { values: { may: "look and search", needs: "upload, delete and look" } },
  MODEL_NOT_FOUND: { values: { model: '"handbok"' }, details: { param: "model" } },
  NO_SUBTITLES: {
    values: { file: "notes.txt", reason: "nothing in it is said at a time." },
    details: { file: "notes.txt" },
  },
  METHOD_NOT_ALLOWED: { values: { method: "PUT", allowed: "POST, OPTIONS" } },
  REQUEST_TIMEOUT: { values: { reason: "nothing came for 60 seconds" } },
  PAYLOAD_TOO_LARGE: { values: { what: "The request body", limit: 1_048_576 }, details: { limit: 1_048_576 } },
  RATE_LIMIT_EXCEEDED: { values: { limit: 1000, retryAfter: 42 } },
  UPLOADS_PAUSED: { values: { retryAfter: 60 } },
  SHUTTING_DOWN: { values: { retryAfter: 10 } },
  WARMING_UP: { values: { retryAfter: 1 } },
  RESTARTING: { values: { part: "The search", retryAfter: 2 } },
  ANSWER_UNAVAILABLE: { values: { reason: "it is being started again.", retryAfter: 5 } },
  MODEL_MISSING: { values: { model: "other@1#0123456789ab", retryAfter: 30 } },
  BUSY: { values: { retryAfter: 5 } },
};

const isAnswered = (code: ErrorCode): code is Answered => code !== "USAGE" && code !== "OPERATION_FAILED";
const sampleOf = (code: ErrorCode): LecternError => {
  const { values = {}, details } = (isAnswered(code) && samples[code]) || {};
  return fail(code, { ...values }, details && { ...details });
};
const bodyOf = (code: ErrorCode): Readonly<Record<string, unknown>> => sampleOf(code).toBody();
const answered = errorCodes.filter(isAnswered);
/** Whether its sentence is all that is answered. */
const isBare = (code: ErrorCode): boolean => bodyOf(code).error !== code;

export const statusOf = (code: ErrorCode): number => fail(code).status;

/** By code, as `components.examples` has them. */
export const errorExamples: Readonly<Record<string, Schema>> = Object.fromEntries(
  answered.map((code) => [code, { summary: code, value: bodyOf(code) }]),
);

const retryAfter: Schema = { ...integer, description: "Seconds after which the same request may succeed." };
const message: Schema = { ...text, description: "What happened and what to do, for people." };
const coded = (codes: readonly ErrorCode[], more: Readonly<Record<string, Schema>>): Schema =>
  object({
    error: codes.length === 1 ? constant(codes[0]!) : { type: "string", enum: [...codes] },
    message,
    ...more,
  });
const withStatus = (status: number): ErrorCode[] => answered.filter((code) => statusOf(code) === status);

export const errorSchemas = {
  ErrorCode: {
    type: "string",
    // What nobody is told but in OpenAI's form is none of them.
    enum: answered.filter((code) => !isBare(code) && code !== "MODEL_NOT_FOUND"),
    description: "For programs. Later versions of v1 may add some.",
  },
  ErrorSentence: {
    type: "string",
    enum: answered.filter(isBare).map((code) => bodyOf(code).error),
    description: "Of errors whose whole body is this sentence.",
  },
  Error: object(
    {
      error: {
        anyOf: [{ $ref: "#/components/schemas/ErrorCode" }, { $ref: "#/components/schemas/ErrorSentence" }],
        description: "A code, or a sentence where that is the whole body.",
      },
      message,
      details: {
        type: "object",
        additionalProperties: true,
        description: "What it is about, by name: `file` of an upload that was refused, `limit`, `size`.",
      },
      retryAfter,
    },
    ["error"],
  ),
  InsufficientCredits: coded(["INSUFFICIENT_CREDITS"], {
    details: object({ required: { type: "number" }, available: { type: "number" } }),
  }),
  PayloadTooLarge: coded(["PAYLOAD_TOO_LARGE"], {
    details: object({ limit: { ...integer, description: "Bytes; of an upload with too many passages, passages." } }),
  }),
  TooManyRequests: coded(withStatus(429), { retryAfter }),
  Unavailable: {
    ...coded([...withStatus(503), "INSUFFICIENT_STORAGE"], { retryAfter }),
    required: ["error", "message"],
  },
} satisfies Record<string, Schema>;

/** By status, those that are not just an `Error`. */
const shapes: Readonly<Record<number, keyof typeof errorSchemas>> = {
  402: "InsufficientCredits",
  413: "PayloadTooLarge",
  429: "TooManyRequests",
  503: "Unavailable",
};

const reasons: Readonly<Record<number, string>> = {
  400: "The request is wrong; the body says how.",
  401: "No credential, or one that is not valid.",
  402: "Not enough credits.",
  403: "Not what this credential, or this link, is for.",
  404: "There is no such thing within the caller's reach.",
  408: "The upload came too slowly.",
  413: "The body or a file is too large.",
  416: "The range lies beyond the end; `details.size` in bytes.",
  429: "Too many requests a minute, or a pause after files that ran into the limits on time and memory.",
  500: "The server's own fault. Its log tells more, under the request's id.",
  503: "The server is busy, stopping, or a part of it is being started again.",
  507: "The disk has too little room left.",
};

/** The answer of one status, with an example of each of its codes. */
export function errorAnswer(
  status: number,
  codes: readonly ErrorCode[],
  headers: Schema,
  form: "lectern" | "openai" = "lectern",
): Schema {
  const waits = status === 429 || status === 503;
  return {
    description: reasons[status],
    headers: { ...headers, ...(waits && { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }) },
    content: {
      "application/json":
        form === "lectern"
          ? {
              schema: { $ref: `#/components/schemas/${shapes[status] ?? "Error"}` },
              examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
            }
          : { schema: { $ref: "#/components/schemas/OpenAiError" }, example: openAiError(sampleOf(codes[0]!)) },
    },
  };
}
