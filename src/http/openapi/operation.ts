/** An operation of the document: what every one of them says, and what it answers by the codes of its errors. */
import type { ErrorCode } from "../../foundation/errors.ts";
import { errorAnswer, statusOf } from "./error-answers.ts";
import type { Schema } from "./json-schema.ts";

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Schema[];
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
  readonly responses: Readonly<Record<string, Schema>>;
}

/** Operations by method, by path. */
export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

interface OperationSource extends Omit<OpenApiOperation, "tags" | "security" | "responses"> {
  readonly tag: keyof typeof tags;
  /** "optional": also without any, by a signed link. */
  readonly credential: "key" | "any" | "optional" | "none";
  /** By status, without the headers that every answer has. */
  readonly answers: Readonly<Record<number, Schema>>;
  /** Beside those of every operation of its kind. */
  readonly failures?: readonly ErrorCode[];
  /** Whose form its errors have. */
  readonly errors?: "lectern" | "openai";
  /** Codes that are answered with another status than usual. */
  readonly failuresAs?: Readonly<Record<number, readonly ErrorCode[]>>;
}

export const tags = {
  Search: "Passages that answer a question, and answers made from them.",
  Files: "Upload, look at, download and delete documents.",
  Datasets: "Named groups of files.",
  Tokens: "Short-lived credentials of one dataset, for browsers and apps.",
  OpenAI:
    "The interface of OpenAI, for software that speaks it: a chat's model is a dataset. Not there with `--openai-api off`.",
  Assistants: "For assistants that speak the Model Context Protocol.",
  Server: "For whoever watches the server, and for programs that ask what it offers.",
} as const;

/** Of every operation, whatever it is. */
const OF_ALL: readonly ErrorCode[] = ["PAYLOAD_TOO_LARGE", "INTERNAL", "SHUTTING_DOWN"];
const OF_LIMITED: readonly ErrorCode[] = ["RATE_LIMIT_EXCEEDED", "BUSY"];
const OF_CREDENTIAL = {
  key: [...OF_LIMITED, "MISSING_API_KEY", "INVALID_API_KEY"],
  any: [...OF_LIMITED, "MISSING_CREDENTIAL", "INVALID_CREDENTIAL"],
  optional: [...OF_LIMITED, "INVALID_CREDENTIAL"],
  none: [],
} satisfies Record<OperationSource["credential"], readonly ErrorCode[]>;

const bearer = { bearer: [] };
const serviceKey = { serviceKey: [] };
const SECURITY: Readonly<Record<OperationSource["credential"], readonly Schema[]>> = {
  key: [bearer, serviceKey],
  any: [bearer, serviceKey],
  optional: [{}, bearer, serviceKey],
  none: [],
};

export const headers: Readonly<Record<string, Schema>> = {
  RequestId: {
    description: "The request's, if it had one that can be written to a log, else one of ours.",
    schema: { type: "string" },
  },
  IgnoredFields: {
    description: "Fields and parameters that there are none of, and that were ignored.",
    schema: { type: "string" },
  },
  RateLimit: { description: "Requests (or files) a minute.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "What is left of them.", schema: { type: "integer" } },
  RateLimitReset: { description: "End of the minute, Unix seconds.", schema: { type: "integer" } },
  RetryAfter: { description: "Seconds, as in the body.", schema: { type: "integer" } },
};
const header = (name: keyof typeof headers): Schema => ({ $ref: `#/components/headers/${name}` });
const OF_ANSWERS = { "X-Request-Id": header("RequestId") };
const OF_COUNTED = {
  ...OF_ANSWERS,
  "X-RateLimit-Limit": header("RateLimit"),
  "X-RateLimit-Remaining": header("RateLimitRemaining"),
  "X-RateLimit-Reset": header("RateLimitReset"),
  "X-Ignored-Fields": header("IgnoredFields"),
};

/** What most operations answer alike. */
export const sharedAnswers: Readonly<Record<string, Schema>> = {
  MissingApiKey: errorAnswer(401, ["MISSING_API_KEY", "INVALID_API_KEY"], OF_ANSWERS),
  MissingCredential: errorAnswer(401, ["MISSING_CREDENTIAL", "INVALID_CREDENTIAL"], OF_ANSWERS),
  InsufficientCredits: errorAnswer(402, ["INSUFFICIENT_CREDITS"], OF_COUNTED),
  PayloadTooLarge: errorAnswer(413, ["PAYLOAD_TOO_LARGE"], OF_COUNTED),
  RequestTooLarge: errorAnswer(413, ["PAYLOAD_TOO_LARGE"], OF_ANSWERS),
  TooManyRequests: errorAnswer(429, ["RATE_LIMIT_EXCEEDED"], OF_COUNTED),
  InternalError: errorAnswer(500, ["INTERNAL"], OF_COUNTED),
  ServerError: errorAnswer(500, ["INTERNAL"], OF_ANSWERS),
  NoRoom: errorAnswer(507, ["INSUFFICIENT_STORAGE"], OF_COUNTED),
};
const nameOfShared = new Map(Object.entries(sharedAnswers).map(([name, shared]) => [JSON.stringify(shared), name]));

function orShared(answer: Schema): Schema {
  const name = nameOfShared.get(JSON.stringify(answer));
  return name === undefined ? answer : { $ref: `#/components/responses/${name}` };
}

export function operation(source: OperationSource): OpenApiOperation {
  const { tag, credential, answers, failures = [], failuresAs = {}, errors = "lectern", ...said } = source;
  const shared = credential === "none" ? OF_ANSWERS : OF_COUNTED;
  const byStatus = new Map<number, ErrorCode[]>();
  const note = (status: number, code: ErrorCode) => byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  for (const code of [...OF_CREDENTIAL[credential], ...failures, ...OF_ALL]) note(statusOf(code), code);
  for (const [status, codes] of Object.entries(failuresAs)) for (const code of codes) note(Number(status), code);
  const succeeded = Object.entries(answers).map(([status, answer]) => [status, { ...answer, headers: shared }]);
  // Who nobody is, nothing is counted for.
  const failed = [...byStatus]
    .filter(([status]) => !(status in answers))
    .map(([status, codes]) => [
      status,
      orShared(errorAnswer(status, codes, status === 401 ? OF_ANSWERS : shared, errors)),
    ]);
  return {
    tags: [tag],
    ...said,
    security: SECURITY[credential],
    responses: Object.fromEntries([...succeeded, ...failed]) as Record<string, Schema>,
  };
}

/** An answer, or a body, in JSON. */
export const json = (schema: Schema, example?: unknown): Schema => ({
  "application/json": { schema, ...(example !== undefined && { example }) },
});

export const answer = (description: string, schema: Schema, example?: unknown): Schema => ({
  description,
  content: json(schema, example),
});

export const body = (schema: Schema, example: unknown, type = "application/json"): Schema => ({
  required: true,
  content: { [type]: { schema, example } },
});

export const pathParameter = (name: string, example: string): Schema => ({
  name,
  in: "path",
  required: true,
  schema: { type: "string" },
  example,
});

export const queryParameter = (name: string, description: string, schema: Schema): Schema => ({
  name,
  in: "query",
  description,
  schema,
});
