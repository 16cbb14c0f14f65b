/** Requests to this page's own server, in the name of whoever is signed in. */
import { words } from "../words/index.ts";

/** What the server refused, or that it could not be reached (status 0); `message` is a sentence for the reader. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which to try again. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

export interface RequestOptions {
  readonly json?: unknown;
  /** For whom the operator acts; null: for whoever is signed in. */
  readonly customer?: string | null;
  readonly signal?: AbortSignal;
}

let csrf: string | null = null;
let onSessionEnd: () => void = () => {};

/** Every later request carries it; null: nobody is signed in. */
export function setToken(token: string | null): void {
  csrf = token;
}

/** Called when the server says that the session is over. */
export function whenSessionEnds(listener: () => void): void {
  onSessionEnd = listener;
}

/** Headers that say in whose name a request comes. */
export function sessionHeaders(customer: string | null | undefined): Record<string, string> {
  return {
    ...(csrf !== null && { "x-console-csrf": csrf }),
    ...(customer != null && { "x-console-customer": encodeURIComponent(customer) }),
  };
}

/** The parsed answer. Throws RequestError, or what `signal` was aborted with. */
export async function request<Answer>(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await send(method, path, options);
  return (await response.json()) as Answer;
}

/** The answer, once it is known to be none of refusal. Throws as `request` does. */
export async function send(
  method: string,
  path: string,
  { json, customer, signal }: RequestOptions,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { ...sessionHeaders(customer), ...(json !== undefined && { "content-type": "application/json" }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(0, "UNREACHABLE", words.errors.unreachable);
  }
  if (response.ok) return response;
  throw refusal(response.status, await response.text(), response.headers.get("retry-after"));
}

/** The error that an answer's status and body are. A session that is over is told to the page, too. */
export function refusal(status: number, text: string, retryAfter: string | null): RequestError {
  const { error = "", message = error } = readBody(text);
  // A password that is asked for once more may be wrong without that.
  if (status === 401 && error !== "INVALID_SIGN_IN" && csrf !== null) onSessionEnd();
  const seconds = Number(retryAfter);
  return new RequestError(
    status,
    error,
    message || words.errors.status(status),
    retryAfter !== null && Number.isFinite(seconds) ? seconds : null,
  );
}

function readBody(text: string): { error?: string; message?: string } {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    // A proxy between may answer with a page of its own.
    return {};
  }
}
