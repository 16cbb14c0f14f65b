/** Composes the routes into Elysia applications. */
import { Elysia } from "elysia";
import { fail, type LecternError } from "../foundation/errors.ts";
import { noteAnswer } from "./access-log.ts";
import { AnswerDesk } from "./answer-delivery.ts";
import { consoleRoutes } from "./console/routes.ts";
import { crossOrigin } from "./cors.ts";
import { Exchange } from "./exchange.ts";
import { contentRoutes } from "./routes/content.ts";
import { datasetRoutes } from "./routes/datasets.ts";
import { fileRoutes } from "./routes/files.ts";
import { healthRoutes } from "./routes/health.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { openAiRoutes } from "./routes/openai.ts";
import { openApiRoutes } from "./routes/openapi.ts";
import { passageRoutes } from "./routes/passages.ts";
import { queryRoutes } from "./routes/query.ts";
import { searchRoutes } from "./routes/search.ts";
import { subtitleRoutes } from "./routes/subtitles.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { uploadRoutes } from "./routes/upload.ts";
import type { Service } from "./service.ts";

/**
 * `known` has every route, `nowhere` none: it answers preflights, and everything else with NOT_FOUND, as `otherMethod` does with
 * METHOD_NOT_ALLOWED. Every route answers with a
 * finished Response, its errors included; what is left to Elysia is cross-origin access and finding the handler.
 */
export function createApps(service: Service) {
  const unknown = service.metrics.route("unknown", false);
  const failing = (failure: (exchange: Exchange) => LecternError) =>
    // Elysia's defaults take host names of fewer than four letters for part of the path, and a slash at the end for nothing.
    new Elysia({ handler: { standardHostname: false }, strictPath: true })
      .onError(({ code, error, request }) => {
        const exchange = new Exchange(service, request, {});
        const response = exchange.failure(code === "NOT_FOUND" ? failure(exchange) : error);
        unknown.observe(response.status, 0);
        noteAnswer(exchange, response.status, 0);
        return response;
      })
      .use(crossOrigin());
  const nowhere = failing(() => fail("NOT_FOUND"));
  const otherMethod = (allowed: readonly string[]) => {
    const app = failing(({ request: { method }, headers }) => {
      headers.allow = allowed.join(", ");
      return fail("METHOD_NOT_ALLOWED", { method, allowed: headers.allow });
    });
    return (request: Request) => app.fetch(request);
  };
  const desk = new AnswerDesk(service);
  const known = failing(() => fail("NOT_FOUND"))
    .use(tokenRoutes(service))
    .use(uploadRoutes(service))
    .use(fileRoutes(service))
    .use(contentRoutes(service))
    .use(subtitleRoutes(service))
    .use(passageRoutes(service))
    .use(datasetRoutes(service))
    .use(searchRoutes(service))
    .use(queryRoutes(service, desk))
    .use(mcpRoutes(service))
    .use(openAiRoutes(service, desk))
    .use(healthRoutes(service))
    .use(openApiRoutes(service))
    .use(consoleRoutes(service));
  return { known, nowhere, otherMethod };
}
