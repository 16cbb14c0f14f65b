/** An API key as commands print it for programs: what is kept of it, and never the key itself. */
import type { ApiKey } from "../access/index.ts";

export const keyRecord = (key: ApiKey) => ({
  keyId: key.keyId,
  customerId: key.customerId,
  name: key.name,
  scope: key.scope,
  created: new Date(key.created).toISOString(),
  expires: isoTime(key.expires),
  lastUsed: isoTime(key.lastUsed),
  revoked: isoTime(key.revoked),
});

/** ISO 8601; null stays null. */
export const isoTime = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();
