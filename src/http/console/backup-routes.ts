/** GET and POST /console/backups, POST /console/backups/:name/verify */
import { Elysia } from "elysia";
import { unparsed } from "../endpoint.ts";
import type { Service } from "../service.ts";
import { Backups } from "./backups.ts";
import { auditConsole, consoleEndpoint } from "./endpoint.ts";
import { ownCommands } from "./own-commands.ts";
import { requestFields } from "./request-fields.ts";

export function backupRoutes(service: Service) {
  const { backupDirectory: directory, dataDirectory } = service.options;
  const { log, stopped } = service;
  const backups = new Backups({ directory, log, stopped, run: ownCommands(dataDirectory, stopped) });
  return new Elysia()
    .get(
      "/console/backups",
      consoleEndpoint(service, { route: "GET /console/backups", role: "operator", body: "none" }, async (exchange) =>
        exchange.json({ directory, ...(await backups.state()) }),
      ),
      unparsed,
    )
    .post(
      "/console/backups",
      consoleEndpoint(
        service,
        { route: "POST /console/backups", role: "operator", body: "json" },
        async (exchange, session) => {
          requestFields(exchange.body, []);
          const name = await backups.start();
          auditConsole(exchange, session, "console.backup", { name });
          return exchange.json({ name }, 202);
        },
      ),
      unparsed,
    )
    .post(
      "/console/backups/:name/verify",
      consoleEndpoint(
        service,
        { route: "POST /console/backups/:name/verify", role: "operator", body: "none" },
        async (exchange) => {
          // Reading gigabytes takes minutes.
          service.allowIdle(exchange.request, 0);
          return exchange.json(await backups.verify(exchange.params.name ?? ""));
        },
      ),
      unparsed,
    );
}
