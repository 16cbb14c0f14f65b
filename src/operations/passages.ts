/** A file's passages in their order, as searches find them: what stands before and behind one. Free. */
import type { Caller } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { fieldDefaults, fieldLimits } from "../foundation/field-limits.ts";
import type { Engines } from "./engines.ts";
import { findFile } from "./list.ts";
import { readWholeNumber } from "./page-request.ts";
import { toShownPassage, type ShownPassage } from "./retrieval.ts";

export interface PassageRange {
  /** Number of the first, from 0. */
  readonly from: number;
  readonly limit: number;
}

export interface FilePassages {
  readonly passages: ShownPassage[];
  /** How many the file has. */
  readonly total: number;
}

/** The parameters as they come; null or empty: left out. Throws INVALID_REQUEST. */
export function readPassageRange(from: string | null, limit: string | null): PassageRange {
  const { passageFrom, passageLimit } = fieldLimits;
  return {
    from: readWholeNumber("from", from, passageFrom) ?? fieldDefaults.passageFrom,
    limit: readWholeNumber("limit", limit, passageLimit) ?? fieldDefaults.passageLimit,
  };
}

/** None behind the last one. Throws FILE_NOT_FOUND, also of a file that is still to be read, and DATASET_MISMATCH. */
export function readPassages(
  { store }: Pick<Engines, "store">,
  caller: Caller,
  fileId: string,
  { from, limit }: PassageRange,
): FilePassages {
  return store.atOneMoment(() => {
    const { firstChunkId, chunkCount } = findFile({ store }, caller, fileId);
    const count = Math.max(0, Math.min(limit, chunkCount - from));
    const ids = Array.from({ length: count }, (_, at) => firstChunkId + from + at);
    const stored = store.chunks(ids);
    const passages = ids.map((id) => {
      const chunk = stored.get(id);
      // Deleted between the two readings, where it can be.
      if (chunk === undefined) throw fail("FILE_NOT_FOUND");
      return toShownPassage(chunk);
    });
    return { passages, total: chunkCount };
  });
}
