/** POST /v1/query: one JSON object, or Server-Sent Events `sources`, `token`…, `done` (or `error` where it breaks off). */
import { Elysia } from "elysia";
import { fail, LecternError } from "../../errors.ts";
import { query, refundQuery, type QueryAnswer } from "../../operations/query.ts";
import { readRetrievalRequest } from "../../operations/retrieval-request.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { eventStream, type ServerSentEvent } from "../server-sent-events.ts";
import type { Service } from "../service.ts";

export function queryRoutes(service: Service) {
  return new Elysia().post(
    "/v1/query",
    endpoint(service, { route: "POST /v1/query", credential: "any", body: "json", bucket: "retrieval", timed: true }, async (exchange, caller) => {
      const request = readRetrievalRequest(caller, exchange.body, "DATASET_MISMATCH");
      const streams = wantsStream(exchange);
      service.allowIdle(exchange.request, 0);
      const found = await query(service.engines, request, exchange.request.signal);
      if (streams) return stream(exchange, found, caller.customerId);
      try {
        const answer = (await Array.fromAsync(found.answer.text)).join("");
        return exchange.json({ success: true, data: { answer, sources: found.sources, model: found.answer.model, usage: found.answer.usage() } });
      } catch (error) {
        refundQuery(service.engines, caller.customerId);
        throw error;
      }
    }),
    unparsed,
  );
}

/** The body's `stream` decides; without it the Accept header does. */
function wantsStream({ body, request }: Exchange): boolean {
  const { stream } = body;
  if (stream === undefined || stream === null) return (request.headers.get("accept") ?? "").toLowerCase().includes("text/event-stream");
  if (typeof stream !== "boolean") throw fail("INVALID_REQUEST", { reason: "stream is not a boolean." });
  return stream;
}

function stream(exchange: Exchange, found: QueryAnswer, customerId: string): Response {
  exchange.headers["content-type"] = "text/event-stream; charset=utf-8";
  return new Response(eventStream(eventsOf(exchange, found, customerId)), { headers: exchange.headers });
}

async function* eventsOf(exchange: Exchange, { sources, answer }: QueryAnswer, customerId: string): AsyncGenerator<ServerSentEvent> {
  const { service } = exchange;
  service.enter();
  try {
    yield { event: "sources", data: sources };
    for await (const text of answer.text) yield { event: "token", data: { text } };
    yield { event: "done", data: { model: answer.model, usage: answer.usage() } };
  } catch (error) {
    refundQuery(service.engines, customerId);
    service.log.error("An answer broke off", { requestId: exchange.requestId, cause: error });
    yield { event: "error", data: error instanceof LecternError && error.status !== 500 ? error.toBody() : { error: "Internal error" } };
  } finally {
    service.leave();
  }
}
