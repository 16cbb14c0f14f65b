/** Who is asking: reads the credential of a request and finds its caller. */
import type { Access, Caller } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";

/** "key": API keys only; "any": API keys and frontend tokens. */
export type CredentialKind = "key" | "any";

/** Three dot-separated base64url parts, the last one empty for `alg: none`. */
const JWT_SHAPE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
const BEARER = /^bearer[ \t]+(\S.*)$/i;

/** The credential sent, or null. `Authorization: Bearer` wins over `x-service-key`; another scheme counts as not sent. */
function readCredential(headers: Headers): string | null {
  const authorization = headers.get("authorization");
  const bearer = authorization === null ? null : BEARER.exec(authorization.trim());
  if (bearer !== null) return bearer[1]!;
  return headers.get("x-service-key")?.trim() || null;
}

/** Who it is, for logs: the id of an API key, or what it is instead of one. */
export const actorOf = ({ keyId, operator, console }: Caller): string =>
  keyId ?? (operator ? "operator" : console ? "console" : "token");

/** Whether a request is to be taken for its credential at all. */
export const hasCredential = (headers: Headers): boolean => readCredential(headers) !== null;

/** The longest that a timer can wait, milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A signal that is aborted with INVALID_CREDENTIAL when the caller's token expires, until it is disposed of; never for an API key. */
export function watchExpiry({ expires }: Caller): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const timer =
    expires === null
      ? undefined
      : setTimeout(() => controller.abort(fail("INVALID_CREDENTIAL")), Math.min(LONGEST_TIMER, expires - Date.now()));
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}

/**
 * The caller of a request. Throws MISSING_API_KEY and INVALID_API_KEY where only keys are accepted (a token counts as a
 * missing key there), MISSING_CREDENTIAL and INVALID_CREDENTIAL elsewhere.
 */
export async function identifyCaller(access: Access, headers: Headers, kind: CredentialKind): Promise<Caller> {
  const credential = readCredential(headers);
  if (kind === "key") {
    if (credential === null || JWT_SHAPE.test(credential)) throw fail("MISSING_API_KEY");
    const caller = await access.identify(credential);
    if (caller === null || caller.datasetId !== null) throw fail("INVALID_API_KEY");
    return caller;
  }
  if (credential === null) throw fail("MISSING_CREDENTIAL");
  const caller = await access.identify(credential);
  if (caller === null) throw fail("INVALID_CREDENTIAL");
  return caller;
}
