/** A rate window's state as response headers. */
import type { Allowance } from "../access/index.ts";
import { fail, type LecternError } from "../foundation/errors.ts";

export function addRateHeaders(headers: Record<string, string>, allowance: Allowance): void {
  headers["x-ratelimit-limit"] = String(allowance.limit);
  headers["x-ratelimit-remaining"] = String(allowance.remaining);
  headers["x-ratelimit-reset"] = String(allowance.resetSeconds);
}

export function rateLimitExceeded({ limit, retryAfter }: Allowance): LecternError {
  return fail("RATE_LIMIT_EXCEEDED", { limit, retryAfter });
}
