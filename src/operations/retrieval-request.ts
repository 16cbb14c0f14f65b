/** Reads the body that search and query share. Pure. */
import type { Caller } from "../access/index.ts";
import { fail, type ErrorCode } from "../errors.ts";
import { chooseDataset } from "./dataset-choice.ts";
import { readFilters } from "./filters.ts";
import type { RetrievalRequest } from "./retrieval.ts";

/**
 * Checks `{datasetId?, question, filters?}`. A missing, null or blank question counts as missing.
 *
 * Throws QUESTION_REQUIRED, `mismatch` (a token naming another dataset), INVALID_REQUEST for a field of the wrong type, INVALID_FILTER.
 */
export function readRetrievalRequest(caller: Caller, body: Record<string, unknown>, mismatch: ErrorCode): RetrievalRequest {
  const { question } = body;
  if (question !== undefined && question !== null && typeof question !== "string") {
    throw fail("INVALID_REQUEST", { reason: "question is not a string." });
  }
  const datasetId = chooseDataset(caller, body.datasetId, { missing: "QUESTION_REQUIRED", mismatch });
  if (typeof question !== "string" || question.trim() === "") throw fail("QUESTION_REQUIRED");
  return { customerId: caller.customerId, datasetId, question, filters: readFilters(body.filters) };
}
