/** Whether saved indexes are whole, told beside a server that may be writing them. */
import { readdirSync } from "node:fs";
import { besideWriter } from "../beside-writer.ts";
import { letOthersIn } from "../slices.ts";
import { datasetFolder, exists, indexFolder, readAnyCheckpoint } from "./checkpoint.ts";
import type { Checkpoint } from "./checkpoint-file.ts";
import { wholeGraphFile } from "./saved-graph.ts";
import { blockSpace, RowFileReader } from "./row-file.ts";
import { sketchBytesOf } from "./sketch.ts";
import type { IndexDamage } from "../types.ts";

/** Reads every saved index of a data directory; a gigabyte takes a second or two. Returns how many there are, and those that are damaged or cannot be read. */
export async function verifySavedIndexes(dataDirectory: string): Promise<{ whole: number; damaged: IndexDamage[] }> {
  const root = indexFolder(dataDirectory);
  let whole = 0;
  const damaged: IndexDamage[] = [];
  try {
    for (const name of exists(root) ? readdirSync(root) : []) {
      if (!/^\d+$/.test(name)) continue;
      const state = await stateOf(datasetFolder(dataDirectory, Number(name)));
      if (state === "whole") whole++;
      else if (state !== "none") damaged.push({ datasetId: Number(name), reason: state.reason });
    }
  } catch (error) {
    damaged.push({ datasetId: null, reason: (error as Error).message });
  }
  return { whole, damaged };
}

/** Whole: every file is, byte for byte, what was written. None: there is no checkpoint, or one of another format. */
async function stateOf(folder: string): Promise<"whole" | "none" | { reason: string }> {
  try {
    return await besideWriter(async () => {
      const read = readAnyCheckpoint(folder);
      if (read === null) return "none";
      await verify(folder, read.checkpoint, read.identity.dimensions);
      return "whole";
    });
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

async function verify(folder: string, checkpoint: Checkpoint, dimensions: number): Promise<void> {
  const rows = checkpoint.chunkIds.length;
  for (const [saved, rowBytes] of [
    [checkpoint.vectors, dimensions],
    [checkpoint.sketches, sketchBytesOf(dimensions)],
  ] as const) {
    using opened = new DisposableStack();
    const reader = opened.adopt(new RowFileReader(folder, saved, rows, rowBytes), (file) => file.close());
    const space = blockSpace(rowBytes);
    for (let block = 0; block < reader.blocks; block++) {
      reader.block(block, space);
      await letOthersIn();
    }
  }
  if (checkpoint.graph !== null) await wholeGraphFile(folder, checkpoint.graph, letOthersIn);
}
