/** GET /openapi/json and /openapi: the interface as an OpenAPI document, and a viewer of it, with its files. */
import { Elysia } from "elysia";
import { openEndpoint, unparsed } from "../endpoint.ts";
import { openApiDocument } from "../openapi/document.ts";
import { viewerFile, viewerFiles, type ViewerFile } from "../openapi/viewer/files.ts";
import { VIEWER_PATH, viewerPage, viewerPolicy } from "../openapi/viewer/page.ts";
import { answerFile } from "../packed-file.ts";
import type { Service } from "../service.ts";

export function openApiRoutes(service: Service) {
  const { publicUrl } = service.options;
  const json = JSON.stringify(
    openApiDocument(publicUrl, { ...service.options, searchResults: service.engines.searchResults }),
  );
  const policy = viewerPolicy(publicUrl);
  const routes = new Elysia()
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
        headers["content-security-policy"] = policy;
        headers["referrer-policy"] = "no-referrer";
        return exchange.text(viewerPage);
      }),
      unparsed,
    );
  for (const name of Object.keys(viewerFiles) as ViewerFile[]) {
    const path = `${VIEWER_PATH}/${name}`;
    routes.get(
      path,
      openEndpoint(service, `GET ${path}`, (exchange) => {
        // Another version of Lectern may have another one at the same address.
        exchange.headers["cache-control"] = "no-cache";
        return answerFile(exchange, viewerFile(name));
      }),
      unparsed,
    );
  }
  return routes;
}
