/** POST /v1/search */
import { Elysia } from "elysia";
import { readRetrievalRequest } from "../../operations/retrieval-request.ts";
import { search } from "../../operations/search.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import { SEARCH_FIELDS } from "../field-names.ts";
import type { Service } from "../service.ts";

export function searchRoutes(service: Service) {
  const { maxQuestionCharacters } = service.options;
  const { searchResults } = service.engines;
  return new Elysia().post(
    "/v1/search",
    endpoint(
      service,
      { route: "POST /v1/search", credential: "any", needs: "read", body: "json", bucket: "retrieval", timed: true },
      async (exchange, caller) => {
        // Short, and wanted at once: compressing it takes longer than sending it.
        exchange.mayCompress = false;
        const request = readRetrievalRequest(caller, exchange.body, {
          maxQuestionCharacters,
          searchResults,
          mismatch: "SEARCH_DATASET_MISMATCH",
        });
        exchange.checkNames(Object.keys(exchange.body), SEARCH_FIELDS);
        return exchange.json({ success: true, data: await search(service.engines, request) });
      },
    ),
    unparsed,
  );
}
