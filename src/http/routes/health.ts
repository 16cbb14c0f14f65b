/** GET /healthz, /readyz and /metrics: for whoever watches the server. */
import { Elysia } from "elysia";
import { fail } from "../../errors.ts";
import { openEndpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import type { Service } from "../service.ts";

export function healthRoutes(service: Service) {
  return new Elysia()
    .get(
      "/healthz",
      openEndpoint(service, "GET /healthz", (exchange) => exchange.json({ status: "alive" })),
      unparsed,
    )
    .get(
      "/readyz",
      openEndpoint(service, "GET /readyz", (exchange) => readiness(exchange, service)),
      unparsed,
    )
    .get(
      "/metrics",
      openEndpoint(service, "GET /metrics", async (exchange) => {
        exchange.headers["content-type"] = "text/plain; version=0.0.4; charset=utf-8";
        return new Response(await service.metrics.render(), { headers: exchange.headers });
      }),
      unparsed,
    );
}

/** The server listens only once everything is open; this proves that the store still answers, and can still be written. */
function readiness(exchange: Exchange, { engines }: Service): Response {
  if (engines.diskRoom.reserve.missing) return exchange.json(fail("INSUFFICIENT_STORAGE").toBody(), 503);
  try {
    return exchange.json({
      status: "ready",
      model: engines.models.chosen.embedder.modelId,
      chunks: engines.store.statistics().chunks,
    });
  } catch (error) {
    throw fail("BUSY", { retryAfter: 1 }, undefined, error);
  }
}
