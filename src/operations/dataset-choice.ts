/** Which dataset a request means: the one it names, or the one its token is limited to. Pure. */
import type { Caller } from "../access/index.ts";
import { fail, type ErrorCode } from "../errors.ts";

/** Characters (UTF-16 units) of a dataset's id. */
export const MAX_DATASET_ID_LENGTH = 100;

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

/** Clients resolve them in an address, encoded or not, before they send it: such a dataset could not be named in a path. */
const DOTS: readonly string[] = [".", ".."];

/**
 * Checks an id under which a dataset may come to exist: 1-100 characters, none of them a control character or half of a
 * surrogate pair, and more than dots that paths give a meaning. Throws DATASET_ID_LENGTH or INVALID_REQUEST.
 */
export function checkNewDatasetId(datasetId: string): void {
  if (datasetId.length < 1 || datasetId.length > MAX_DATASET_ID_LENGTH) throw fail("DATASET_ID_LENGTH");
  if (!datasetId.isWellFormed() || /\p{Cc}/u.test(datasetId)) {
    throw fail("INVALID_REQUEST", { reason: "datasetId holds a control character or a broken surrogate pair." });
  }
  if (DOTS.includes(datasetId))
    throw fail("INVALID_REQUEST", {
      reason: `datasetId is "${datasetId}", which no address can name; choose another.`,
    });
}
