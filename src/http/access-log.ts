/**
 * A line of the log for each request: who asked, how it was answered, and how long that took. Never what was asked or found, no credential
 * and no query, which may carry a signature.
 */
import { actorOf } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import { pathOf } from "./request-address.ts";

/** Addresses by which machines ask again and again whether all is well: their lines are for those who look closer. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
/** UTF-16 units of a path. */
const LONGEST_PATH = 300;

/** Tells the log and the metrics of an answer; `milliseconds` from the request's arrival to the answer's beginning. */
export function noteAnswer(exchange: Exchange, status: number, milliseconds: number): void {
  const { service, refusal } = exchange;
  if (refusal !== null) service.refusals.count(refusal);
  if (service.options.accessLog === "on") logAccess(exchange, status, milliseconds);
}

function logAccess(exchange: Exchange, status: number, milliseconds: number): void {
  const { service, request, caller, refusal, requestId } = exchange;
  const path = pathOf(request.url).slice(0, LONGEST_PATH);
  const line = `${request.method} ${path} ${status} ${Math.round(milliseconds)}ms`;
  service.log[PROBES.has(path) ? "debug" : "info"](line, {
    ...(caller !== null && { customer: caller.customerId, by: actorOf(caller) }),
    ...(refusal !== null && { refusal }),
    req: requestId,
  });
}
