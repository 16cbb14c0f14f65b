/** POST /v1/tokens/create */
import { Elysia } from "elysia";
import { createFrontendToken } from "../../operations/token.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import { TOKEN_FIELDS } from "../field-names.ts";
import type { Service } from "../service.ts";

export function tokenRoutes(service: Service) {
  return new Elysia().post(
    "/v1/tokens/create",
    endpoint(
      service,
      { route: "POST /v1/tokens/create", credential: "key", body: "json", bucket: "token" },
      async (exchange, caller) => {
        const { datasetId, scope } = exchange.body;
        // A dataset that is missing is told as that, whatever there is instead.
        if (datasetId) exchange.checkNames(Object.keys(exchange.body), TOKEN_FIELDS);
        const token = await createFrontendToken(service.engines.access, caller, exchange.body);
        exchange.audit("token.create", { dataset: datasetId, scope: scope ?? "all", expiresIn: token.expiresIn });
        exchange.mayCompress = false;
        // The interface shows the fields at the top and its envelope puts them under data: clients of either reading work.
        return exchange.json({ success: true, ...token, data: token });
      },
    ),
    unparsed,
  );
}
