/** Composes the routes into Elysia applications. */
import { Elysia } from "elysia";
import { fail } from "../foundation/errors.ts";
import { crossOrigin } from "./cors.ts";
import { Exchange } from "./exchange.ts";
import { contentRoutes } from "./routes/content.ts";
import { datasetRoutes } from "./routes/datasets.ts";
import { fileRoutes } from "./routes/files.ts";
import { healthRoutes } from "./routes/health.ts";
import { openApiRoutes } from "./routes/openapi.ts";
import { queryRoutes } from "./routes/query.ts";
import { searchRoutes } from "./routes/search.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { uploadRoutes } from "./routes/upload.ts";
import type { Service } from "./service.ts";

/**
 * `known` has every route, `nowhere` none: it answers preflights, and everything else with NOT_FOUND. Every route answers with a
 * finished Response, its errors included; what is left to Elysia is cross-origin access and finding the handler.
 */
export function createApps(service: Service) {
  const unknown = service.metrics.route("unknown", false);
  const nowhere = () =>
    // Elysia's defaults take host names of fewer than four letters for part of the path, and a slash at the end for nothing.
    new Elysia({ handler: { standardHostname: false }, strictPath: true })
      .onError(({ code, error, request }) => {
        const response = new Exchange(service, request, {}).failure(code === "NOT_FOUND" ? fail("NOT_FOUND") : error);
        unknown.observe(response.status, 0);
        return response;
      })
      .use(crossOrigin());
  const known = nowhere()
    .use(tokenRoutes(service))
    .use(uploadRoutes(service))
    .use(fileRoutes(service))
    .use(contentRoutes(service))
    .use(datasetRoutes(service))
    .use(searchRoutes(service))
    .use(queryRoutes(service))
    .use(healthRoutes(service))
    .use(openApiRoutes(service));
  return { known, nowhere: nowhere() };
}
