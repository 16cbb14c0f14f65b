/** The graph builder Worker: grows one graph at a time, at low priority, and writes it as a checkpoint. */
import { lowerThreadPriority } from "../native/index.ts";
import { openVectorReader } from "../store/index.ts";
import { datasetFolder, graphIsWhole, graphPath, readCheckpoint, writeCheckpoint, type Checkpoint } from "./checkpoint.ts";
import { Graph } from "./graph.ts";
import { indexFolder } from "./open-index.ts";
import type { FromBuilder, GraphJob, ToBuilder } from "./protocol.ts";
import { quantiseToInt8 } from "./quantise.ts";

declare const self: Worker;

/** Vectors added by one native call, a fraction of a second: a request to close waits no longer. */
const BATCH_VECTORS = 100;

let closing = false;

/** Makes the graph and its checkpoint. Returns without one when asked to close in between. */
async function build(job: GraphJob): Promise<void> {
  const folder = datasetFolder(indexFolder(job.dataDirectory), job.datasetId);
  const base = job.base === "checkpoint" ? usableCheckpoint(folder, job) : null;
  const graph = base ? Graph.load(graphPath(folder, base), job.dimensions, job.parameters) : Graph.create(job.dimensions, job.parameters);
  const chunkIds = new Float64Array((base?.chunkIds.length ?? 0) + job.chunkIds.length);
  if (base) chunkIds.set(base.chunkIds);
  let count = base?.chunkIds.length ?? 0;

  const reader = openVectorReader(job);
  try {
    const vectors = new Int8Array(BATCH_VECTORS * job.dimensions);
    for (let start = 0; start < job.chunkIds.length && !closing; start += BATCH_VECTORS) {
      let batch = 0;
      for (const chunkId of job.chunkIds.subarray(start, start + BATCH_VECTORS)) {
        const vector = reader.vector(chunkId);
        if (!vector) continue;
        quantiseToInt8(vector, vectors.subarray(batch * job.dimensions, (batch + 1) * job.dimensions));
        chunkIds[count + batch++] = chunkId;
      }
      graph.add(chunkIds.subarray(count, count + batch), vectors.subarray(0, batch * job.dimensions));
      count += batch;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    reader.close();
  }
  if (!closing) writeCheckpoint(folder, job, chunkIds.slice(0, count), (path) => graph.save(path));
}

function usableCheckpoint(folder: string, job: GraphJob): Checkpoint {
  const checkpoint = readCheckpoint(folder, job);
  if (!checkpoint || !graphIsWhole(folder, checkpoint)) throw new Error(`the graph of dataset ${job.datasetId} on disk is missing or damaged`);
  return checkpoint;
}

const post = (message: FromBuilder): void => self.postMessage(message);
let running: Promise<void> = lowerThreadPriority();

async function runBuild(job: GraphJob): Promise<void> {
  try {
    await build(job);
    if (!closing) post({ type: "built", job, failure: null });
  } catch (error) {
    post({ type: "built", job, failure: error instanceof Error ? error.message : String(error) });
  }
}

self.onmessage = ({ data }: MessageEvent<ToBuilder>) => {
  if (data.type === "build") {
    running = running.then(() => runBuild(data.job));
  } else {
    closing = true;
    void running.then(() => post({ type: "closed" }));
  }
};
