/** One request and the headers of its answer; what a route's work is given. */
import type { Bucket, Caller } from "../access/index.ts";
import type { AuditAction } from "../data-directory/audit-log.ts";
import { fail, LecternError, type ErrorCode } from "../foundation/errors.ts";
import { toStorageError } from "../store/reserve-file.ts";
import { callerOf, sessionOf } from "./console/console-caller.ts";
import { actorOf, hasCredential, identifyCaller, type CredentialKind } from "./credentials.ts";
import { chooseCoding, compressParts, compressText, type Coding } from "./compression.ts";
import { namesForHeader, unknownNames } from "./field-names.ts";
import { addRateHeaders, rateLimitExceeded } from "./rate-headers.ts";
import { pathOf } from "./request-address.ts";
import { requestIdOf } from "./request-id.ts";
import type { Service } from "./service.ts";

/** As nginx counts requests whose client went away. */
const CLIENT_CLOSED_REQUEST = 499;

export class Exchange {
  readonly requestId: string;
  /** On whatever is answered. */
  readonly headers: Record<string, string>;
  /** Whether the answer may be compressed: see compression.ts. */
  mayCompress = true;
  /** Whose request it is, once that is known. */
  caller: Caller | null = null;
  /** Why it was refused; null: it was not. */
  refusal: ErrorCode | null = null;
  /** Names of fields and parameters that are none. */
  private readonly ignored: string[] = [];
  /** The body, read and parsed, where the route takes JSON. */
  body: Record<string, unknown> = {};

  constructor(
    readonly service: Service,
    readonly request: Request,
    /** Path parameters, decoded; null for one that cannot be. */
    readonly params: Readonly<Record<string, string | null>>,
    /** How errors are told. */
    private readonly errorBody: (error: LecternError) => unknown = (error) => error.toBody(),
  ) {
    this.requestId = requestIdOf(request.headers.get("x-request-id"));
    this.headers = {
      "content-type": "application/json; charset=utf-8",
      "x-request-id": this.requestId,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    };
  }

  /** Finds out whose request it is: by its key or token, else by the console's session. Throws as `identifyCaller` and `callerOf` do. */
  async identify(kind: CredentialKind): Promise<Caller> {
    const { service, request } = this;
    const { access } = service.engines;
    const session =
      service.options.console === "on" && !hasCredential(request.headers) ? sessionOf(access, request.headers) : null;
    this.caller =
      session === null
        ? await identifyCaller(access, request.headers, kind)
        : callerOf(access, request.headers, session);
    return this.caller;
  }

  /** Takes `count` from the caller's rate window and notes its state in the headers. Throws RATE_LIMIT_EXCEEDED. */
  take(caller: Caller, bucket: Bucket, count: number): void {
    if (caller.operator) return;
    const allowance = this.service.engines.access.take(caller.customerId, bucket, count);
    addRateHeaders(this.headers, allowance);
    if (!allowance.allowed) throw rateLimitExceeded(allowance);
  }

  /** Refuses a caller whose window has nothing left, before its request's size in files is known. Takes nothing. */
  checkWindow(caller: Caller, bucket: Bucket): void {
    if (caller.operator) return;
    const allowance = this.service.engines.access.take(caller.customerId, bucket, 0);
    addRateHeaders(this.headers, allowance);
    if (allowance.remaining === 0) throw rateLimitExceeded(allowance);
  }

  /**
   * Looks at the names of fields or parameters: those that are unknown are named in a header. Throws INVALID_REQUEST for one that is
   * only mistyped.
   */
  checkNames(names: Iterable<string>, known: readonly string[]): void {
    this.ignore(unknownNames(names, known));
  }

  /** Names in a header what was sent and is not read. */
  ignore(names: readonly string[]): void {
    this.ignored.push(...names);
    if (this.ignored.length > 0) this.headers["x-ignored-fields"] = namesForHeader(this.ignored);
  }

  /** Notes what the caller has changed. */
  audit(action: AuditAction, details: Readonly<Record<string, unknown>>): void {
    const { caller, requestId, service } = this;
    if (caller === null) return;
    service.audit.note({ action, customer: caller.customerId, by: actorOf(caller), req: requestId, ...details });
  }

  json(body: unknown, status = 200): Response {
    return this.text(JSON.stringify(body), status);
  }

  /** Text of one piece, compressed where the client takes it. */
  text(text: string, status = 200): Response {
    if (!this.mayCompress) return new Response(text, { status, headers: this.headers });
    const coding = this.acceptedCoding();
    const compressed = coding === null ? null : compressText(text, coding);
    return new Response(compressed ?? text, { status, headers: this.varying(compressed === null ? null : coding) });
  }

  /** Text that is made while it is sent, compressed where the client takes it. */
  parts(parts: AsyncGenerator<string>, status = 200): Response {
    const coding = this.mayCompress ? this.acceptedCoding() : null;
    return new Response(coding === null ? parts : compressParts(parts, coding), {
      status,
      headers: this.varying(coding),
    });
  }

  private acceptedCoding(): Coding | null {
    return chooseCoding(this.request.headers.get("accept-encoding"));
  }

  private varying(coding: Coding | null): Record<string, string> {
    return { ...this.headers, vary: "Accept-Encoding", ...(coding !== null && { "content-encoding": coding }) };
  }

  /** The answer to an error. Its cause goes to the log, under this request's id, where it is ours. */
  failure(thrown: unknown): Response {
    const error = toStorageError(thrown);
    if (error instanceof LecternError && error.status !== 500) {
      this.refusal = error.code;
      if (error.retryAfter !== undefined) this.headers["retry-after"] = String(error.retryAfter);
      return this.json(this.errorBody(error), error.status);
    }
    if (this.request.signal.aborted) {
      // Nobody reads it; the status keeps such requests apart from failures in the metrics.
      return new Response(null, { status: CLIENT_CLOSED_REQUEST });
    }
    // Without the query, which may carry a signature.
    this.service.log.error("A request failed", {
      requestId: this.requestId,
      method: this.request.method,
      path: pathOf(this.request.url),
      cause: error,
    });
    return this.json(this.errorBody(fail("INTERNAL")), 500);
  }
}
