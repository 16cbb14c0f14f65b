/** POST /v1/query: one JSON object, or Server-Sent Events `sources`, `token`…, `done` (or `error` where it breaks off). */
import { Elysia } from "elysia";
import { fail, LecternError } from "../../foundation/errors.ts";
import { isClientGone } from "../../operations/payment.ts";
import { query, readWhole, refundQuery, type QueryAnswer } from "../../operations/query.ts";
import { readRetrievalRequest } from "../../operations/retrieval-request.ts";
import { AnswerMetrics } from "../answer-metrics.ts";
import { followConnection, reasonOfEnd } from "../connection.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { QUERY_FIELDS } from "../field-names.ts";
import { eventStream, type ServerSentEvent } from "../server-sent-events.ts";
import type { Service } from "../service.ts";

/** An answer on its way to a client. */
interface Delivery {
  readonly exchange: Exchange;
  readonly customerId: string;
  readonly found: QueryAnswer;
  /** The answer's words, timed. */
  readonly words: AsyncIterable<string>;
  /** Aborted when the connection ends: a stream's reader can also go away without its request. */
  readonly gone: AbortController;
}

export function queryRoutes(service: Service) {
  const { maxQuestionCharacters } = service.options;
  const { searchResults } = service.engines;
  const metrics = new AnswerMetrics(service.metrics);
  return new Elysia().post(
    "/v1/query",
    endpoint(
      service,
      { route: "POST /v1/query", credential: "any", needs: "read", body: "json", bucket: "retrieval", timed: true },
      async (exchange, caller) => {
        const arrived = performance.now();
        const { customerId } = caller;
        const request = readRetrievalRequest(caller, exchange.body, {
          maxQuestionCharacters,
          searchResults,
          mismatch: "DATASET_MISMATCH",
        });
        exchange.checkNames(Object.keys(exchange.body), QUERY_FIELDS);
        const streams = wantsStream(exchange);
        service.allowIdle(exchange.request, 0);
        const gone = followConnection(service, exchange.request);
        const found = await query(service.engines, request, gone.signal);
        const delivery: Delivery = { exchange, customerId, found, words: metrics.timed(found.answer, arrived), gone };
        return streams ? stream(delivery) : whole(delivery);
      },
    ),
    unparsed,
  );
}

/** The body's `stream` decides; without it the Accept header does. */
function wantsStream({ body, request }: Exchange): boolean {
  const { stream } = body;
  if (stream === undefined || stream === null)
    return (request.headers.get("accept") ?? "").toLowerCase().includes("text/event-stream");
  if (typeof stream !== "boolean") throw fail("INVALID_REQUEST", { reason: "stream is not a boolean." });
  return stream;
}

async function whole({ exchange, customerId, found: { sources, answer }, words }: Delivery): Promise<Response> {
  const text = await readWhole(exchange.service.engines, customerId, words);
  return exchange.json({ success: true, data: { answer: text, sources, model: answer.model, usage: answer.usage() } });
}

function stream(delivery: Delivery): Response {
  const { exchange, gone } = delivery;
  exchange.headers["content-type"] = "text/event-stream; charset=utf-8";
  // Proxies that collect an answer before they pass it on would make a stream of none.
  exchange.headers["x-accel-buffering"] = "no";
  return new Response(
    eventStream(eventsOf(delivery), { onCancel: () => gone.abort(reasonOfEnd(exchange.service, undefined)) }),
    { headers: exchange.headers },
  );
}

async function* eventsOf({
  exchange,
  customerId,
  found: { sources, answer },
  words,
  gone,
}: Delivery): AsyncGenerator<ServerSentEvent> {
  const { service } = exchange;
  let isOver = false;
  service.enter();
  try {
    yield { event: "sources", data: sources };
    for await (const text of words) yield { event: "token", data: { text } };
    isOver = true;
    yield { event: "done", data: { model: answer.model, usage: answer.usage() } };
  } catch (error) {
    isOver = true;
    if (isClientGone(error)) return;
    refundQuery(service.engines, customerId);
    if (gone.signal.aborted) return;
    service.log.error("An answer broke off", { requestId: exchange.requestId, cause: error });
    yield {
      event: "error",
      data: error instanceof LecternError && error.status !== 500 ? error.toBody() : { error: "Internal error" },
    };
  } finally {
    // Ended where it stood, between two words.
    if (!isOver && gone.signal.aborted && !isClientGone(gone.signal.reason)) refundQuery(service.engines, customerId);
    service.leave();
  }
}
