/** Frontend tokens: short-lived credentials for one dataset. Free. */
import { checkScope, type Access, type Caller } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { fieldDefaults, fieldLimits } from "../foundation/field-limits.ts";
import { checkNewDatasetId } from "./dataset-choice.ts";

export interface FrontendToken {
  token: string;
  /** Seconds. */
  expiresIn: number;
}

/**
 * Makes a token from `{datasetId, ttlSeconds?}`. The dataset need not exist yet; a fraction of a second is dropped.
 *
 * `scope` "read" is for searches, queries, listings and downloads only; a key makes tokens that may do no more than it.
 *
 * Throws DATASET_ID_REQUIRED, DATASET_ID_LENGTH, TTL_RANGE, INVALID_REQUEST for another scope, SCOPE_INSUFFICIENT.
 */
export async function createFrontendToken(
  access: Access,
  { customerId, scope: own }: Pick<Caller, "customerId" | "scope">,
  body: Record<string, unknown>,
): Promise<FrontendToken> {
  const { datasetId, scope, ttlSeconds = fieldDefaults.ttlSeconds } = body;
  if (typeof datasetId !== "string" || datasetId === "") throw fail("DATASET_ID_REQUIRED");
  checkNewDatasetId(datasetId);
  const { minimum, maximum } = fieldLimits.ttlSeconds;
  // Written so that NaN fails too.
  if (typeof ttlSeconds !== "number" || !(ttlSeconds >= minimum && ttlSeconds <= maximum)) throw fail("TTL_RANGE");
  if (scope !== undefined && scope !== null && scope !== "read")
    throw fail("INVALID_REQUEST", { reason: 'scope must be "read", or left out for a token that may do everything.' });
  const given = scope === "read" ? "read" : "all";
  if (own !== "read" || given !== "read") checkScope(own, "all");
  const expiresIn = Math.floor(ttlSeconds);
  return { token: await access.createToken(customerId, datasetId, expiresIn, given), expiresIn };
}
