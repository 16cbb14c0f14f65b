/** Search: question → the best passages, for 0.1 credit. */
import type { Engines } from "./engines.ts";
import { PRICE_OF_SEARCH } from "./prices.ts";
import { paidFor } from "./payment.ts";
import { retrieve, toSearchResult, type RetrievalRequest, type SearchResult } from "./retrieval.ts";

/**
 * Charges, then searches. Results are ordered by score, highest first; an unknown or empty dataset has none, and that is not
 * given back. Throws INSUFFICIENT_CREDITS; BUSY or a failure of ours gives the charge back.
 */
export function search(engines: Engines, request: RetrievalRequest): Promise<SearchResult[]> {
  return paidFor(
    engines.access,
    { customerId: request.customerId, thousandths: PRICE_OF_SEARCH, operation: "search" },
    async () => {
      const { passages } = await retrieve(engines, request);
      return passages.map((passage) => toSearchResult(passage, request));
    },
  );
}
