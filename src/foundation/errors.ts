/**
 * Every error a caller can meet, in one table: its HTTP status and its sentence.
 *
 * Code anywhere below throws `fail("CODE", {...})`; HTTP and the command line turn the same object into a response
 * body or a line on the terminal. `body: "bare"` marks errors whose whole body is `{"error": text}`.
 */

import { fieldLimits } from "./field-limits.ts";

const { datasetId, ttlSeconds } = fieldLimits;

type Values = Record<string, string | number>;

interface ErrorEntry {
  readonly status: number;
  readonly sentence: string;
  readonly body?: "bare";
}

const table = {
  // Credentials (bodies fixed by the interface).
  MISSING_API_KEY: { status: 401, sentence: "Missing API key", body: "bare" },
  INVALID_API_KEY: { status: 401, sentence: "Invalid API key", body: "bare" },
  MISSING_CREDENTIAL: { status: 401, sentence: "Missing API key or token", body: "bare" },
  INVALID_CREDENTIAL: { status: 401, sentence: "Invalid API key or token", body: "bare" },

  // The web console.
  NOT_SIGNED_IN: { status: 401, sentence: "Nobody is signed in, or no longer. Sign in again." },
  INVALID_SIGN_IN: {
    status: 401,
    sentence:
      "That is not valid: the password is another one, the key is unknown, or the link was used or has expired.",
  },
  OPERATOR_ONLY: { status: 403, sentence: "Only the operator of this server may do this." },
  FOREIGN_PAGE: { status: 403, sentence: "The request comes from a page of another site." },
  CUSTOMER_NOT_NAMED: {
    status: 400,
    sentence: "An operator acts for a customer that there is, named in x-console-customer.",
  },
  CUSTOMER_UNKNOWN: { status: 404, sentence: "There is no such customer." },
  BACKUP_UNKNOWN: { status: 404, sentence: "There is no such backup." },
  MODEL_UNKNOWN: { status: 404, sentence: "There is no such model." },
  KEY_UNKNOWN: { status: 404, sentence: "There is no such key, or it is revoked already." },
  SIGN_IN_PAUSED: {
    status: 429,
    sentence: "Signing in has failed too often. Try again in {retryAfter} seconds.",
  },
  REFUSED: { status: 409, sentence: "{reason}" },

  // Validation with fixed bodies.
  DATASET_ID_REQUIRED: { status: 400, sentence: "datasetId is required", body: "bare" },
  DATASET_ID_LENGTH: {
    status: 400,
    sentence: `datasetId must be between ${datasetId.minLength} and ${datasetId.maxLength} characters`,
    body: "bare",
  },
  TTL_RANGE: {
    status: 400,
    sentence: `ttlSeconds must be between ${ttlSeconds.minimum} and ${ttlSeconds.maximum}`,
    body: "bare",
  },
  QUESTION_REQUIRED: { status: 400, sentence: "datasetId and question are required", body: "bare" },
  SEARCH_DATASET_MISMATCH: { status: 400, sentence: "datasetId mismatch between token and request", body: "bare" },

  // Validation.
  INVALID_REQUEST: { status: 400, sentence: "The request cannot be read: {reason}" },
  INVALID_FILTER: {
    status: 400,
    sentence:
      "filters must be an array of at most {limit} objects {key: string, match: {value: string, number or boolean}}, or with any, not or range in place of value: {reason}",
  },
  NO_FILE: { status: 400, sentence: 'The upload holds no file: send at least one part named "file".' },
  EMPTY_FILE: { status: 400, sentence: 'The file "{file}" is empty.' },
  UNSUPPORTED_FILE_TYPE: {
    status: 400,
    sentence: 'The file "{file}" is {type}, which Lectern cannot read. It reads {supported}.',
  },
  UNREADABLE_FILE: { status: 400, sentence: 'The file "{file}" cannot be read: {reason}' },
  NO_OCR_LANGUAGE: {
    status: 400,
    sentence:
      'The file "{file}" is a picture or scan in {language}, and no model of it is here. Add one with "lectern model add {model}.traineddata", or name the languages that it is in with ocrLanguages.',
  },
  NO_TEXT: { status: 400, sentence: 'The file "{file}" holds no text to index.' },
  NO_SPEECH_MODEL: { status: 400, sentence: 'The file "{file}" {what}. {remedy}' },
  INVALID_CHUNKING: { status: 400, sentence: "{reason}" },
  QUESTION_TOO_LONG: { status: 400, sentence: "The question is too long: {reason}" },
  INVALID_METADATA: { status: 400, sentence: "extraMeta {reason}" },

  // Access.
  INSUFFICIENT_CREDITS: {
    status: 402,
    sentence: "This request costs {required} credits and {available} are left. Please top up the account.",
  },
  DATASET_MISMATCH: { status: 403, sentence: "The token is limited to another dataset." },
  PERMISSION_DENIED: {
    status: 403,
    sentence: "The download link is not valid or has expired. Ask for the file's details to get a new one.",
  },
  SCOPE_INSUFFICIENT: {
    status: 403,
    sentence: "This API key or token may only {may}, and this is to {needs}.",
  },
  MODEL_NOT_FOUND: { status: 404, sentence: "There is no model {model} here. GET /v1/models lists those there are." },
  FILE_NOT_FOUND: { status: 404, sentence: "There is no such file." },
  NO_SUBTITLES: { status: 404, sentence: 'The file "{file}" has no subtitles: {reason}' },
  DATASET_NOT_FOUND: { status: 404, sentence: "There is no such dataset." },
  NOT_FOUND: { status: 404, sentence: "There is nothing at this address. GET /openapi lists what there is." },
  METHOD_NOT_ALLOWED: { status: 405, sentence: "This address does not take {method}, but {allowed}." },
  REQUEST_TIMEOUT: {
    status: 408,
    sentence: "The upload came too slowly: {reason}. Send it again, in smaller uploads if the connection is slow.",
  },
  PAYLOAD_TOO_LARGE: { status: 413, sentence: "{what} is larger than the limit of {limit} bytes." },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    sentence: "Rate limit exceeded: {limit} per minute. Try again in {retryAfter} seconds.",
  },
  UPLOADS_PAUSED: {
    status: 429,
    sentence:
      "Your uploads pause: too many of your files could not be read within the limits on time and memory. Leave those out, and try again in {retryAfter} seconds.",
  },

  // The server's own trouble.
  INTERNAL: { status: 500, sentence: "Internal error", body: "bare" },
  SHUTTING_DOWN: { status: 503, sentence: "The server is stopping. Try again in {retryAfter} seconds." },
  WARMING_UP: {
    status: 503,
    sentence:
      "The server is still bringing its indexes into memory: searches are answered, but later than usual. Try again in {retryAfter} seconds.",
  },
  RESTARTING: {
    status: 503,
    sentence: "{part} ended by itself and is being started again. Try again in {retryAfter} seconds.",
  },
  ANSWER_UNAVAILABLE: {
    status: 503,
    sentence: "The language model cannot answer: {reason} Try again in {retryAfter} seconds.",
  },
  MODEL_MISSING: {
    status: 503,
    sentence:
      "The documents were embedded by the model {model}, which is not here. They are being embedded anew. Try again in {retryAfter} seconds.",
  },
  INSUFFICIENT_STORAGE: {
    status: 507,
    sentence:
      "The server's disk has too little room left for this. Delete files, or ask whoever runs the server to make room.",
  },
  BUSY: {
    status: 503,
    sentence: "The server has more work queued than it accepts. Try again in {retryAfter} seconds.",
  },

  // Command line and start-up.
  USAGE: { status: 400, sentence: "{reason}" },
  OPERATION_FAILED: { status: 500, sentence: "{reason}" },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof table;

