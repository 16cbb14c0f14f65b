/** Whether saved lexical indexes are whole, told beside a server that may be writing them. */
import { besideWriter } from "../beside-writer.ts";
import { letOthersIn } from "../../foundation/let-others-in.ts";
import type { IndexDamage } from "../types.ts";
import { datasetsWithSegments, verifySegments } from "./saved-segments.ts";

/** Reads every saved lexical index of a data directory. Returns how many there are, and those that are damaged. */
export async function verifySavedWords(dataDirectory: string): Promise<{ whole: number; damaged: IndexDamage[] }> {
  let whole = 0;
  const damaged: IndexDamage[] = [];
  for (const datasetId of datasetsWithSegments(dataDirectory)) {
    try {
      await besideWriter(() => verifySegments(dataDirectory, datasetId));
      whole++;
    } catch (error) {
      damaged.push({ datasetId, reason: (error as Error).message });
    }
    await letOthersIn();
  }
  return { whole, damaged };
}
