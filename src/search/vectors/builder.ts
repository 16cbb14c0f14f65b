/** The builder Worker: extends one dataset's checkpoint at a time, its graph too where wanted, at low priority. */
import { letOthersIn } from "../../foundation/let-others-in.ts";
import { lowerThreadPriority } from "../../native/index.ts";
import { serveThread } from "../../remote/serve.ts";
import { openVectorReader, type VectorReader } from "../../store/index.ts";
import { datasetFolder, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { newSketchFile, type Checkpoint, type SavedGraph } from "./checkpoint-file.ts";
import { Graph } from "./graph.ts";
import type { BuildJob } from "../types.ts";
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
  const saved = base && { saved: base.sketches, rows: base.chunkIds.length };
  using opened = new DisposableStack();
  const reader = opened.adopt(openVectorReader(job), (open) => open.close());
  const sketches = opened.adopt(
    new RowFileWriter(folder, base?.sketches.file ?? newSketchFile(), saved, sketchBytesOf(job.dimensions)),
    (file) => file.close(),
  );
  const appended = await appendSketches(job, reader, sketches);
  const chunkIds = new Float64Array((base?.chunkIds.length ?? 0) + appended.length);
  if (base) chunkIds.set(base.chunkIds);
  chunkIds.set(appended, base?.chunkIds.length ?? 0);
  const graph = job.graph ? await extendGraph(job, folder, base, chunkIds, reader) : (base?.graph ?? null);
  if (closing) return;
  writeCheckpoint(folder, job, { sketches: sketches.finish(), graph, chunkIds });
}

/** Appends sketches of the job's vectors, those deleted meanwhile left out, and returns the chunks that were there. */
async function appendSketches(job: BuildJob, reader: VectorReader, sketches: RowFileWriter): Promise<number[]> {
  const appended: number[] = [];
  const sketchBytes = sketchBytesOf(job.dimensions);
  const sketched = new Int8Array(BATCH_VECTORS * sketchBytes);
  for (let start = 0; start < job.chunkIds.length && !closing; start += BATCH_VECTORS) {
    const batch = job.chunkIds.subarray(start, start + BATCH_VECTORS);
    let rows = 0;
    reader.read(batch, (at, vector) => {
      writeSketch(vector, sketched.subarray(rows++ * sketchBytes));
      appended.push(batch[at]!);
    });
    sketches.append(sketched.subarray(0, rows * sketchBytes));
    await letOthersIn();
  }
  return appended;
}

async function extendGraph(
  job: BuildJob,
  folder: string,
  base: Checkpoint | null,
  chunkIds: Float64Array,
  reader: VectorReader,
): Promise<SavedGraph | null> {
  const graph = base?.graph
    ? Graph.load(await wholeGraphFile(folder, base.graph, letOthersIn), job.dimensions, job.parameters)
    : Graph.create(job.dimensions, job.parameters);
  for (let start = base?.graph?.rows ?? 0; start < chunkIds.length; start += BATCH_VECTORS) {
    if (closing) return null;
    const ids = chunkIds.subarray(start, start + BATCH_VECTORS);
    const { dimensions } = job;
    // One deleted meanwhile keeps its place, as anything of some length: searches leave its row out.
    const vectors = new Int8Array(ids.length * dimensions);
    for (let at = 0; at < vectors.length; at += dimensions) vectors[at] = 1;
    reader.read(ids, (at, vector) => vectors.set(vector, at * dimensions));
    graph.add(ids, vectors);
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
