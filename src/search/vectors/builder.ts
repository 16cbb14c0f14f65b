/** The builder Worker: extends one dataset's checkpoint at a time, its graph too where wanted, at low priority. */
import { letOthersIn } from "../../foundation/let-others-in.ts";
import { lowerThreadPriority } from "../../native/index.ts";
import { serveThread } from "../../remote/serve.ts";
import { openVectorReader } from "../../store/index.ts";
import { datasetFolder, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { newRowFiles, type Checkpoint, type RowFile, type SavedGraph } from "./checkpoint-file.ts";
import { Graph } from "./graph.ts";
import type { BuildJob } from "../types.ts";
import { quantiseToInt8 } from "./quantise.ts";
import { saveGraph, wholeGraphFile } from "./saved-graph.ts";
import { RowFileWriter } from "./row-file.ts";
import { sketchBytesOf, writeSketch } from "./sketch.ts";

/** Vectors between two looks at whether to stop; in a graph they take a fraction of a second. */
const BATCH_VECTORS = 100;

let closing = false;

/** Writes the checkpoint. Returns without one when asked to close in between. */
async function build(job: BuildJob): Promise<void> {
  const folder = datasetFolder(job.dataDirectory, job.datasetId);
  const base = job.base === "checkpoint" ? readCheckpoint(folder, job) : null;
  if (job.base === "checkpoint" && base === null)
    throw new Error(`the checkpoint of dataset ${job.datasetId} is missing`);
  // Another thread's job may have come before, if the one that wanted this is the second.
  if ((base?.chunkIds.length ?? 0) !== job.savedRows)
    throw new Error(`the checkpoint of dataset ${job.datasetId} is not the one to be built upon`);
  const names = base ? { vectors: base.vectors.file, sketches: base.sketches.file } : newRowFiles();
  const baseOf = (saved: RowFile | undefined) => (base && saved ? { saved, rows: base.chunkIds.length } : null);
  using opened = new DisposableStack();
  const open = (kind: "vectors" | "sketches", rowBytes: number): RowFileWriter =>
    opened.adopt(new RowFileWriter(folder, names[kind], baseOf(base?.[kind]), rowBytes), (file) => file.close());
  const vectors = open("vectors", job.dimensions);
  const sketches = open("sketches", sketchBytesOf(job.dimensions));
  const appended = await appendVectors(job, vectors, sketches);
  const chunkIds = new Float64Array((base?.chunkIds.length ?? 0) + appended.length);
  if (base) chunkIds.set(base.chunkIds);
  chunkIds.set(appended, base?.chunkIds.length ?? 0);
  const graph = job.graph ? await extendGraph(job, folder, base, chunkIds, vectors) : (base?.graph ?? null);
  if (closing) return;
  writeCheckpoint(folder, job, { vectors: vectors.finish(), sketches: sketches.finish(), graph, chunkIds });
}

/** Appends the job's vectors, those deleted meanwhile left out, and returns the chunks that were there. */
async function appendVectors(job: BuildJob, vectors: RowFileWriter, sketches: RowFileWriter): Promise<number[]> {
  const reader = openVectorReader(job);
  try {
    const appended: number[] = [];
    const batch = new Int8Array(BATCH_VECTORS * job.dimensions);
    const sketchBytes = sketchBytesOf(job.dimensions);
    const sketched = new Int8Array(BATCH_VECTORS * sketchBytes);
    const target = new Float32Array(job.dimensions);
    for (let start = 0; start < job.chunkIds.length && !closing; start += BATCH_VECTORS) {
      let rows = 0;
      for (const chunkId of job.chunkIds.subarray(start, start + BATCH_VECTORS)) {
        const vector = reader.vector(chunkId, target);
        if (!vector) continue;
        const row = batch.subarray(rows * job.dimensions, (rows + 1) * job.dimensions);
        quantiseToInt8(vector, row);
        writeSketch(row, sketched.subarray(rows * sketchBytes));
        rows++;
        appended.push(chunkId);
      }
      vectors.append(batch.subarray(0, rows * job.dimensions));
      sketches.append(sketched.subarray(0, rows * sketchBytes));
      await letOthersIn();
    }
    return appended;
  } finally {
    reader.close();
  }
}

async function extendGraph(
  job: BuildJob,
  folder: string,
  base: Checkpoint | null,
  chunkIds: Float64Array,
  vectors: RowFileWriter,
): Promise<SavedGraph | null> {
  const graph = base?.graph
    ? Graph.load(await wholeGraphFile(folder, base.graph, letOthersIn), job.dimensions, job.parameters)
    : Graph.create(job.dimensions, job.parameters);
  for (let start = base?.graph?.rows ?? 0; start < chunkIds.length; start += BATCH_VECTORS) {
    if (closing) return null;
    const ids = chunkIds.subarray(start, start + BATCH_VECTORS);
    graph.add(ids, vectors.read(start, ids.length));
    await letOthersIn();
  }
  return saveGraph(folder, chunkIds.length, (path) => graph.save(path), letOthersIn);
}

class CheckpointBuilder {
  private running: Promise<void> = lowerThreadPriority();

  /** Writes a checkpoint, after those asked for before, unless it is stopped. */
  build(job: BuildJob): Promise<void> {
    const built = this.running.then(() => (closing ? undefined : build(job)));
    this.running = built.catch(() => undefined);
    return built;
  }

  /** Resolves when nothing runs any more: the thread may be ended, which it must not be inside a native call. */
  async stop(): Promise<void> {
    closing = true;
    await this.running;
  }
}

export type { CheckpointBuilder };

serveThread(new CheckpointBuilder());
