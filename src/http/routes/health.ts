/** GET /healthz, /readyz and /metrics: for whoever watches the server. */
import { Elysia } from "elysia";
import { fail, LecternError } from "../../foundation/errors.ts";
import { checkReady } from "../../operations/readiness.ts";
import { openEndpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
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

/**
 * The server listens only once everything is open; this tells whether searches are as quick as they will be, it still works, and can still
 * be written. A model that was chosen and cannot be used is told with 200 and "degraded": everything else works.
 */
function readiness(exchange: Exchange, { engines, isWarmingUp, modelProblem }: Service): Response {
  try {
    const { chunks } = checkReady(engines);
    if (isWarmingUp) throw fail("WARMING_UP", { retryAfter: 1 });
    const problems = [modelProblem, engines.answerer.problem()].filter((problem) => problem !== null);
    const state = problems.length === 0 ? { status: "ready" } : { status: "degraded", message: problems.join(" ") };
    return exchange.json({ ...state, model: engines.models.chosen.embedder.modelId, chunks });
  } catch (error) {
    // For whoever asks every few seconds, "not now" is an answer and no failure to be logged.
    if (error instanceof LecternError) return exchange.json(error.toBody(), 503);
    throw error;
  }
}
