/** Errors as OpenAI's interface tells them. Pure. */
import { fail, type ErrorCode, type LecternError } from "../../foundation/errors.ts";

export interface OpenAiError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code: string;
    /** The field that is wrong, where it is one. */
    readonly param: string | null;
  };
}

/** Codes that OpenAI's clients know; others are ours in small letters. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  MISSING_CREDENTIAL: "invalid_api_key",
  INVALID_CREDENTIAL: "invalid_api_key",
  INSUFFICIENT_CREDITS: "insufficient_quota",
  QUESTION_TOO_LONG: "context_length_exceeded",
  INTERNAL: "internal_error",
};
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "insufficient_quota",
  403: "permission_error",
  429: "rate_limit_error",
};

export function openAiError(error: LecternError): OpenAiError {
  const { code, status, message, details } = error;
  return {
    error: {
      message,
      type: TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error"),
      code: CODES[code] ?? code.toLowerCase(),
      param: typeof details?.param === "string" ? details.param : null,
    },
  };
}

/** A field that holds what cannot be done. */
export const refuse = (param: string, reason: string): LecternError => fail("INVALID_REQUEST", { reason }, { param });
