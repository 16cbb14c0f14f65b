/** The vectors of every dataset that a thread keeps: which are in memory, what is saved of them, what is damaged. */
import { readdirSync } from "node:fs";
import { nextPause } from "../../foundation/growing-pause.ts";
import { openVectorReader, type ChunkRange, type VectorReader } from "../../store/index.ts";
import { OpenDatasets, type Room } from "../open-datasets.ts";
import { unpackRanges } from "../packed-ranges.ts";
import { letOthersIn } from "../../foundation/let-others-in.ts";
import { inSlices } from "../slices.ts";
import type { BuildJob, Neighbour, SearchNotices, SearchSettings, VectorStatistics } from "../types.ts";
import { isCompactedAtOnce, plannedBuild } from "./build-plan.ts";
import { datasetFolder, exists, indexFolder, readCheckpoint, removeOtherFiles, writeCheckpoint } from "./checkpoint.ts";
import { DamagedVectors } from "./matrix.ts";
import { appendPage, openVectorIndex, viewGraph, type OpenedIndex } from "./open-index.ts";
import { VectorNotes } from "./notes.ts";
import { Fellows } from "./sieve-together.ts";
import type { VectorIndex } from "./vector-index.ts";

/** While searches run, vectors are taken into memory a few thousand at a time with such pauses: a search lets others in a hundred times. */
const GIVE_WAY_MILLISECONDS = 20;
/** After a checkpoint could not be written its dataset goes without for so long, then for twice as long, and so on. */
const PAUSES = { least: 60_000, most: 60 * 60_000 };

/** What has to be said unasked. */
export interface VectorNotices extends Pick<SearchNotices, "onDamage" | "onBuildFailure" | "onTooLarge"> {
  /** A checkpoint is to be written; `built` is to be told what became of it. */
  readonly onBuildWanted: (job: BuildJob) => void;
}

export class VectorIndexes {
  private readonly datasets: OpenDatasets<VectorIndex>;
  /** Datasets of which a checkpoint is being written, and the index that wanted it. */
  private readonly building = new Map<number, WeakRef<VectorIndex>>();
  /** Questions that are being answered. */
  private asked = 0;
  /** Of what is saved of them not everything is in memory yet. */
  private readonly takingIn = new WeakSet<VectorIndex>();
  /** Datasets whose checkpoint could not be used, or not be built upon. */
  private readonly distrusted = new Set<number>();
  /** Datasets whose checkpoint could not be written, and how long the pause after it was. */
  private readonly pauses = new Map<number, number>();
  private readonly pausing = new Set<number>();
  private readonly notes: VectorNotes;
  private readonly reader: VectorReader;

  /** `sweeps`: whether it removes what is left of datasets that hold nothing any more. `fellows`: other threads that may help. The database must be there. */
  constructor(
    private readonly settings: SearchSettings,
    room: Room,
    sweeps: boolean,
    private readonly notices: VectorNotices,
    private readonly fellows: Fellows = new Fellows(),
  ) {
    this.reader = openVectorReader(settings);
    this.notes = new VectorNotes(notices);
    this.datasets = new OpenDatasets(room, (datasetId) => this.openIndex(datasetId));
    if (sweeps) this.sweep();
  }

  /** The nearest chunks, nearest first; `within`: packed ranges to which the search is restricted. */
  async search(
    datasetId: number,
    vector: Float32Array,
    count: number,
    within: Float64Array | null,
  ): Promise<Neighbour[]> {
    this.requireUnit(vector);
    const ranges = within && unpackRanges(within);
    return this.ask(datasetId, (index) => inSlices(index.search(vector, count, ranges)));
  }

  /** The cosine of each chunk's int8 vector and the question's, in order; NaN for a chunk that the dataset does not hold. */
  async similarities(datasetId: number, vector: Float32Array, chunkIds: readonly number[]): Promise<Float64Array> {
    this.requireUnit(vector);
    return this.ask(datasetId, async (index) => index.similarities(vector, chunkIds));
  }

  /** A dataset that is not in memory has nothing to add to: when it is opened, SQLite holds the new chunks. */
  async add(datasetId: number, { first, last }: ChunkRange): Promise<void> {
    for (let next = first; next <= last; ) {
      const index = await this.datasets.current(datasetId);
      if (!index) return;
      // Read and added at one go: a deletion is either seen here or told to the index afterwards.
      next = 1 + appendPage(index, datasetId, { first: next, last }, this.reader);
      this.datasets.makeRoom();
      if (next > last) this.considerBuild(datasetId, index);
      else await letOthersIn();
    }
  }

  async remove(datasetId: number, ranges: readonly ChunkRange[]): Promise<void> {
    const index = await this.datasets.current(datasetId);
    if (!index) return;
    index.remove(ranges);
    this.considerBuild(datasetId, index);
  }

