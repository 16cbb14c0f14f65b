/** GET /console/account, GET /console/usage: what a customer has and has used. */
import { Elysia } from "elysia";
import { creditsRecord, type ConsoleSession } from "../../access/index.ts";
import { fail } from "../../foundation/errors.ts";
import { PRICE_OF_FILE, PRICE_OF_QUERY, PRICE_OF_SEARCH } from "../../operations/prices.ts";
import { unparsed } from "../endpoint.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { consoleLimits } from "./limits.ts";
import { wholeNumber } from "./request-fields.ts";
import { effectiveRates, holdingsByCustomer, requireCustomer, shownCustomer } from "./shown-customer.ts";

const DAY = 86_400_000;
const USUAL_DAYS = "30";
const PRICES = {
  upload: creditsRecord(PRICE_OF_FILE),
  search: creditsRecord(PRICE_OF_SEARCH),
  query: creditsRecord(PRICE_OF_QUERY),
};

/** Whom a request is about: the customer that is signed in, or whom an operator names, who may name none. Throws OPERATOR_ONLY. */
export function customerAsked(session: ConsoleSession, named: string | null): string | null {
  if (session.customerId !== null && named !== null && named !== session.customerId) throw fail("OPERATOR_ONLY");
  return session.customerId ?? named;
}

export function accountRoutes(service: Service) {
  const { access, store } = service.engines;
  return new Elysia()
    .get(
      "/console/account",
      consoleEndpoint(service, { route: "GET /console/account", role: "any", body: "none" }, (exchange, session) => {
        const asked = customerAsked(session, queryOf(exchange.request).get("customerId"));
        if (asked === null) throw fail("CUSTOMER_UNKNOWN");
        const customer = requireCustomer(access, asked);
        return exchange.json({
          ...shownCustomer(customer, holdingsByCustomer(store)),
          effectiveRates: effectiveRates(access, asked),
          prices: PRICES,
        });
      }),
      unparsed,
    )
    .get(
      "/console/usage",
      consoleEndpoint(service, { route: "GET /console/usage", role: "any", body: "none" }, (exchange, session) => {
        const query = queryOf(exchange.request);
        const asked = customerAsked(session, query.get("customerId"));
        const days = wholeNumber(query.get("days") ?? USUAL_DAYS, "days", consoleLimits.usageDays);
        const [from, to] = [Date.now() - (days - 1) * DAY, Date.now()].map(dayOf) as [string, string];
        const used = access.usageSince(from, asked ?? undefined).map(({ thousandths, ...day }) => ({
          ...day,
          credits: thousandths / 1000,
        }));
        return exchange.json({ from, to, days: used });
      }),
      unparsed,
    );
}

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
