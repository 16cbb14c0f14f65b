/** Query: question → an answer from the customer's own passages, for 0.1 credit. */
import type { Answer } from "../answers/index.ts";
import type { Engines } from "./engines.ts";
import { paidFor } from "./payment.ts";
import { PRICE_OF_QUERY } from "./prices.ts";
import { areStored, retrieve, toSearchResult, type RetrievalRequest, type SearchResult } from "./retrieval.ts";

export interface QueryAnswer {
  /** What the answer cites: `[1]` is the first. */
  readonly sources: SearchResult[];
  readonly answer: Answer;
}

/** Deletions that may race with one query before it answers without sources. */
const ATTEMPTS = 3;

/**
 * Charges, retrieves, and resolves when the answer's first words are ready. Its sources were all stored at that moment.
 * Throws as `search` does; when reading the answer fails later, the caller gives the charge back with `refundQuery`.
 */
export function query(engines: Engines, request: RetrievalRequest, signal: AbortSignal): Promise<QueryAnswer> {
  return paidFor(engines.access, { customerId: request.customerId, thousandths: PRICE_OF_QUERY, operation: "query" }, async () => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const passages = await retrieve(engines, request);
      const answer = await engines.answerer.answer({ question: request.question, passages: passages.map(({ chunk }) => chunk.text), signal });
      if (areStored(engines, passages)) return { sources: passages.map(toSearchResult), answer };
    }
    return { sources: [], answer: await engines.answerer.answer({ question: request.question, passages: [], signal }) };
  });
}

/** Gives back what a query cost whose answer broke off on our side. */
export function refundQuery(engines: Engines, customerId: string): void {
  engines.access.refund(customerId, PRICE_OF_QUERY, "query");
}