export const errorCodes = Object.keys(table) as readonly ErrorCode[];

/** An error with a public sentence. Its `cause`, when there is one, is for the log only. */
export class LecternError extends Error {
  override readonly name = "LecternError";
  readonly status: number;
  /** Seconds after which the same request may succeed, for 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    readonly values: Values = {},
    readonly details?: Record<string, unknown>,
    cause?: unknown,
  ) {
    const entry: ErrorEntry = table[code];
    super(fillSentence(entry.sentence, values), cause === undefined ? undefined : { cause });
    this.status = entry.status;
    this.retryAfter = typeof values.retryAfter === "number" ? values.retryAfter : undefined;
  }

  /** The JSON body a client gets. */
  toBody(): Record<string, unknown> {
    const entry: ErrorEntry = table[this.code];
    if (entry.body === "bare") return { error: this.message };
    return {
      error: this.code,
      message: this.message,
      ...(this.details && { details: this.details }),
      ...(this.retryAfter !== undefined && { retryAfter: this.retryAfter }),
    };
  }
}

/**
 * Makes an error of the table. `values` fill the sentence's `{placeholders}`; `details` go into the body's `details`.
 *
 * @example throw fail("EMPTY_FILE", { file: name }, { file: name })
 */
export function fail(
  code: ErrorCode,
  values: Values = {},
  details?: Record<string, unknown>,
  cause?: unknown,
): LecternError {
  return new LecternError(code, values, details, cause);
}

function fillSentence(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    name in values ? String(values[name]) : placeholder,
  );
}
