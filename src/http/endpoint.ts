/**
 * The way of every request, in the order that the service promises: size, who, how often; then the route's own work, which
 * checks what, takes the price and acts. Whatever is thrown on the way becomes the answer.
 */
import { checkScope, type Bucket, type Caller, type Scope } from "../access/index.ts";
import type { LecternError } from "../foundation/errors.ts";
import { noteAnswer } from "./access-log.ts";
import type { CredentialKind } from "./credentials.ts";
import { Exchange } from "./exchange.ts";
import { checkEncoding, parseJsonObject } from "./json-body.ts";
import { checkDeclaredSize, isUndeclared, readCapped } from "./limits.ts";
import type { Service } from "./service.ts";

/** What Elysia hands to a handler and is used here. */
interface Context {
  readonly request: Request;
  readonly params?: Readonly<Record<string, string | null>>;
}

export type Handler = (context: Context) => Promise<Response>;

export interface EndpointOptions {
  /** Method and path pattern: what the metrics count under. */
  readonly route: string;
  readonly credential: CredentialKind;
  /** "json": a JSON object, read before the work; "stream": the work reads it; "none": ignored. */
  readonly body: "json" | "stream" | "none";
  /** What the credential must be good for; left out: any will do. */
  readonly needs?: Scope;
  /** Whose rate window the request takes 1 from. A route whose share is known only later takes it itself. */
  readonly bucket?: Bucket;
  /** Bytes; by default the limit for JSON. */
  readonly maxBodyBytes?: number;
  /** Whether the metrics count how long it takes. */
  readonly timed?: boolean;
  /** How its errors are told, where that is not as everywhere. */
  readonly errorBody?: (error: LecternError) => unknown;
}

/** Tells Elysia to leave the body to us. */
export const unparsed = { parse: "none" } as const;

/** A route that needs a credential. */
export function endpoint(
  service: Service,
  options: EndpointOptions,
  work: (exchange: Exchange, caller: Caller) => Response | Promise<Response>,
): Handler {
  const admit = async (exchange: Exchange): Promise<Caller> => {
    const caller = await exchange.identify(options.credential);
    if (options.bucket !== undefined) exchange.take(caller, options.bucket, 1);
    if (options.needs !== undefined) checkScope(caller.scope, options.needs);
    return caller;
  };
  return admittedEndpoint(service, options, admit, work);
}

/** A route that needs what `admit` asks for, which is done between the body's size and the body. */
export function admittedEndpoint<Admitted>(
  service: Service,
  options: Omit<EndpointOptions, "credential" | "needs" | "bucket">,
  admit: (exchange: Exchange) => Admitted | Promise<Admitted>,
  work: (exchange: Exchange, admitted: Admitted) => Response | Promise<Response>,
): Handler {
  const { body, maxBodyBytes: limit = service.options.maxJsonBytes } = options;
  return measured(service, options, async (exchange) => {
    const { request } = exchange;
    service.checkRoom();
    checkDeclaredSize(request.headers, limit);
    // Only reading tells the size of such a body, and size comes first.
    const early = body === "json" && isUndeclared(request) ? await readCapped(request.body!, limit) : null;
    const admitted = await admit(exchange);
    if (body !== "none") checkEncoding(request.headers);
    if (body === "json") exchange.body = parseJsonObject(early ?? (await request.text()));
    return work(exchange, admitted);
  });
}

/** A route that needs no credential and reads no body; `always`: also where so many requests are under way that others are refused. */
export function openEndpoint(
  service: Service,
  route: string,
  work: (exchange: Exchange) => Response | Promise<Response>,
  { always = false } = {},
): Handler {
  return measured(service, { route }, async (exchange) => {
    if (!always) service.checkRoom();
    checkDeclaredSize(exchange.request.headers, service.options.maxJsonBytes);
    return work(exchange);
  });
}

function measured(
  service: Service,
  { route, timed = false, errorBody }: Pick<EndpointOptions, "route" | "timed" | "errorBody">,
  answer: (exchange: Exchange) => Promise<Response>,
): Handler {
  const metrics = service.metrics.route(route, timed);
  return async ({ request, params = {} }) => {
    const started = performance.now();
    const exchange = new Exchange(service, request, params, errorBody);
    let response: Response;
    try {
      // A refused request is no running one: a stopping server would never see its last.
      service.checkOpen();
      response = await whileRunning(service, () => answer(exchange));
    } catch (error) {
      response = exchange.failure(error);
    }
    const milliseconds = performance.now() - started;
    metrics.observe(response.status, milliseconds / 1000);
    noteAnswer(exchange, response.status, milliseconds);
    return response;
  };
}

async function whileRunning(service: Service, work: () => Promise<Response>): Promise<Response> {
  service.enter();
  try {
    return await work();
  } finally {
    service.leave();
  }
}
