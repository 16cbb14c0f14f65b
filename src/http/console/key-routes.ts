/** GET and POST /console/keys, DELETE /console/keys/:keyId: a customer's API keys, each shown once. */
import { Elysia } from "elysia";
import { keyRecord, SCOPES, type Scope } from "../../access/index.ts";
import { fail } from "../../foundation/errors.ts";
import { isoTime } from "../../foundation/iso-date.ts";
import { unparsed } from "../endpoint.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";
import { customerAsked } from "./account-routes.ts";
import { auditConsole, consoleEndpoint } from "./endpoint.ts";
import { consoleLimits } from "./limits.ts";
import { optionalText, requestFields } from "./request-fields.ts";
import { requireCustomer } from "./shown-customer.ts";

export function keyRoutes(service: Service) {
  const { access } = service.engines;
  return new Elysia()
    .get(
      "/console/keys",
      consoleEndpoint(service, { route: "GET /console/keys", role: "any", body: "none" }, (exchange, session) => {
        const asked = customerAsked(session, queryOf(exchange.request).get("customerId"));
        return exchange.json({ keys: access.listApiKeys(asked ?? undefined).map(keyRecord) });
      }),
      unparsed,
    )
    .post(
      "/console/keys",
      consoleEndpoint(
        service,
        { route: "POST /console/keys", role: "any", body: "json", changes: true },
        (exchange, session) => {
          const fields = requestFields(exchange.body, ["customerId", "name", "scope", "expires"]);
          const asked = customerAsked(session, optionalText(fields, "customerId"));
          if (asked === null) throw fail("CUSTOMER_UNKNOWN");
          requireCustomer(access, asked);
          const name = optionalText(fields, "name");
          if (name !== null && name.length > consoleLimits.keyName.maxLength)
            throw fail("INVALID_REQUEST", {
              reason: `name has at most ${consoleLimits.keyName.maxLength} characters.`,
            });
          const scope = readScope(optionalText(fields, "scope"));
          const expires = readExpiry(optionalText(fields, "expires"));
          const { keyId, apiKey } = access.createApiKey(asked, name, { scope, expires });
          const ends = isoTime(expires);
          auditConsole(exchange, session, "key.create", { customer: asked, key: keyId, scope, expires: ends });
          return exchange.json({ keyId, apiKey, customerId: asked, name, scope, expires: ends }, 201);
        },
      ),
      unparsed,
    )
    .delete(
      "/console/keys/:keyId",
      consoleEndpoint(
        service,
        { route: "DELETE /console/keys/:keyId", role: "any", body: "none", changes: true },
        (exchange, session) => {
          const { keyId } = exchange.params;
          const own = access.listApiKeys(session.customerId ?? undefined).find((key) => key.keyId === keyId);
          if (own === undefined || !access.revokeApiKey(own.keyId)) throw fail("KEY_UNKNOWN");
          auditConsole(exchange, session, "key.revoke", { customer: own.customerId, key: own.keyId });
          return exchange.json({});
        },
      ),
      unparsed,
    );
}

function readScope(written: string | null): Scope {
  if (written === null) return "all";
  if (!SCOPES.includes(written as Scope))
    throw fail("INVALID_REQUEST", { reason: `scope is one of ${SCOPES.join(", ")}.` });
  return written as Scope;
}

/** Milliseconds since 1970. */
function readExpiry(written: string | null): number | null {
  if (written === null) return null;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(written) ? Date.parse(written) : Number.NaN;
  if (!(at > Date.now()))
    throw fail("INVALID_REQUEST", { reason: "expires is a moment to come, such as 2030-01-31T12:00:00Z." });
  return at;
}
