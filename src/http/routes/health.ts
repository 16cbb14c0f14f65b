/** GET /healthz, /readyz and /metrics: for whoever watches the server. */
import { Elysia } from "elysia";
import { openEndpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { readinessOf } from "../readiness.ts";
import type { Service } from "../service.ts";

export function healthRoutes(service: Service) {
  return new Elysia()
    .get(
      "/healthz",
      openEndpoint(service, "GET /healthz", (exchange) => exchange.json({ status: "alive" }), { always: true }),
      unparsed,
    )
    .get(
      "/readyz",
      openEndpoint(service, "GET /readyz", (exchange) => readiness(exchange, service), { always: true }),
      unparsed,
    )
    .get(
      "/metrics",
      openEndpoint(
        service,
        "GET /metrics",
        async (exchange) => {
          exchange.headers["content-type"] = "text/plain; version=0.0.4; charset=utf-8";
          return exchange.text(await service.metrics.render());
        },
        { always: true },
      ),
      unparsed,
    );
}

function readiness(exchange: Exchange, service: Service): Response {
  const { httpStatus, body } = readinessOf(service);
  return exchange.json(body, httpStatus);
}
