/** The lexical Worker: holds the open datasets' inverted indexes, answers searches, takes in what was added and removed. One per process. */
import { OpenDatasets } from "../indexing/open-datasets.ts";
import { unpackRanges } from "../indexing/packed-ranges.ts";
import { inSlices } from "../indexing/slices.ts";
import { serveThread } from "../remote/serve.ts";
import { openTermReader, type ChunkRange, type TermReader } from "../store/index.ts";
import type { DatasetIndex, LexicalAnswer } from "./dataset-index.ts";
import type { LexicalIndexOptions, LexicalQuestion } from "./index.ts";
import { addFromStore, openDatasetIndex } from "./open-index.ts";
import type { LexicalStatistics } from "./types.ts";

class LexicalKeeper {
  private readonly open: OpenDatasets<DatasetIndex>;
  private readonly reader: TermReader;

  constructor({ dataDirectory, openDatasets }: LexicalIndexOptions) {
    this.reader = openTermReader({ dataDirectory });
    this.open = new OpenDatasets(openDatasets, (datasetId) => openDatasetIndex(datasetId, this.reader));
  }

  async search(
    datasetId: number,
    question: LexicalQuestion,
    count: number,
    within: Float64Array | null,
  ): Promise<LexicalAnswer> {
    const index = await this.open.use(datasetId);
    return inSlices(index.search(question, count, within));
  }

  async scores(datasetId: number, question: LexicalQuestion, chunkIds: readonly number[]): Promise<Float64Array> {
    return (await this.open.use(datasetId)).scores(question, chunkIds);
  }

  /** A dataset that is not in memory has nothing to add to: when it is opened, SQLite holds the new chunks. */
  async add(datasetId: number, range: ChunkRange): Promise<void> {
    const index = await this.open.present(datasetId);
    if (index) await addFromStore(index, range, this.reader);
  }

  async remove(datasetId: number, ranges: readonly ChunkRange[]): Promise<void> {
    const index = await this.open.present(datasetId);
    if (!index) return;
    index.remove(ranges);
    if (index.liveRows === 0) this.open.letGo(datasetId);
  }

  async warm(datasetId: number): Promise<void> {
    await this.open.use(datasetId);
  }

  async statistics(): Promise<LexicalStatistics> {
    const indexes = await this.open.all();
    const sum = (value: (index: DatasetIndex) => number) => indexes.reduce((total, index) => total + value(index), 0);
    return { openDatasets: indexes.length, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
  }

  close(): void {
    this.reader.close();
  }
}

class LexicalThread {
  private keeper: LexicalKeeper | null = null;

  open(options: LexicalIndexOptions): void {
    this.keeper = new LexicalKeeper(options);
  }

  search(
    datasetId: number,
    question: LexicalQuestion,
    count: number,
    within: Float64Array | null,
  ): Promise<LexicalAnswer> {
    return this.opened.search(datasetId, question, count, within);
  }

  scores(datasetId: number, question: LexicalQuestion, chunkIds: readonly number[]): Promise<Float64Array> {
    return this.opened.scores(datasetId, question, chunkIds);
  }

  add(datasetId: number, range: ChunkRange): Promise<void> {
    return this.opened.add(datasetId, range);
  }

  remove(datasetId: number, ranges: Float64Array): Promise<void> {
    return this.opened.remove(datasetId, unpackRanges(ranges));
  }

  warm(datasetId: number): Promise<void> {
    return this.opened.warm(datasetId);
  }

  statistics(): Promise<LexicalStatistics> {
    return this.opened.statistics();
  }

  close(): void {
    this.keeper?.close();
    this.keeper = null;
  }

  private get opened(): LexicalKeeper {
    if (!this.keeper) throw new Error("the lexical index is not open");
    return this.keeper;
  }
}

export type { LexicalThread };

serveThread(new LexicalThread());
