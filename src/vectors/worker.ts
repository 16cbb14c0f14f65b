/** The index Worker: holds the open datasets, answers searches, takes in what was added and removed. One per process. */
import { existsSync, readdirSync } from "node:fs";
import { openVectorReader, type VectorReader } from "../store/index.ts";
import { datasetFolder, readCheckpoint, removeCheckpoint, removeOtherGraphs } from "./checkpoint.ts";
import type { DatasetIndex, Neighbour } from "./dataset-index.ts";
import { indexFolder, openDatasetIndex, openGraph } from "./open-index.ts";
import type { FromIndexWorker, GraphJob, IndexRequest, IndexSettings, IndexStatistics, ToIndexWorker } from "./protocol.ts";

declare const self: Worker;

/** A graph is extended when this many vectors, or this share of all, are waiting, whichever is more, up to a limit. */
const TAIL_LEAST = 8192;
const TAIL_SHARE = 0.04;
const TAIL_MOST = 32_768;
/** With more than this share of dead rows an index is built anew without them. */
const DEAD_SHARE = 0.25;
/** Below this many rows dead ones are too few to matter. */
const DEAD_ROWS_LEAST = 1000;

class IndexKeeper {
  /** Least recently used first. */
  private readonly open = new Map<number, Promise<DatasetIndex>>();
  private readonly building = new Set<number>();
  /** Datasets whose checkpoint could not be built upon. */
  private readonly distrusted = new Set<number>();
  private readonly reader: VectorReader;

  constructor(private readonly settings: IndexSettings) {
    this.reader = openVectorReader(settings);
    this.sweep();
  }

