/** GET / and /console/assets/:name: the web console's page, and what it loads. Neither needs a credential, and neither holds any data. */
import { gunzipSync } from "node:zlib";
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { openEndpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import type { Service } from "../service.ts";
import { readPages, type PageFile } from "./page-files.ts";

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
        headers["cross-origin-resource-policy"] = "same-origin";
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
        const name = exchange.params.name ?? "";
        if (!Object.hasOwn(assets, name)) throw fail("NOT_FOUND");
        exchange.headers["cache-control"] = "public, max-age=31536000, immutable";
        exchange.headers["cross-origin-resource-policy"] = "same-origin";
        return answerFile(exchange, assets[name]!);
      }),
      unparsed,
    );
}

function answerFile({ headers, request }: Exchange, file: PageFile): Response {
  headers["content-type"] = file.type;
  headers.etag = file.tag;
  headers.vary = "Accept-Encoding";
  if (isKnown(request.headers.get("if-none-match"), file.tag)) return new Response(null, { status: 304, headers });
  const coding = packedCoding(request.headers.get("accept-encoding"));
  if (coding !== null) headers["content-encoding"] = coding;
  return new Response(contentOf(file, coding), { headers });
}

/** A proxy may have marked the tag as weak. */
function isKnown(header: string | null, tag: string): boolean {
  return (header ?? "").split(",").some((known) => known.trim().replace(/^W\//, "") === tag);
}

/** What the client takes of what lies ready. */
function packedCoding(header: string | null): "br" | "gzip" | null {
  const taken = (name: string): boolean =>
    new RegExp(`(^|,)\\s*${name}\\s*(,|$|;\\s*q=(?!0(\\.0*)?\\s*(,|$)))`, "i").test(header ?? "");
  return taken("br") ? "br" : taken("gzip") ? "gzip" : null;
}

function contentOf(file: PageFile, coding: "br" | "gzip" | null): Uint8Array<ArrayBuffer> {
  if (coding !== null) return new Uint8Array(Buffer.from(file[coding], "base64"));
  return new Uint8Array(gunzipSync(Buffer.from(file.gzip, "base64")));
}
