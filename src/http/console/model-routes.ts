/** GET and POST /console/models, PATCH and DELETE /console/models/:name: as `lectern model list|add|use|remove`, which do it. */
import { dirname } from "node:path";
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { reembeddingProgress } from "../../operations/reembed.ts";
import { unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";
import { auditConsole, consoleEndpoint } from "./endpoint.ts";
import { KeptListing } from "./kept-listing.ts";
import { ownCommands } from "./own-commands.ts";
import { requireModelFile, withReceivedModel } from "./received-model.ts";
import { requestFields } from "./request-fields.ts";

/** Milliseconds that a listing is kept: a language model's size of memory takes reading its head. */
const LISTING_KEPT = 30_000;

interface ListedModel {
  readonly name: string;
  readonly kind: string;
  readonly inUse: boolean;
  readonly builtIn: boolean;
  readonly bytes?: number;
  readonly what?: string;
  readonly problem: string | null;
}

export function modelRoutes(service: Service) {
  const { engines, options } = service;
  const run = ownCommands(options.dataDirectory, service.stopped);
  const listing = new KeptListing(async () => {
    const models = JSON.parse(await done(["model", "list", "--json"])) as ListedModel[];
    return models.map(shown);
  }, LISTING_KEPT);

  /** What a command printed. Throws REFUSED with its sentence, in which `folder`, which is of no use to anybody, is left out. */
  async function done(words: readonly string[], folder = ""): Promise<string> {
    const { code, output, errors } = await run(words);
    if (code !== 0) throw fail("REFUSED", { reason: folder === "" ? errors : errors.replaceAll(`${folder}/`, "") });
    return output;
  }

  /** Does to a model what the request's address names. */
  async function change(exchange: Exchange, verb: "use" | "remove", flags: readonly string[]): Promise<void> {
    const name = exchange.params.name ?? "";
    if (!(await listing.get()).some((model) => model.name === name)) throw fail("MODEL_UNKNOWN");
    await done(["model", verb, name, ...flags, "--json"]).finally(() => listing.forget());
  }

  return new Elysia()
    .get(
      "/console/models",
      consoleEndpoint(service, { route: "GET /console/models", role: "operator", body: "none" }, async (exchange) =>
        exchange.json({ models: await listing.get(), reembedding: reembeddingProgress(engines) }),
      ),
      unparsed,
    )
    .post(
      "/console/models",
      consoleEndpoint(
        service,
        { route: "POST /console/models", role: "operator", body: "stream", maxBodyBytes: options.maxModelBytes },
        async (exchange, session) => {
          const file = requireModelFile(queryOf(exchange.request).get("name"));
          // Receiving and trying gigabytes takes as long as it takes.
          service.allowIdle(exchange.request, 0);
          const added = await withReceivedModel(
            engines,
            exchange.request,
            { name: file, most: options.maxModelBytes },
            async (path) => {
              const printed = await done(["model", "add", path, "--json"], dirname(path));
              return JSON.parse(printed) as { name: string; kind: string };
            },
          );
          listing.forget();
          auditConsole(exchange, session, "console.model", { change: "add", model: added.name });
          return exchange.json({ name: added.name, kind: shownKind(added.kind) }, 201);
        },
      ),
      unparsed,
    )
    .patch(
      "/console/models/:name",
      consoleEndpoint(
        service,
        { route: "PATCH /console/models/:name", role: "operator", body: "json" },
        async (exchange, session) => {
          const { use } = requestFields(exchange.body, ["use", "kind"]);
          if (use !== true) throw fail("INVALID_REQUEST", { reason: "use is true: a model is chosen by that." });
          await change(exchange, "use", []);
          auditConsole(exchange, session, "console.model", { change: "use", model: exchange.params.name });
          return exchange.json({});
        },
      ),
      unparsed,
    )
    .delete(
      "/console/models/:name",
      consoleEndpoint(
        service,
        { route: "DELETE /console/models/:name", role: "operator", body: "none" },
        async (exchange, session) => {
          await change(exchange, "remove", ["--yes"]);
          auditConsole(exchange, session, "console.model", { change: "remove", model: exchange.params.name });
          return exchange.json({});
        },
      ),
      unparsed,
    );
}

function shown({ name, kind, inUse, builtIn, bytes, what, problem }: ListedModel) {
  return { name, kind: shownKind(kind), chosen: inUse, builtIn, bytes: bytes ?? 0, describe: problem ?? what ?? "" };
}

/** As the console's pages call it. */
const shownKind = (kind: string): string => (kind === "answer" ? "answers" : kind);