  /** Not where it would push another out. */
  async warm(datasetId: number): Promise<void> {
    if (!this.datasets.isFull) await this.datasets.use(datasetId);
  }

  /** Takes the finished checkpoint into use, or sees to what follows its failure. */
  async built(job: BuildJob, failure: string | null): Promise<void> {
    const { datasetId } = job;
    const wantedBy = this.building.get(datasetId)?.deref();
    this.building.delete(datasetId);
    try {
      if (failure !== null) throw new Error(failure);
      const index = await this.datasets.current(datasetId);
      if (index) await this.useCheckpoint(job, index, wantedBy === index);
      this.distrusted.delete(datasetId);
      this.pauses.delete(datasetId);
      this.notes.mended(datasetId);
    } catch (error) {
      this.afterFailure(job, (error as Error).message);
    }
    const index = await this.datasets.current(datasetId);
    if (index) this.considerBuild(datasetId, index);
  }

  /** `isSame`: whether it is the index that wanted it; the rows of another may be in another order. */
  private async useCheckpoint(job: BuildJob, index: VectorIndex, isSame: boolean): Promise<void> {
    const { datasetId } = job;
    if (job.compacts || !isSame || this.datasets.isFull) {
      // Open as after a restart, where what is saved need not be in memory. Searches of this dataset wait for it; what is added meanwhile comes from SQLite.
      this.datasets.letGo(datasetId);
      await this.datasets.use(datasetId);
    } else {
      const folder = datasetFolder(this.settings.dataDirectory, datasetId);
      const checkpoint = readCheckpoint(folder, this.settings);
      if (!checkpoint) return;
      // Rows are only ever appended: the checkpoint now reaches to the row of its last chunk.
      const reach = index.rowAfter(checkpoint.chunkIds.at(-1) ?? 0);
      index.markSaved(reach);
      if (job.graph && checkpoint.graph)
        index.attachGraph(await viewGraph(folder, checkpoint.graph, this.settings, letOthersIn), reach);
      removeOtherFiles(folder, checkpoint);
    }
    // Unmaps the graph that was replaced: the collector does not know how large it is.
    if (job.graph) Bun.gc(true);
  }

  /** A checkpoint that cannot be built upon is made anew at once. What fails then too is tried again later: told once, and searched from memory meanwhile. */
  private afterFailure({ datasetId, base }: BuildJob, reason: string): void {
    if (base === "checkpoint") return this.distrust(datasetId, reason);
    const last = this.pauses.get(datasetId);
    if (last === undefined) this.notices.onBuildFailure(reason);
    const pause = nextPause(last ?? 0, PAUSES);
    this.pauses.set(datasetId, pause);
    this.pausing.add(datasetId);
    setTimeout(() => this.afterPause(datasetId), pause);
  }

  private async afterPause(datasetId: number): Promise<void> {
    this.pausing.delete(datasetId);
    // One that cannot be opened is told to whoever searches it.
    const index = await this.datasets.current(datasetId).catch(() => undefined);
    if (index) this.considerBuild(datasetId, index);
  }

  async statistics(): Promise<VectorStatistics> {
    const indexes = await this.datasets.all();
    const sum = (value: (index: VectorIndex) => number) => indexes.reduce((total, index) => total + value(index), 0);
    return {
      openDatasets: indexes.length,
      rows: sum((index) => index.matrix.rows),
      graphRows: sum((index) => index.graphRows),
      savedRows: sum((index) => index.savedRows),
      bytes: sum((index) => index.matrix.bytes),
    };
  }

  /** Answers what is being asked first. */
  async close(): Promise<void> {
    this.datasets.close();
    while (this.asked > 0) await letOthersIn();
    this.reader.close();
  }

  /** What is asked must be finite, of unit length and of the model's dimensions: one NaN would match everything. */
  private requireUnit(vector: Float32Array): void {
    const { dimensions } = this.settings;
    if (vector.length !== dimensions)
      throw new RangeError(`a vector has ${vector.length} dimensions, the index ${dimensions}`);
    const square = vector.reduce((sum, value) => sum + value * value, 0);
    if (!(Math.abs(square - 1) < 0.01)) throw new RangeError(`a vector's length is ${Math.sqrt(square)}, not 1`);
  }

  /** Asks a dataset's index; where what is saved turns out to be damaged, one that was made without it. */
  private async ask<Answer>(datasetId: number, question: (index: VectorIndex) => Promise<Answer>): Promise<Answer> {
    const index = await this.datasets.use(datasetId);
    this.asked++;
    try {
      return await question(index);
    } catch (error) {
      if (!(error instanceof DamagedVectors)) throw error;
      await this.doWithout(datasetId, index, error.message);
      return question(await this.datasets.use(datasetId));
    } finally {
      this.asked--;
    }
  }

