/** What credentials may do. */
import { fail, type LecternError } from "../foundation/errors.ts";

/** Look and search; upload, replace and delete, and look; or everything, tokens included. */
export const SCOPES = ["read", "write", "all"] as const;

export type Scope = (typeof SCOPES)[number];

const inWords: Readonly<Record<Scope, string>> = {
  read: "look and search",
  write: "upload, delete and look",
  all: "make tokens that may do everything",
};

/** Throws SCOPE_INSUFFICIENT for a credential of another scope than what is asked of it needs. */
export function checkScope(own: Scope, needs: Scope): void {
  if (own !== "all" && own !== needs) throw scopeRefusal(own, needs);
}

const scopeRefusal = (own: Scope, needs: Scope): LecternError =>
  fail("SCOPE_INSUFFICIENT", { may: inWords[own], needs: inWords[needs] });
