/** GET / and /console/assets/:name: the web console's page, and what it loads. Neither needs a credential, and neither holds any data. */
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { openEndpoint, unparsed } from "../endpoint.ts";
import { answerFile } from "../packed-file.ts";
import type { Service } from "../service.ts";
import { readPages } from "./page-files.ts";

/** What the page may do: load its own files, and speak to this server. No text in it ever becomes code. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export function consolePageRoutes(service: Service) {
  return new Elysia()
    .get(
      "/",
      openEndpoint(service, "GET /", async (exchange) => {
        const { headers } = exchange;
        headers["content-security-policy"] = CONTENT_SECURITY_POLICY;
        headers["referrer-policy"] = "no-referrer";
        headers["cross-origin-opener-policy"] = "same-origin";
        headers["x-frame-options"] = "DENY";
        headers["permissions-policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";
        // It names what it loads by content: an old page would ask for what is no longer there.
        headers["cache-control"] = "no-cache";
        return answerFile(exchange, (await readPages()).page);
      }),
      unparsed,
    )
    .get(
      "/console/assets/:name",
      openEndpoint(service, "GET /console/assets/:name", async (exchange) => {
        const { assets } = await readPages();
        const asset = assets.get(exchange.params.name ?? "");
        if (asset === undefined) throw fail("NOT_FOUND");
        exchange.headers["cache-control"] = "public, max-age=31536000, immutable";
        return answerFile(exchange, asset);
      }),
      unparsed,
    );
}
