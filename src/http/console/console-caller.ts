/** Who is signed in, and who they are to `/v1`, where a session stands for an API key. */
import type { Access, Caller, ConsoleSession } from "../../access/index.ts";
import { fail } from "../../foundation/errors.ts";
import { CUSTOMER_HEADER, sessionSecretOf, showsRequestSecret } from "./session-cookie.ts";

/** The session of a request; null where there is none, or it was not made by a page of the session. */
export function sessionOf({ console: accounts }: Access, headers: Headers): ConsoleSession | null {
  const secret = sessionSecretOf(headers);
  const session = secret === null ? null : accounts.session(secret);
  return session !== null && showsRequestSecret(headers, session) ? session : null;
}

/**
 * The customer that a session acts for: its own, or whom an operator names. Throws CUSTOMER_NOT_NAMED for an operator who names none that
 * there is, and OPERATOR_ONLY for a customer who names another.
 */
export function callerOf(
  access: Access,
  headers: Headers,
  { customerId, keyId, scope, expires }: ConsoleSession,
): Caller {
  const named = namedCustomer(headers);
  if (customerId !== null && named !== null && named !== customerId) throw fail("OPERATOR_ONLY");
  const acting = customerId ?? named;
  if (acting === null || access.customer(acting) === null) throw fail("CUSTOMER_NOT_NAMED");
  return { customerId: acting, datasetId: null, operator: false, expires, keyId, scope, console: true };
}

function namedCustomer(headers: Headers): string | null {
  const written = headers.get(CUSTOMER_HEADER);
  try {
    return written === null ? null : decodeURIComponent(written);
  } catch {
    return null;
  }
}
