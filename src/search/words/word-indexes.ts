/** The words of every dataset that a thread keeps: which are in memory, and what is saved of them. */
import { nextPause } from "../../foundation/growing-pause.ts";
import { openTermReader, type ChunkRange, type TermReader } from "../../store/index.ts";
import { OpenDatasets, type Room } from "../open-datasets.ts";
import { inSlices } from "../slices.ts";
import type { LexicalQuestion, SearchNotices, WordStatistics } from "../types.ts";
import { addFromStore, openWordIndex } from "./open-index.ts";
import { datasetsWithSegments, SavedSegments } from "./saved-segments.ts";
import type { LexicalAnswer, WordIndex } from "./word-index.ts";

/** A dataset's segments are saved so long after they changed. */
const SAVE_MILLISECONDS = 1000;
/** After segments could not be saved it is tried again after so long, then after twice as long, and so on. */
const PAUSES = { least: 60_000, most: 60 * 60_000 };

export class WordIndexes {
  private readonly datasets: OpenDatasets<WordIndex>;
  private readonly reader: TermReader;
  private readonly saved = new WeakMap<WordIndex, SavedSegments>();
  /** Datasets whose segments changed since they were saved, and when they will be. */
  private readonly saving = new Map<number, Timer>();
  /** Whose damage was told: once, until they are saved anew. */
  private readonly told = new Set<number>();
  /** How long the pause after the last failure to save was. */
  private pause = 0;

  /** `sweeps`: whether it removes what is left of datasets that hold nothing any more. The database must be there. */
  constructor(
    private readonly dataDirectory: string,
    room: Room,
    sweeps: boolean,
    private readonly notices: Pick<SearchNotices, "onDamage" | "onBuildFailure">,
  ) {
    this.reader = openTermReader({ dataDirectory });
    this.datasets = new OpenDatasets(room, (datasetId) => this.openIndex(datasetId));
    for (const datasetId of sweeps ? datasetsWithSegments(dataDirectory) : [])
      if (this.reader.ranges(datasetId).length === 0) this.forgetSaved(datasetId);
  }

  /**
   * The `count` chunks of a dataset that match the question's terms best, with BM25 scores as a share of the question's
   * maximum, best first. Chunks that hold none of the terms do not match. `within`, packed ranges, restricts the search; it does not
   * change scores.
   */
  async search(
    datasetId: number,
    question: LexicalQuestion,
    count: number,
    within: Float64Array | null,
  ): Promise<LexicalAnswer> {
    const index = await this.datasets.use(datasetId);
    return inSlices(index.search(question, count, within));
  }

  /** The same scores of given chunks, in order; 0 for a chunk that the dataset does not hold. */
  async scores(datasetId: number, question: LexicalQuestion, chunkIds: readonly number[]): Promise<Float64Array> {
    return (await this.datasets.use(datasetId)).scores(question, chunkIds);
  }

  /** A dataset that is not in memory has nothing to add to: when it is opened, SQLite holds the new chunks. */
  async add(datasetId: number, range: ChunkRange): Promise<void> {
    const index = await this.datasets.current(datasetId);
    if (!index) return;
    await addFromStore(index, range, this.reader);
    this.datasets.makeRoom();
    this.saveSoon(datasetId);
  }

  async remove(datasetId: number, ranges: readonly ChunkRange[]): Promise<void> {
    const index = await this.datasets.current(datasetId);
    index?.remove(ranges);
    if (index && index.liveRows > 0) return this.saveSoon(datasetId);
    this.datasets.letGo(datasetId);
    // What is left may be stored anew under the same numbers: nothing saved of it holds any more.
    if (index || ranges.some(({ last }) => last === Number.MAX_SAFE_INTEGER)) this.forgetSaved(datasetId);
  }

  /** Lets go of what is in memory and what is saved: the next search reads what the store holds. */
  async forget(datasetId: number): Promise<void> {
    await this.remove(datasetId, [{ first: 0, last: Number.MAX_SAFE_INTEGER }]);
  }

  /** Not where it would push another out. */
  async warm(datasetId: number): Promise<void> {
    if (!this.datasets.isFull) await this.datasets.use(datasetId);
  }

  async statistics(): Promise<WordStatistics> {
    const indexes = await this.datasets.all();
    const sum = (value: (index: WordIndex) => number) => indexes.reduce((total, index) => total + value(index), 0);
    return { openDatasets: indexes.length, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
  }

  async close(): Promise<void> {
    for (const datasetId of [...this.saving.keys()]) await this.saveNow(datasetId);
    this.datasets.close();
    this.reader.close();
  }

  private async openIndex(datasetId: number): Promise<WordIndex> {
    const saved = new SavedSegments(this.dataDirectory, datasetId);
    const onDamage = (reason: string): void => {
      if (!this.told.has(datasetId)) this.notices.onDamage({ datasetId, reason });
      this.told.add(datasetId);
    };
    const index = await openWordIndex(datasetId, this.reader, saved, onDamage);
    this.saved.set(index, saved);
    this.saveSoon(datasetId);
    return index;
  }

  private saveSoon(datasetId: number): void {
    if (this.saving.has(datasetId)) return;
    const timer = setTimeout(() => void this.saveNow(datasetId), Math.max(SAVE_MILLISECONDS, this.pause));
    timer.unref();
    this.saving.set(datasetId, timer);
  }

  private async saveNow(datasetId: number): Promise<void> {
    clearTimeout(this.saving.get(datasetId));
    this.saving.delete(datasetId);
    // One that cannot be opened is told to whoever searches it.
    const index = await this.datasets.current(datasetId).catch(() => undefined);
    const saved = index && this.saved.get(index);
    if (!saved) return;
    if (this.attempt(() => saved.save(index.segments))) this.told.delete(datasetId);
    else this.saveSoon(datasetId);
  }

  private forgetSaved(datasetId: number): void {
    this.attempt(() => new SavedSegments(this.dataDirectory, datasetId).save([]));
  }

  /** Told once where it fails, and tried again with growing pauses: searches do without. */
  private attempt(work: () => void): boolean {
    try {
      work();
      this.pause = 0;
      return true;
    } catch (error) {
      if (this.pause === 0) this.notices.onBuildFailure((error as Error).message);
      this.pause = nextPause(this.pause, PAUSES);
      return false;
    }
  }
}
