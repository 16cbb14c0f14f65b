/** Brings an answer to whoever asked: whole, or word by word as events. Whoever waits no more ends it, and what broke off on our side costs nothing. */
import type { Caller } from "../access/index.ts";
import { fail, LecternError } from "../foundation/errors.ts";
import { isClientGone } from "../operations/payment.ts";
import { query, readWhole, refundQuery, type QueryAnswer } from "../operations/query.ts";
import type { RetrievalRequest } from "../operations/retrieval.ts";
import { AnswerMetrics } from "./answer-metrics.ts";
import { followConnection, reasonOfEnd } from "./connection.ts";
import type { Exchange } from "./exchange.ts";
import { eventStream, type EventStreamOptions, type ServerSentEvent } from "./server-sent-events.ts";
import type { Service } from "./service.ts";

/** An answer on its way to a client. */
export interface Delivery {
  readonly exchange: Exchange;
  readonly customerId: string;
  readonly found: QueryAnswer;
  /** The answer's words, timed. */
  readonly words: AsyncIterable<string>;
  /** Aborted when the connection ends: a stream's reader can also go away without its request. */
  readonly gone: AbortController;
}

/** How an answer is told by events. */
export interface AnswerEvents extends Pick<EventStreamOptions, "last"> {
  /** Before any word. */
  readonly begun: readonly ServerSentEvent[];
  word(text: string): ServerSentEvent;
  /** Once the answer is whole. */
  done(whole: string): readonly ServerSentEvent[];
  broken(error: LecternError): ServerSentEvent;
}

export class AnswerDesk {
  private readonly metrics: AnswerMetrics;

  constructor(private readonly service: Service) {
    this.metrics = new AnswerMetrics(service.metrics);
  }

  /** Charges and asks; `arrived` by `performance.now()`. Throws as `query` does. */
  async ask(exchange: Exchange, caller: Caller, request: RetrievalRequest, arrived: number): Promise<Delivery> {
    const { service } = this;
    service.allowIdle(exchange.request, 0);
    const gone = followConnection(service, exchange.request);
    const found = await query(service.engines, request, gone.signal);
    return { exchange, customerId: caller.customerId, found, words: this.metrics.timed(found.answer, arrived), gone };
  }
}

/** The whole answer. Throws what reading it throws, after a refund unless it was the client who went away. */
export function readAnswer({ exchange, customerId, words }: Delivery): Promise<string> {
  return readWhole(exchange.service.engines, customerId, words);
}

export function streamAnswer(delivery: Delivery, events: AnswerEvents): Response {
  const { exchange, gone } = delivery;
  exchange.headers["content-type"] = "text/event-stream; charset=utf-8";
  // Proxies that collect an answer before they pass it on would make a stream of none.
  exchange.headers["x-accel-buffering"] = "no";
  const onCancel = () => gone.abort(reasonOfEnd(exchange.service, undefined));
  const { last } = events;
  return new Response(eventStream(eventsOf(delivery, events), { onCancel, ...(last !== undefined && { last }) }), {
    headers: exchange.headers,
  });
}

async function* eventsOf(
  { exchange, customerId, words, gone }: Delivery,
  events: AnswerEvents,
): AsyncGenerator<ServerSentEvent> {
  const { service } = exchange;
  let isOver = false;
  let whole = "";
  service.enter();
  try {
    yield* events.begun;
    for await (const text of words) {
      whole += text;
      yield events.word(text);
    }
    isOver = true;
    yield* events.done(whole);
  } catch (error) {
    isOver = true;
    if (isClientGone(error)) return;
    refundQuery(service.engines, customerId);
    if (gone.signal.aborted) return;
    service.log.error("An answer broke off", { requestId: exchange.requestId, cause: error });
    yield events.broken(error instanceof LecternError && error.status !== 500 ? error : fail("INTERNAL"));
  } finally {
    // Ended where it stood, between two words.
    if (!isOver && gone.signal.aborted && !isClientGone(gone.signal.reason)) refundQuery(service.engines, customerId);
    service.leave();
  }
}
