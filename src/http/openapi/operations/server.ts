/** What needs no credential: health, readiness, metrics, and the interface itself. */
import { examples } from "../examples.ts";
import type { Schema } from "../json-schema.ts";
import { answer, operation, type OpenApiPaths } from "../operation.ts";
import { refer } from "../schemas.ts";

const content = (description: string, type: string, schema: Schema, example?: unknown): Schema => ({
  description,
  content: { [type]: { schema, ...(example !== undefined && { example }) } },
});

export const serverPaths: OpenApiPaths = {
  "/healthz": {
    get: operation({
      operationId: "getHealth",
      tag: "Server",
      summary: "Whether the process lives",
      credential: "none",
      answers: { 200: answer("It does.", refer("Health"), examples.alive) },
    }),
  },
  "/readyz": {
    get: operation({
      operationId: "getReadiness",
      tag: "Server",
      summary: "Whether the server can do its work right now",
      description:
        "`degraded` is told with 200: a model that was chosen cannot be used, as `message` says, and everything else works.",
      credential: "none",
      answers: { 200: answer("It can.", refer("Readiness"), examples.ready) },
      failuresAs: { 503: ["WARMING_UP", "RESTARTING", "BUSY", "INSUFFICIENT_STORAGE"] },
    }),
  },
  "/metrics": {
    get: operation({
      operationId: "getMetrics",
      tag: "Server",
      summary: "Metrics for Prometheus",
      credential: "none",
      answers: {
        200: content("In Prometheus' text format.", "text/plain", { type: "string" }, examples.metrics),
      },
    }),
  },
  "/openapi": {
    get: operation({
      operationId: "getInterfacePage",
      tag: "Server",
      summary: "This interface as a page, to read and to try",
      credential: "none",
      answers: { 200: content("The page.", "text/html", { type: "string" }) },
      failures: ["BUSY"],
    }),
  },
  "/openapi/json": {
    get: operation({
      operationId: "getInterface",
      tag: "Server",
      summary: "This interface as an OpenAPI document",
      credential: "none",
      answers: {
        200: answer("The document.", {
          type: "object",
          description: "OpenAPI 3.1.",
          additionalProperties: true,
        }),
      },
      failures: ["BUSY"],
    }),
  },
};
