/** POST /v1/query: one JSON object, or Server-Sent Events `sources`, `token`…, `done` (or `error` where it breaks off). */
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { readRetrievalRequest } from "../../operations/retrieval-request.ts";
import { readAnswer, streamAnswer, type AnswerDesk, type Delivery } from "../answer-delivery.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { QUERY_FIELDS } from "../field-names.ts";
import type { Service } from "../service.ts";

export function queryRoutes(service: Service, desk: AnswerDesk) {
  const { maxQuestionCharacters } = service.options;
  const { searchResults } = service.engines;
  return new Elysia().post(
    "/v1/query",
    endpoint(
      service,
      { route: "POST /v1/query", credential: "any", needs: "read", body: "json", bucket: "retrieval", timed: true },
      async (exchange, caller) => {
        const arrived = performance.now();
        const request = readRetrievalRequest(caller, exchange.body, {
          maxQuestionCharacters,
          searchResults,
          mismatch: "DATASET_MISMATCH",
        });
        exchange.checkNames(Object.keys(exchange.body), QUERY_FIELDS);
        const streams = wantsStream(exchange);
        const delivery = await desk.ask(exchange, caller, request, arrived);
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

async function whole(delivery: Delivery): Promise<Response> {
  const { exchange, found } = delivery;
  const { sources, answer } = found;
  const text = await readAnswer(delivery);
  return exchange.json({ success: true, data: { answer: text, sources, model: answer.model, usage: answer.usage() } });
}

function stream(delivery: Delivery): Response {
  const { sources, answer } = delivery.found;
  return streamAnswer(delivery, {
    begun: [{ event: "sources", data: sources }],
    word: (text) => ({ event: "token", data: { text } }),
    done: () => [{ event: "done", data: { model: answer.model, usage: answer.usage() } }],
    broken: (error) => ({ event: "error", data: error.toBody() }),
  });
}
