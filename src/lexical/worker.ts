/** The lexical Worker: holds the open datasets' inverted indexes, answers searches, takes in what was added and removed. One per process. */
import { OpenDatasets } from "../indexing/open-datasets.ts";
import { unpackRanges } from "../indexing/packed-ranges.ts";
import { answerRequests, inSlices } from "../indexing/requests.ts";
import { openTermReader, type ChunkRange, type TermReader } from "../store/index.ts";
import type { DatasetIndex, LexicalAnswer } from "./dataset-index.ts";
import type { LexicalIndexOptions, LexicalQuestion } from "./index.ts";
import { addFromStore, openDatasetIndex } from "./open-index.ts";
import type { LexicalRequest, LexicalStatistics } from "./protocol.ts";

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

let keeper: LexicalKeeper | null = null;

answerRequests((request: LexicalRequest) => {
  if (request.type === "open") {
    keeper = new LexicalKeeper(request.options);
    return null;
  }
  if (!keeper) throw new Error("the lexical index is not open");
  switch (request.type) {
    case "search":
      return keeper.search(request.datasetId, request.question, request.count, request.within);
    case "scores":
      return keeper.scores(request.datasetId, request.question, request.chunkIds);
    case "add":
      return keeper.add(request.datasetId, unpackRanges(request.range)[0]!);
    case "remove":
      return keeper.remove(request.datasetId, unpackRanges(request.ranges));
    case "warm":
      return keeper.warm(request.datasetId);
    case "statistics":
      return keeper.statistics();
    case "close":
      keeper.close();
      keeper = null;
      return null;
  }
});
