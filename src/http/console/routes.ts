/** The console's pages, and everything that they ask of the server beside `/v1`. */
import { Elysia } from "elysia";
import type { Service } from "../service.ts";
import { accountRoutes } from "./account-routes.ts";
import { backupRoutes } from "./backup-routes.ts";
import { customerRoutes } from "./customer-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { modelRoutes } from "./model-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import { consolePageRoutes } from "./page-routes.ts";
import { sessionRoutes } from "./session-routes.ts";

/** None where the console is switched off. */
export function consoleRoutes(service: Service) {
  if (service.options.console === "off") return new Elysia();
  return new Elysia()
    .use(consolePageRoutes(service))
    .use(sessionRoutes(service))
    .use(accountRoutes(service))
    .use(keyRoutes(service))
    .use(customerRoutes(service))
    .use(overviewRoutes(service))
    .use(backupRoutes(service))
    .use(modelRoutes(service));
}
