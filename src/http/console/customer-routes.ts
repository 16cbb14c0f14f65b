/** /console/customers: what an operator does with customers. */
import { Elysia } from "elysia";
import { creditsRecord, keyState, type ApiKey, type Bucket, type OwnRates } from "../../access/index.ts";
import { fail } from "../../foundation/errors.ts";
import { unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { originOf } from "../request-address.ts";
import type { Service } from "../service.ts";
import { auditConsole, consoleEndpoint } from "./endpoint.ts";
import { consoleLimits } from "./limits.ts";
import { requestFields, textField, wholeNumber } from "./request-fields.ts";
import { BUCKETS, holdingsByCustomer, requireCustomer, shownCustomer } from "./shown-customer.ts";

const DAY = 86_400_000;

export function customerRoutes(service: Service) {
  const { access, store } = service.engines;
  const single = (customerId: string) =>
    withKeys(
      shownCustomer(requireCustomer(access, customerId), holdingsByCustomer(store)),
      access.listApiKeys(customerId),
    );

  return new Elysia()
    .get(
      "/console/customers",
      consoleEndpoint(service, { route: "GET /console/customers", role: "operator", body: "none" }, (exchange) => {
        const holdings = holdingsByCustomer(store);
        const keys = Map.groupBy(access.listApiKeys(), ({ customerId }) => customerId);
        const customers = access
          .listCustomers()
          .map((customer) => withKeys(shownCustomer(customer, holdings), keys.get(customer.customerId) ?? []));
        return exchange.json({ customers });
      }),
      unparsed,
    )
    .post(
      "/console/customers",
      consoleEndpoint(
        service,
        { route: "POST /console/customers", role: "operator", body: "json" },
        (exchange, session) => {
          const fields = requestFields(exchange.body, ["customerId", "credits"]);
          const customerId = textField(fields, "customerId");
          if (customerId === undefined) throw fail("INVALID_REQUEST", { reason: "customerId is needed." });
          const thousandths = readCredits(fields.credits ?? 0, "credits");
          access.createCustomer(customerId, thousandths);
          auditConsole(exchange, session, "customer.create", {
            customer: customerId,
            credits: creditsRecord(thousandths),
          });
          return exchange.json(single(customerId), 201);
        },
      ),
      unparsed,
    )
    .patch(
      "/console/customers/:customerId",
      consoleEndpoint(
        service,
        { route: "PATCH /console/customers/:customerId", role: "operator", body: "json" },
        (exchange, session) => {
          const { customerId } = requireCustomer(access, exchange.params.customerId ?? "");
          const fields = requestFields(exchange.body, ["credits", "addCredits", "rates"]);
          const credits = fields.credits === undefined ? undefined : readCredits(fields.credits, "credits");
          const added = fields.addCredits === undefined ? undefined : readCredits(fields.addCredits, "addCredits");
          if (added === null) throw fail("INVALID_REQUEST", { reason: "addCredits is a number of credits." });
          const rates = readRates(fields.rates);
          if (credits !== undefined) access.setCredits(customerId, credits);
          if (rates !== undefined) access.setRates(customerId, rates);
          if (credits !== undefined || rates !== undefined)
            auditConsole(exchange, session, "customer.set", {
              customer: customerId,
              ...(credits !== undefined && { credits: creditsRecord(credits) }),
              ...(rates !== undefined && { rates }),
            });
          if (added !== undefined) {
            access.addCredits(customerId, added);
            auditConsole(exchange, session, "credits.add", { customer: customerId, credits: creditsRecord(added) });
          }
          return exchange.json(single(customerId));
        },
      ),
      unparsed,
    )
    .delete(
      "/console/customers/:customerId",
      consoleEndpoint(
        service,
        { route: "DELETE /console/customers/:customerId", role: "operator", body: "json" },
        (exchange, session) => {
          const { customerId } = requireCustomer(access, exchange.params.customerId ?? "");
          const fields = requestFields(exchange.body, ["confirm"]);
          if (textField(fields, "confirm") !== customerId)
            throw fail("INVALID_REQUEST", { reason: "confirm is the id of the customer that is to be removed." });
          access.removeCustomer(customerId);
          auditConsole(exchange, session, "customer.remove", { customer: customerId });
          return exchange.json({});
        },
      ),
      unparsed,
    )
    .post(
      "/console/customers/:customerId/invitation",
      consoleEndpoint(
        service,
        { route: "POST /console/customers/:customerId/invitation", role: "operator", body: "json" },
        (exchange, session) => {
          const { customerId } = requireCustomer(access, exchange.params.customerId ?? "");
          const fields = requestFields(exchange.body, ["days"]);
          const days = wholeNumber(
            fields.days ?? consoleLimits.invitationDays.usual,
            "days",
            consoleLimits.invitationDays,
          );
          const expires = Date.now() + days * DAY;
          const secret = access.console.createLink(customerId, expires);
          const ends = new Date(expires).toISOString();
          auditConsole(exchange, session, "console.link", { customer: customerId, expires: ends });
          return exchange.json({ link: `${originFor(exchange)}/#/sign-in/${secret}`, expires: ends }, 201);
        },
      ),
      unparsed,
    );
}

const originFor = ({ service, request }: Exchange): string =>
  service.options.publicUrl ?? originOf(request, service.certificateExpires !== null);

const withKeys = <Shown>(customer: Shown, keys: readonly ApiKey[]) => ({
  ...customer,
  keys: keys.filter((key) => keyState(key) === "usable").length,
});

/** Thousandths; null: unlimited. */
function readCredits(value: unknown, name: string): number | null {
  if (value === "unlimited") return null;
  const { minimum, maximum } = consoleLimits.credits;
  const thousandths = typeof value === "number" ? Math.round(value * 1000) : Number.NaN;
  if (!(thousandths >= minimum * 1000 && thousandths <= maximum * 1000) || thousandths / 1000 !== value)
    throw fail("INVALID_REQUEST", {
      reason: `${name} is a number from ${minimum} to ${maximum} with at most three decimals, or "unlimited".`,
    });
  return thousandths;
}

function readRates(value: unknown): Partial<OwnRates> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fail("INVALID_REQUEST", { reason: "rates is an object." });
  const fields = requestFields(value as Record<string, unknown>, BUCKETS);
  return Object.fromEntries(
    Object.entries(fields).map(([bucket, limit]): [Bucket, number | null] => [
      bucket as Bucket,
      limit === null ? null : wholeNumber(limit, `rates.${bucket}`, consoleLimits.rate),
    ]),
  );
}