  async search(datasetId: number, vector: Float32Array, count: number, within: Extract<IndexRequest, { type: "search" }>["within"]): Promise<Neighbour[]> {
    const index = await this.opened(datasetId);
    const steps = index.search(vector, count, within, this.reader);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await pause();
    }
  }

  /** A dataset that is not in memory has nothing to add to: when it is opened, SQLite holds the new chunks. */
  async add(datasetId: number, firstChunkId: number, vectors: readonly Float32Array[]): Promise<void> {
    const index = await this.open.get(datasetId);
    if (!index) return;
    index.append(firstChunkId, vectors);
    this.considerBuild(datasetId, index);
  }

  async remove(datasetId: number, ranges: Extract<IndexRequest, { type: "remove" }>["ranges"]): Promise<void> {
    const index = await this.open.get(datasetId);
    if (!index) return;
    index.remove(ranges);
    this.considerBuild(datasetId, index);
  }

  async warm(datasetId: number): Promise<void> {
    await this.opened(datasetId);
  }

  /** Takes the finished graph into use; after a failure the next one starts from nothing. */
  async graphBuilt(job: GraphJob, failure: string | null): Promise<void> {
    const { datasetId } = job;
    this.building.delete(datasetId);
    if (failure === null) this.distrusted.delete(datasetId);
    else this.distrusted.add(datasetId);
    const index = await this.open.get(datasetId);
    if (!index || failure !== null) return;
    if (job.compacts) {
      // Open as after a restart. Searches of this dataset wait for it; what is added meanwhile comes from SQLite.
      this.open.delete(datasetId);
      await this.opened(datasetId);
    } else {
      const folder = this.folder(datasetId);
      const checkpoint = readCheckpoint(folder, this.settings);
      if (!checkpoint) return;
      // Rows are only ever appended: the graph now reaches to the row of the job's last chunk.
      index.attachGraph(openGraph(folder, checkpoint, this.settings), index.rowAfter(job.chunkIds.at(-1)!));
      removeOtherGraphs(folder, checkpoint);
    }
    // Unmaps the graph that was replaced: the collector does not know how large it is.
    Bun.gc(true);
  }

  async statistics(): Promise<IndexStatistics> {
    const indexes = await Promise.all(this.open.values());
    const sum = (value: (index: DatasetIndex) => number) => indexes.reduce((total, index) => total + value(index), 0);
    return { openDatasets: indexes.length, rows: sum((index) => index.matrix.rows), graphRows: sum((index) => index.graphRows), bytes: sum((index) => index.matrix.bytes) };
  }

  close(): void {
    this.reader.close();
  }

  private opened(datasetId: number): Promise<DatasetIndex> {
    const present = this.open.get(datasetId);
    if (present) {
      this.open.delete(datasetId);
      this.open.set(datasetId, present);
      return present;
    }
    const opening = openDatasetIndex(datasetId, this.settings, this.reader, pause).then(
      (index) => {
        this.considerBuild(datasetId, index);
        return index;
      },
      (error: unknown) => {
        this.open.delete(datasetId);
        throw error;
      },
    );
    this.open.set(datasetId, opening);
    for (const leastUsed of this.open.keys()) {
      if (this.open.size <= this.settings.openDatasets) break;
      this.open.delete(leastUsed);
    }
    return opening;
  }

  /** Sees to it that dead rows and rows outside the graph stay few. */
  private considerBuild(datasetId: number, index: DatasetIndex): void {
    if (this.building.has(datasetId)) return;
    const { graphLimit, modelId, dimensions, parameters, dataDirectory } = this.settings;
    const crowded = index.deadShare > DEAD_SHARE && index.matrix.rows - index.liveRows > DEAD_ROWS_LEAST;
    if (index.liveRows <= graphLimit) {
      if (crowded || (index.liveRows === 0 && index.matrix.rows > 0)) this.compact(datasetId, index);
      return;
    }
    const waiting = index.tailRows >= Math.min(TAIL_MOST, Math.max(TAIL_LEAST, index.matrix.rows * TAIL_SHARE));
    if (!crowded && !waiting && index.graphRows > 0) return;
    this.building.add(datasetId);
    const base = crowded || index.graphRows === 0 || this.distrusted.has(datasetId) ? "nothing" : "checkpoint";
    const chunkIds = index.liveChunkIds(base === "nothing" ? 0 : index.graphRows);
    post({ type: "buildWanted", job: { datasetId, dataDirectory, modelId, dimensions, parameters, base, compacts: crowded, chunkIds } });
  }

  /** Leaves dead rows behind at once; a graph, no longer worth its while, goes with them. */
  private compact(datasetId: number, index: DatasetIndex): void {
    if (index.liveRows === 0) this.open.delete(datasetId);
    else this.open.set(datasetId, Promise.resolve(index.compacted()));
    removeCheckpoint(this.folder(datasetId));
  }

  /** Removes the folders of datasets that hold nothing any more. */
  private sweep(): void {
    const root = indexFolder(this.settings.dataDirectory);
    if (!existsSync(root)) return;
    for (const name of readdirSync(root)) {
      if (/^\d+$/.test(name) && this.reader.ranges(Number(name)).length === 0) removeCheckpoint(this.folder(Number(name)));
    }
  }

  private folder(datasetId: number): string {
    return datasetFolder(indexFolder(this.settings.dataDirectory), datasetId);
  }
}

/** Lets waiting messages, such as short searches, in. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const post = (message: FromIndexWorker): void => self.postMessage(message);

let keeper: IndexKeeper | null = null;

async function answer(request: ToIndexWorker): Promise<unknown> {
  if (request.type === "open") {
    keeper = new IndexKeeper(request.settings);
    return null;
  }
  if (!keeper) throw new Error("the index is not open");
  switch (request.type) {
    case "search": return keeper.search(request.datasetId, request.vector, request.count, request.within);
    case "add": return keeper.add(request.datasetId, request.firstChunkId, request.vectors);
    case "remove": return keeper.remove(request.datasetId, request.ranges);
    case "warm": return keeper.warm(request.datasetId);
    case "graphBuilt": return keeper.graphBuilt(request.job, request.failure);
    case "statistics": return keeper.statistics();
    case "close":
      keeper.close();
      keeper = null;
      return null;
  }
}

self.onmessage = async ({ data }: MessageEvent<ToIndexWorker>) => {
  try {
    post({ type: "reply", id: data.id, value: await answer(data) });
  } catch (error) {
    post({ type: "failed", id: data.id, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
};
