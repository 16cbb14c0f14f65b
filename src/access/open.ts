/** Opens access.db. */
import { join } from "node:path";
import type { Access, AccessOptions } from "./index.ts";

export function accessDatabasePath(dataDirectory: string): string {
  return join(dataDirectory, "access.db");
}

export function openAccess(_options: AccessOptions): Access {
  throw new Error("not there yet");
}
