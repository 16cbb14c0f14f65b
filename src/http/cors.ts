/** Cross-origin access: every origin may call, with exactly the methods and headers the interface lists. */

/** On every response, errors included. */
export const ALLOW_ORIGIN = "*";
/** What scripts of another origin may read beside the standard headers. */
export const EXPOSED_HEADERS = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id";

const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": ALLOW_ORIGIN,
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-allow-headers": "Authorization, Content-Type, x-service-key",
  "access-control-expose-headers": EXPOSED_HEADERS,
  // Browsers cap this themselves; a day spares most preflights.
  "access-control-max-age": "86400",
};

/** The answer to any OPTIONS request. Needs no credential. */
export function preflight(): Response {
  return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
}
