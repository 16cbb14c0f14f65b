/** An API key as records and answers show it: what is kept of it, and never the key itself. */
import { isoTime } from "../foundation/iso-date.ts";
import type { ApiKey } from "./types.ts";

export const keyRecord = (key: ApiKey) => ({
  keyId: key.keyId,
  customerId: key.customerId,
  name: key.name,
  scope: key.scope,
  created: isoTime(key.created),
  expires: isoTime(key.expires),
  lastUsed: isoTime(key.lastUsed),
  revoked: isoTime(key.revoked),
});
