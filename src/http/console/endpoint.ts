/** The way of every request that the console's pages make of this server alone: same site, signed in, in the right role. */
import type { ConsoleSession } from "../../access/index.ts";
import type { AuditAction } from "../../data-directory/audit-log.ts";
import { fail, LecternError } from "../../foundation/errors.ts";
import { admittedEndpoint, type EndpointOptions, type Handler } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import type { Service } from "../service.ts";
import { sessionOf } from "./console-caller.ts";

export interface ConsoleEndpointOptions extends Pick<EndpointOptions, "route" | "body" | "maxBodyBytes"> {
  /** "any": the operator, and every customer for its own things. */
  readonly role: "operator" | "any";
  /** Whether a session by a key that may not do everything is refused. */
  readonly changes?: boolean;
}

/** A route for who is signed in. What the command line would refuse with a sentence is refused with it, as REFUSED. */
export function consoleEndpoint(
  service: Service,
  options: ConsoleEndpointOptions,
  work: (exchange: Exchange, session: ConsoleSession) => Response | Promise<Response>,
): Handler {
  const admit = (exchange: Exchange): ConsoleSession => {
    refuseForeignPage(exchange.request.headers);
    const session = sessionOf(service.engines.access, exchange.request.headers);
    if (session === null) throw fail("NOT_SIGNED_IN");
    if (options.role === "operator" && session.customerId !== null) throw fail("OPERATOR_ONLY");
    if (options.changes && session.scope !== "all")
      throw fail("REFUSED", {
        reason: "Whoever signed in by a key that may not do everything may change nothing here.",
      });
    return session;
  };
  return admittedEndpoint(service, options, admit, (exchange, session) => answering(() => work(exchange, session)));
}

/** Throws FOREIGN_PAGE where the browser says that a page of another site asks. */
export function refuseForeignPage(headers: Headers): void {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") throw fail("FOREIGN_PAGE");
}

/** Notes a change by whoever is signed in. */
export function auditConsole(
  { service, requestId }: Exchange,
  { customerId, keyId }: Pick<ConsoleSession, "customerId" | "keyId">,
  action: AuditAction,
  details: Readonly<Record<string, unknown>>,
): void {
  const by = customerId === null ? "console" : (keyId ?? "console of the customer");
  service.audit.note({ action, by, req: requestId, ...details });
}

async function answering(work: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LecternError && error.code === "OPERATION_FAILED")
      throw fail("REFUSED", { reason: error.message }, undefined, error);
    throw error;
  }
}
