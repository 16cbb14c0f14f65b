/** GET /openapi/json and /openapi: the interface as an OpenAPI document, and a viewer of it, with its files. */
import { Elysia } from "elysia";
import { openEndpoint, unparsed } from "../endpoint.ts";
import { viewerFile, viewerFiles, type ViewerFile } from "../openapi/viewer/files.ts";
import { VIEWER_PATH, viewerPage, viewerPolicy } from "../openapi/viewer/page.ts";
import { answerFile, packText, type PackedFile } from "../packed-file.ts";
import type { Service } from "../service.ts";

export function openApiRoutes(service: Service) {
  const { publicUrl } = service.options;
  let written: Promise<PackedFile> | null = null;
  const policy = viewerPolicy(publicUrl);
  const routes = new Elysia()
    .get(
      "/openapi/json",
      openEndpoint(service, "GET /openapi/json", async (exchange) =>
        answerFile(exchange, await (written ??= writeDocument(service))),
      ),
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

/** It is made for those who ask for it: no server starts later for it. */
async function writeDocument({ options, engines: { searchResults } }: Service): Promise<PackedFile> {
  const { openApiDocument } = await import("../openapi/document.ts");
  const document = openApiDocument(options.publicUrl, { ...options, searchResults });
  return packText(JSON.stringify(document), "application/json; charset=utf-8");
}