  private async openIndex(datasetId: number): Promise<VectorIndex> {
    const opened = await openVectorIndex(datasetId, this.settings, this.reader, {
      fellows: this.fellows,
      trusted: !this.distrusted.has(datasetId),
      tidy: !this.building.has(datasetId),
      onDamage: (reason) => this.notes.damage(datasetId, reason),
      pause: letOthersIn,
    });
    const { index } = opened;
    if (isCompactedAtOnce(index) && !this.building.has(datasetId)) {
      this.removeFiles(datasetId);
      return index.compacted(this.reader);
    }
    this.takingIn.add(index);
    // What cannot be opened then is told to whoever searches it.
    this.takeIn(datasetId, opened).catch(() => undefined);
    return index;
  }

  /** Brings the rest of what is saved into memory behind the searches' back, as long as the dataset is used and there is room. */
  private async takeIn(datasetId: number, { index, rest }: OpenedIndex): Promise<void> {
    try {
      do await (this.asked > 0 ? Bun.sleep(GIVE_WAY_MILLISECONDS) : letOthersIn());
      while (rest && this.datasets.has(datasetId, index) && !this.datasets.isFull && index.matrix.takeNext());
    } catch (error) {
      return this.doWithout(datasetId, index, (error as Error).message);
    }
    try {
      if (rest?.graph && this.datasets.has(datasetId, index))
        index.attachGraph(await viewGraph(rest.folder, rest.graph, this.settings, letOthersIn), rest.graph.rows);
    } catch (error) {
      // The next checkpoint is built upon the vectors, with a new graph.
      this.notes.damage(datasetId, (error as Error).message);
      if (rest && !this.building.has(datasetId)) this.forgetGraph(datasetId, rest.folder);
    }
    this.takingIn.delete(index);
    if (rest && this.datasets.has(datasetId, index)) this.notes.size(datasetId, rest.vectors);
    if (this.datasets.has(datasetId, index)) this.considerBuild(datasetId, index);
  }

  private forgetGraph(datasetId: number, folder: string): void {
    try {
      const checkpoint = readCheckpoint(folder, this.settings);
      if (checkpoint) writeCheckpoint(folder, this.settings, { ...checkpoint, graph: null });
    } catch (error) {
      this.notes.damage(datasetId, (error as Error).message);
    }
  }

  /** Has a dataset opened from the store alone, and its checkpoint made anew, unless another search saw to it. */
  private async doWithout(datasetId: number, damaged: VectorIndex, reason: string): Promise<void> {
    if ((await this.datasets.current(datasetId)) !== damaged) return;
    this.distrust(datasetId, reason);
    this.datasets.letGo(datasetId);
    await this.datasets.use(datasetId);
  }

  private distrust(datasetId: number, reason: string): void {
    this.distrusted.add(datasetId);
    this.notes.damage(datasetId, reason);
  }

  /** Sees to it that dead rows, rows outside the checkpoint and rows outside the graph stay few. */
  private considerBuild(datasetId: number, index: VectorIndex): void {
    if (this.building.has(datasetId) || this.takingIn.has(index)) return;
    if (isCompactedAtOnce(index)) return this.compact(datasetId, index);
    if (this.pausing.has(datasetId)) return;
    const job = plannedBuild(datasetId, index, this.settings, !this.distrusted.has(datasetId));
    if (job === null) return;
    this.building.set(datasetId, new WeakRef(index));
    this.notices.onBuildWanted(job);
  }

  /** Leaves dead rows behind at once: what is left is little. */
  private compact(datasetId: number, index: VectorIndex): void {
    if (index.liveRows === 0) this.datasets.letGo(datasetId);
    else this.datasets.replace(datasetId, index.compacted(this.reader));
    this.removeFiles(datasetId);
  }

  /** Files that stay are none the worse for it: what they hold and SQLite does not know is dead. */
  private removeFiles(datasetId: number): void {
    try {
      removeOtherFiles(datasetFolder(this.settings.dataDirectory, datasetId), null);
    } catch (error) {
      this.notes.damage(datasetId, (error as Error).message);
    }
  }

  /** Removes the folders of datasets that hold nothing any more. */
  private sweep(): void {
    for (const name of this.folders()) {
      if (/^\d+$/.test(name) && this.reader.ranges(Number(name)).length === 0) this.removeFiles(Number(name));
    }
  }

  private folders(): string[] {
    const root = indexFolder(this.settings.dataDirectory);
    try {
      return exists(root) ? readdirSync(root) : [];
    } catch (error) {
      this.notes.damage(null, (error as Error).message);
      return [];
    }
  }
}
