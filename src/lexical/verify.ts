/** Whether saved lexical indexes are whole, told beside a server that may be writing them. */
import { letOthersIn } from "../indexing/slices.ts";
import type { IndexDamage } from "../vectors/index.ts";
import { datasetsWithSegments, verifySegments } from "./saved-segments.ts";

/** A file that was merged with another while it was read is gone; looked at again, its successor is there. */
const ATTEMPTS = 3;

/** Reads every saved lexical index of a data directory. Returns how many there are, and those that are damaged. */
export async function verifySavedWords(dataDirectory: string): Promise<{ whole: number; damaged: IndexDamage[] }> {
  let whole = 0;
  const damaged: IndexDamage[] = [];
  for (const datasetId of datasetsWithSegments(dataDirectory)) {
    const reason = reasonAgainst(dataDirectory, datasetId);
    if (reason === null) whole++;
    else damaged.push({ datasetId, reason });
    await letOthersIn();
  }
  return { whole, damaged };
}

function reasonAgainst(dataDirectory: string, datasetId: number): string | null {
  for (let attempt = 1; ; attempt++) {
    try {
      verifySegments(dataDirectory, datasetId);
      return null;
    } catch (error) {
      if (attempt === ATTEMPTS) return (error as Error).message;
    }
  }
}
