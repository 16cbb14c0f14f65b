/** GET /openapi/json and /openapi: the interface as an OpenAPI document, and the same as a page for people. */
import { Elysia } from "elysia";
import { openEndpoint, unparsed } from "../endpoint.ts";
import { openApiDocument } from "../openapi/document.ts";
import { renderPage } from "../openapi/page.ts";
import type { Service } from "../service.ts";

export function openApiRoutes(service: Service) {
  const document = openApiDocument(service.options.publicUrl, {
    ...service.options,
    searchResults: service.engines.searchResults,
  });
  const json = JSON.stringify(document);
  const page = renderPage(document);
  return new Elysia()
    .get(
      "/openapi/json",
      openEndpoint(service, "GET /openapi/json", (exchange) => exchange.text(json)),
      unparsed,
    )
    .get(
      "/openapi",
      openEndpoint(service, "GET /openapi", (exchange) => {
        const { headers } = exchange;
        headers["content-type"] = "text/html; charset=utf-8";
        headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'";
        return exchange.text(page);
      }),
      unparsed,
    );
}
