/** Composes the routes into one Elysia application. */
import { Elysia } from "elysia";
import { fail } from "../errors.ts";
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

/** Every route answers with a finished Response, its errors included; what is left to Elysia is finding the route. */
export function createApp(service: Service) {
  const unknown = service.metrics.route("unknown", false);
  // Elysia's default takes host names of fewer than four letters for part of the path.
  return new Elysia({ handler: { standardHostname: false } })
    .onError(({ code, error, request }) => {
      const response = new Exchange(service, request, {}).failure(code === "NOT_FOUND" ? fail("NOT_FOUND") : error);
      unknown.observe(response.status, 0);
      return response;
    })
    .use(crossOrigin())
    .use(tokenRoutes(service))
    .use(uploadRoutes(service))
    .use(fileRoutes(service))
    .use(contentRoutes(service))
    .use(datasetRoutes(service))
    .use(searchRoutes(service))
    .use(queryRoutes(service))
    .use(healthRoutes(service))
    .use(openApiRoutes(service));
}
