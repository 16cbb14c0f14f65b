/** What a full disk means for a backup that is being made or restored. */
import { statfsSync } from "node:fs";
import { fail } from "../foundation/errors.ts";

/** The file system's, this user's share of it, and the longest file it takes. */
const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The work's result. Throws OPERATION_FAILED, naming the place, where there is no room for what it writes there. */
export async function withRoom<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && NO_ROOM.has(error.code))) throw error;
    throw fail(
      "OPERATION_FAILED",
      { reason: `There is no room for it in ${place}${freeIn(place)}. Nothing was kept.` },
      undefined,
      error,
    );
  }
}

function freeIn(place: string): string {
  const { bavail, bsize } = statfsSync(place);
  return `, where ${Math.round((bavail * bsize) / 1e6)} MB are free`;
}
