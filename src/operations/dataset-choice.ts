/** Which dataset a request means: the one it names, or the one its token is limited to. Pure. */
import type { Caller } from "../access/index.ts";
import { fail, type ErrorCode } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";

/**
 * The dataset of a request. `given` is what the body, query or path holds; empty and null count as not given.
 *
 * Throws INVALID_REQUEST when it is not a string, `mismatch` when a token names another dataset than its own, and
 * `missing` when there is none.
 */
export function chooseDataset(
  caller: Caller,
  given: unknown,
  codes: { missing: ErrorCode; mismatch: ErrorCode },
): string {
  const named = given === undefined || given === null || given === "" ? null : given;
  if (named !== null && typeof named !== "string")
    throw fail("INVALID_REQUEST", { reason: "datasetId is not a string." });
  if (caller.datasetId !== null) {
    if (named !== null && named !== caller.datasetId) throw fail(codes.mismatch);
    return caller.datasetId;
  }
  if (named === null) throw fail(codes.missing);
  return named;
}

const newDatasetId = new RegExp(fieldLimits.datasetId.pattern, "u");

/**
 * Checks an id under which a dataset may come to exist: not too long, without control characters and halves of surrogate pairs,
 * and more than dots that paths give a meaning. Throws DATASET_ID_LENGTH or INVALID_REQUEST.
 */
export function checkNewDatasetId(datasetId: string): void {
  const { minLength, maxLength } = fieldLimits.datasetId;
  if (datasetId.length < minLength || datasetId.length > maxLength) throw fail("DATASET_ID_LENGTH");
  if (newDatasetId.test(datasetId)) return;
  throw fail("INVALID_REQUEST", {
    reason: /^\.+$/.test(datasetId)
      ? `datasetId is "${datasetId}", which no address can name; choose another.`
      : "datasetId holds a control character or a broken surrogate pair.",
  });
}
