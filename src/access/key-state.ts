/** Whether an API key still opens anything. */
import type { ApiKey } from "./types.ts";

export type KeyState = "usable" | "expired" | "revoked";

/** At a moment, milliseconds since 1970. */
export function keyState({ revoked, expires }: Pick<ApiKey, "revoked" | "expires">, now = Date.now()): KeyState {
  if (revoked !== null) return "revoked";
  return expires === null || expires > now ? "usable" : "expired";
}
