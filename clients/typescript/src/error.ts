/** What every failed call throws, unless its own signal was aborted. */

/** Codes of the client's own, for what no server said. */
export type ClientErrorCode = "UNREACHABLE" | "TIMEOUT" | "BROKEN_OFF" | "UNEXPECTED_ANSWER";

export interface LecternErrorFields {
  readonly code: string;
  readonly status: number;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** Its message is the server's sentence, which says what happened and what to do. It never holds a key or token. */
export class LecternError extends Error {
  override readonly name = "LecternError";
  /**
   * The server's code (`INSUFFICIENT_CREDITS`), `HTTP_401` and the like where the server only gives a sentence, or the client's own:
   * `UNREACHABLE` (no answer), `TIMEOUT`, `BROKEN_OFF` (the answer ended too early), `UNEXPECTED_ANSWER` (not a Lectern's).
   */
  readonly code: string;
  /** Of HTTP; 0 where there was no answer, or where it broke off. */
  readonly status: number;
  /** What the server says beside its sentence: `{required, available}`, `{file}`, `{limit}`. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** By which the server's log knows the request. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, status, details, requestId, retryAfter, cause }: LecternErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The refusal that an answer holds; its body is read. */
export async function refusalOf(response: Response): Promise<LecternError> {
  const { status, headers } = response;
  const said = read(parse(await response.text().catch(() => "")));
  return new LecternError(said.sentence ?? `The server answered with status ${status}.`, {
    code: said.code ?? `HTTP_${status}`,
    status,
    details: said.details,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: secondsOf(headers.get("retry-after")) ?? said.retryAfter,
  });
}

/** A refusal that came as an event, after its stream had begun. */
export function refusalInStream(data: unknown, requestId: string | undefined): LecternError {
  const said = read(data);
  return new LecternError(`The answer broke off: ${said.sentence ?? "the server does not say why."}`, {
    code: said.code ?? "BROKEN_OFF",
    status: 0,
    details: said.details,
    requestId,
    retryAfter: said.retryAfter,
  });
}

function read(body: unknown) {
  const { error, message, details, retryAfter } = isRecord(body) ? body : {};
  return {
    code: typeof error === "string" && /^[A-Z][A-Z0-9_]*$/.test(error) ? error : undefined,
    sentence: [message, error].find((words) => typeof words === "string"),
    details: isRecord(details) ? details : undefined,
    retryAfter: secondsOf(retryAfter),
  };
}

/** Seconds, or a date as HTTP has it; undefined for anything else. */
function secondsOf(value: unknown): number | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
