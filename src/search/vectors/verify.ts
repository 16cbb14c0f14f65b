/** Whether saved indexes are whole, told beside a server that may be writing them. */
import { readdirSync } from "node:fs";
import { besideWriter } from "../beside-writer.ts";
import { letOthersIn } from "../../foundation/let-others-in.ts";
import { datasetFolder, exists, indexFolder, readAnyCheckpoint } from "./checkpoint.ts";
import type { Checkpoint } from "./checkpoint-file.ts";
import { wholeGraphFile } from "./saved-graph.ts";
import { blockSpace, RowFileReader } from "./row-file.ts";
import { sketchBytesOf } from "./sketch.ts";
import type { IndexDamage } from "../types.ts";

/** What is saved of datasets' vectors. */
export interface SavedIndexes {
  readonly whole: number;
  /** Those that are damaged or cannot be read. */
  readonly damaged: IndexDamage[];
  /** Of the whole ones, that whose vectors take most bytes; null when there is none. */
  readonly largest: { readonly datasetId: number; readonly bytes: number } | null;
}

/** Reads every saved index of a data directory; a gigabyte takes a second or two. */
export async function verifySavedIndexes(dataDirectory: string): Promise<SavedIndexes> {
  const root = indexFolder(dataDirectory);
  let whole = 0;
  let largest: SavedIndexes["largest"] = null;
  const damaged: IndexDamage[] = [];
  try {
    for (const name of exists(root) ? readdirSync(root) : []) {
      if (!/^\d+$/.test(name)) continue;
      const datasetId = Number(name);
      const state = await stateOf(datasetFolder(dataDirectory, datasetId));
      if (state === "none") continue;
      if ("reason" in state) {
        damaged.push({ datasetId, reason: state.reason });
        continue;
      }
      whole++;
      if (state.bytes > (largest?.bytes ?? -1)) largest = { datasetId, bytes: state.bytes };
    }
  } catch (error) {
    damaged.push({ datasetId: null, reason: (error as Error).message });
  }
  return { whole, damaged, largest };
}

/** Bytes that the vectors take in memory, where every file is, byte for byte, what was written. None: there is no checkpoint, or one of another format. */
async function stateOf(folder: string): Promise<"none" | { bytes: number } | { reason: string }> {
  try {
    return await besideWriter(async () => {
      const read = readAnyCheckpoint(folder);
      if (read === null) return "none";
      const { checkpoint, identity } = read;
      await verify(folder, checkpoint, identity.dimensions);
      return { bytes: checkpoint.chunkIds.length * identity.dimensions };
    });
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

async function verify(folder: string, checkpoint: Checkpoint, dimensions: number): Promise<void> {
  const rows = checkpoint.chunkIds.length;
  const rowBytes = sketchBytesOf(dimensions);
  using opened = new DisposableStack();
  const sketches = opened.adopt(new RowFileReader(folder, checkpoint.sketches, rows, rowBytes), (file) => file.close());
  const space = blockSpace(rowBytes);
  for (let block = 0; block < sketches.blocks; block++) {
    sketches.block(block, space);
    await letOthersIn();
  }
  if (checkpoint.graph !== null) await wholeGraphFile(folder, checkpoint.graph, letOthersIn);
}
