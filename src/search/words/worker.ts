/** The lexical Worker: holds the open datasets' inverted indexes, answers searches, takes in what was added and removed. One per process. */
import { OpenDatasets } from "../open-datasets.ts";
import { unpackRanges } from "../packed-ranges.ts";
import { inSlices } from "../slices.ts";
import { serveOpened, type Opened } from "../../remote/serve.ts";
import { openTermReader, type ChunkRange, type TermReader } from "../../store/index.ts";
import type { DatasetIndex, LexicalAnswer } from "./dataset-index.ts";
import type { LexicalIndexOptions, LexicalQuestion } from "./index.ts";
import { addFromStore, openDatasetIndex } from "./open-index.ts";
import { datasetsWithSegments, SavedSegments } from "./saved-segments.ts";
import type { LexicalNotices, LexicalStatistics } from "./types.ts";

/** A dataset's segments are saved so long after they changed. */
const SAVE_MILLISECONDS = 1000;
/** After segments could not be saved it is tried again after so long, then after twice as long, and so on. */
const PAUSE_LEAST_MILLISECONDS = 60_000;
const PAUSE_MOST_MILLISECONDS = 60 * 60_000;

class LexicalKeeper {
  private readonly datasets: OpenDatasets<DatasetIndex>;
  private readonly reader: TermReader;
  private readonly saved = new WeakMap<DatasetIndex, SavedSegments>();
  /** Datasets whose segments changed since they were saved, and when they will be. */
  private readonly saving = new Map<number, Timer>();
  /** Whose damage was told: once, until they are saved anew. */
  private readonly told = new Set<number>();
  /** How long the pause after the last failure to save was. */
  private pause = 0;

  constructor(
    private readonly options: LexicalIndexOptions,
    private readonly notices: LexicalNotices,
  ) {
    const { dataDirectory, openDatasets, memoryBytes = Infinity } = options;
    this.reader = openTermReader({ dataDirectory });
    this.datasets = new OpenDatasets({ most: openDatasets, bytes: memoryBytes }, (datasetId) =>
      this.openIndex(datasetId),
    );
    for (const datasetId of datasetsWithSegments(dataDirectory))
      if (this.reader.ranges(datasetId).length === 0) this.forgetSaved(datasetId);
  }

  async search(
    datasetId: number,
    question: LexicalQuestion,
    count: number,
    within: Float64Array | null,
  ): Promise<LexicalAnswer> {
    const index = await this.datasets.use(datasetId);
    return inSlices(index.search(question, count, within));
  }

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

  async remove(datasetId: number, packed: Float64Array): Promise<void> {
    const ranges = unpackRanges(packed);
    const index = await this.datasets.current(datasetId);
    index?.remove(ranges);
    if (index && index.liveRows > 0) return this.saveSoon(datasetId);
    this.datasets.letGo(datasetId);
    // What is left may be stored anew under the same numbers: nothing saved of it holds any more.
    if (index || ranges.some(({ last }) => last === Number.MAX_SAFE_INTEGER)) this.forgetSaved(datasetId);
  }

  /** Not where it would push another out. */
  async warm(datasetId: number): Promise<void> {
    if (!this.datasets.isFull) await this.datasets.use(datasetId);
  }

  async statistics(): Promise<LexicalStatistics> {
    const indexes = await this.datasets.all();
    const sum = (value: (index: DatasetIndex) => number) => indexes.reduce((total, index) => total + value(index), 0);
    return { openDatasets: indexes.length, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
  }

  async close(): Promise<void> {
    for (const datasetId of [...this.saving.keys()]) await this.saveNow(datasetId);
    this.reader.close();
  }

  private async openIndex(datasetId: number): Promise<DatasetIndex> {
    const saved = new SavedSegments(this.options.dataDirectory, datasetId);
    const onDamage = (reason: string): void => {
      if (!this.told.has(datasetId)) this.notices.onDamage({ datasetId, reason });
      this.told.add(datasetId);
    };
    const index = await openDatasetIndex(datasetId, this.reader, saved, onDamage);
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
    this.attempt(() => new SavedSegments(this.options.dataDirectory, datasetId).save([]));
  }

  /** Told once where it fails, and tried again with growing pauses: searches do without. */
  private attempt(work: () => void): boolean {
    try {
      work();
      this.pause = 0;
      return true;
    } catch (error) {
      if (this.pause === 0) this.notices.onBuildFailure((error as Error).message);
      this.pause = Math.min(PAUSE_MOST_MILLISECONDS, Math.max(PAUSE_LEAST_MILLISECONDS, 2 * this.pause));
      return false;
    }
  }
}

const open = (
  options: LexicalIndexOptions,
  onBuildFailure: LexicalNotices["onBuildFailure"],
  onDamage: LexicalNotices["onDamage"],
): LexicalKeeper => new LexicalKeeper(options, { onBuildFailure, onDamage });

/** Ranges travel packed. */
export type LexicalThread = Opened<typeof open>;

serveOpened(open);
