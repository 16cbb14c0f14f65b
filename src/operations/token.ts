/** Frontend tokens: short-lived credentials for one dataset. Free. */
import type { Access } from "../access/index.ts";
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
 * Throws DATASET_ID_REQUIRED, DATASET_ID_LENGTH, TTL_RANGE.
 */
export async function createFrontendToken(
  access: Access,
  customerId: string,
  body: Record<string, unknown>,
): Promise<FrontendToken> {
  const { datasetId, ttlSeconds = fieldDefaults.ttlSeconds } = body;
  if (typeof datasetId !== "string" || datasetId === "") throw fail("DATASET_ID_REQUIRED");
  checkNewDatasetId(datasetId);
  const { minimum, maximum } = fieldLimits.ttlSeconds;
  // Written so that NaN fails too.
  if (typeof ttlSeconds !== "number" || !(ttlSeconds >= minimum && ttlSeconds <= maximum)) throw fail("TTL_RANGE");
  const expiresIn = Math.floor(ttlSeconds);
  return { token: await access.createToken(customerId, datasetId, expiresIn), expiresIn };
}
