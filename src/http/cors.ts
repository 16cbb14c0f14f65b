/** Cross-origin access: every origin may call, with exactly the methods and headers the interface lists. */
import { cors } from "@elysiajs/cors";

/** Answers preflights, which need no credential, and marks every response, errors included. */
export function crossOrigin() {
  return cors({
    origin: "*",
    methods: ["GET", "POST", "DELETE", "OPTIONS"],
    allowedHeaders: ["Authorization", "Content-Type", "x-service-key"],
    exposeHeaders: [
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
      "Retry-After",
      "X-Request-Id",
      "X-Ignored-Fields",
    ],
    // Credentials travel in a header of the caller's own, never in cookies.
    credentials: false,
    // Browsers cap this themselves; a day spares most preflights.
    maxAge: 86_400,
  });
}
