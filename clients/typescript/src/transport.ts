/** Requests to one server: credentials, time limits, repetitions, and what went wrong in words. */
import { LecternError, refusalOf } from "./error.ts";
import { pause, waitBefore, type Repeatable, type RetryOptions } from "./retry.ts";

export interface CallOptions {
  /** Ends the call, and what it waits for, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the answer must be there, each time it is asked for; 0: no limit. */
  readonly timeout?: number | undefined;
  /** How often the request is sent again at most. */
  readonly retries?: number | undefined;
}

export interface TransportOptions extends RetryOptions {
  readonly url: string;
  readonly key: string | (() => string | Promise<string>);
  readonly timeout: number;
  /** Milliseconds without a byte of an answer that comes bit by bit, after which it counts as cut. */
  readonly idleTimeout: number;
  readonly fetch: typeof fetch;
}

export type BodyContent = NonNullable<RequestInit["body"]>;

export interface Body {
  readonly content: BodyContent;
  readonly headers: Readonly<Record<string, string>>;
  /** Why the caller's own content could not be read, if it was that. */
  failure(): unknown;
}

export interface Plan extends CallOptions {
  readonly method: "GET" | "HEAD" | "POST" | "DELETE";
  /** Its segments are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Made anew for each time that it is sent. */
  readonly body?: () => Body | Promise<Body>;
  readonly repeatable: Repeatable;
  /** Told why, before the request is sent again. */
  readonly onRepeat?: (failure: LecternError) => void;
}

export class Transport {
  readonly #origin: string;
  readonly #options: TransportOptions;

  /** Throws TypeError for an address or key that can be none. */
  constructor(options: TransportOptions) {
    this.#origin = originOf(options.url);
    this.#options = options;
    if (typeof options.key === "string") checkKey(options.key);
  }

  get idleTimeout(): number {
    return this.#options.idleTimeout;
  }

  get retryOptions(): RetryOptions {
    return this.#options;
  }

  /** The answer as JSON. Throws LecternError. */
  async json<Value>(plan: Plan): Promise<Value> {
    return this.send(plan, async (response) => {
      const text = await response.text();
      try {
        return JSON.parse(text) as Value;
      } catch (cause) {
        throw new LecternError(`${this.#origin} answered with something else than JSON: is it a Lectern server?`, {
          code: "UNEXPECTED_ANSWER",
          status: response.status,
          requestId: requestIdOf(response),
          cause,
        });
      }
    });
  }

  /** What `read` makes of the answer, once the server has accepted the request. `read` is within the time limit. Throws LecternError. */
  async send<Value>(plan: Plan, read: (response: Response) => Value | Promise<Value>): Promise<Value> {
    const { retries = this.#options.retries, signal, repeatable, onRepeat } = plan;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(plan, read);
      } catch (error) {
        if (!(error instanceof LecternError)) throw error;
        const wait = waitBefore(attempt, error, repeatable, { ...this.#options, retries });
        if (wait === null) throw error;
        onRepeat?.(error);
        await pause(wait, signal);
      }
    }
  }

  async #attempt<Value>(plan: Plan, read: (response: Response) => Value | Promise<Value>): Promise<Value> {
    const { method, path, query = {}, headers, json, signal, timeout = this.#options.timeout } = plan;
    signal?.throwIfAborted();
    const key = await this.#key();
    const body = json === undefined ? await plan.body?.() : jsonBody(json);
    const slow = new AbortController();
    const timer = timeout > 0 ? setTimeout(() => slow.abort(), timeout) : undefined;
    try {
      const response = await this.#options.fetch(`${this.#origin}${path}${queryString(query)}`, {
        method,
        headers: { ...body?.headers, ...headers, authorization: `Bearer ${key}` },
        ...(body && { body: body.content }),
        signal: signal ? AbortSignal.any([signal, slow.signal]) : slow.signal,
        // No answer of the interface is one; followed, it would carry the key elsewhere.
        redirect: "manual",
        ...(body && streaming(body.content)),
        ...withoutOwnLimit,
      });
      if (!response.ok) throw await refusalOf(response);
      return await read(response);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const ownFailure = body?.failure();
      if (ownFailure !== undefined) throw ownFailure;
      if (error instanceof LecternError) throw error;
      if (slow.signal.aborted)
        throw new LecternError(`${this.#origin} did not answer within ${timeout} ms.`, { code: "TIMEOUT", status: 0 });
      throw new LecternError(`${this.#origin} cannot be reached: ${reasonOf(error)}`, {
        code: "UNREACHABLE",
        status: 0,
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async #key(): Promise<string> {
    const { key } = this.#options;
    if (typeof key === "string") return key;
    const given = await key();
    checkKey(given);
    return given;
  }
}

export const requestIdOf = (response: Response): string | undefined =>
  response.headers.get("x-request-id") ?? undefined;

/** One segment of a path. Throws TypeError for what no address can hold: clients take dots out before they send. */
export function segment(value: string, what: string): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..")
    throw new TypeError(`${what} must be a text that is neither empty nor dots.`);
  return encodeURIComponent(value);
}

/** Bun ends requests after five minutes, whatever they wait for, unless it is told not to; others know nothing of this field. */
const withoutOwnLimit = { timeout: false } as unknown as RequestInit;

/**
 * A body that is sent while it is read has to say so (Fetch, section 5.3). Where redirects are no error, Node keeps a copy of it, in memory,
 * to send once more.
 */
const streaming = (content: BodyContent): object =>
  content instanceof ReadableStream ? { duplex: "half", redirect: "error" } : {};

const jsonBody = (value: unknown): Body => ({
  content: JSON.stringify(value),
  headers: { "content-type": "application/json" },
  failure: () => undefined,
});

function queryString(query: NonNullable<Plan["query"]>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? "" : `?${given}`;
}

function originOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new TypeError("url must be the http(s) address of a Lectern server.");
  if (url.username || url.password)
    throw new TypeError("url must hold no name or password: the key is an option of its own.");
  return `${url.origin}${url.pathname.replace(/(\/v1)?\/*$/, "")}`;
}

/** What is not even a header's value would be shown by the error that a fetch throws for it. */
function checkKey(key: unknown): asserts key is string {
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("key must be an API key or token, without spaces or line breaks.");
}

/** The deepest reason that is given: fetch only says that it failed. */
function reasonOf(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  const { message, code } = deepest as { message?: string; code?: string };
  return message || code || String(deepest);
}
