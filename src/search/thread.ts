/** A search thread: keeps the vectors and the words of its datasets, and searches both. */
import { takeShortTurns } from "../native/thread-priority.ts";
import { serveOpened, servePort, type Opened } from "../remote/serve.ts";
import { MemoryLedger } from "./memory-ledger.ts";
import { unpackRanges } from "./packed-ranges.ts";
import { propose } from "./proposals.ts";
import {
  VECTORS_SHARE,
  type AskedQuestion,
  type BuildJob,
  type Found,
  type IndexDamage,
  type LargeIndex,
  type Neighbour,
  type Proposal,
  type SearchSettings,
  type ThreadPlace,
  type VectorStatistics,
  type WordStatistics,
} from "./types.ts";
import { Fellows, SieveHelper } from "./vectors/sieve-together.ts";
import { VectorIndexes } from "./vectors/vector-indexes.ts";
import { WordIndexes } from "./words/word-indexes.ts";

/** Ranges travel packed. */
class DatasetSearch {
  /** Ports over which others ask. */
  private readonly answering = new Map<number, MessagePort>();

  constructor(
    private readonly vectors: VectorIndexes,
    private readonly words: WordIndexes | null,
    private readonly fellows: Fellows,
  ) {}

  async find(datasetId: number, question: AskedQuestion, count: number, within: Float64Array | null): Promise<Found> {
    return propose({ vectors: this.vectors, words: this.words! }, { datasetId, question, count, within });
  }

  nearest(datasetId: number, vector: Float32Array, count: number, within: Float64Array | null): Promise<Neighbour[]> {
    return this.vectors.search(datasetId, vector, count, within);
  }

  async evidence(datasetId: number, question: AskedQuestion, chunkIds: readonly number[]): Promise<Proposal[]> {
    const [cosines, overlaps] = await Promise.all([
      this.vectors.similarities(datasetId, question.vector, chunkIds),
      this.words?.scores(datasetId, question, chunkIds),
    ]);
    return chunkIds
      .map((chunkId, at) => ({ chunkId, cosine: cosines[at]!, overlap: overlaps?.[at] ?? 0 }))
      .filter(({ cosine }) => !Number.isNaN(cosine));
  }

  async add(datasetId: number, range: { first: number; last: number }): Promise<void> {
    await Promise.all([this.vectors.add(datasetId, range), this.words?.add(datasetId, range)]);
  }

  async remove(datasetId: number, packed: Float64Array): Promise<void> {
    const ranges = unpackRanges(packed);
    await Promise.all([this.vectors.remove(datasetId, ranges), this.words?.remove(datasetId, ranges)]);
  }

  async forgetWords(datasetId: number): Promise<void> {
    await this.words?.forget(datasetId);
  }

  async warm(datasetId: number): Promise<void> {
    await Promise.all([this.vectors.warm(datasetId), this.words?.warm(datasetId)]);
  }

  /** Takes a checkpoint that was wanted into use, or sees to what follows its failure. */
  built(job: BuildJob, failure: string | null): Promise<void> {
    return this.vectors.built(job, failure);
  }

  /** Another thread is there: this one asks it over one port, and answers it over the other. */
  meet(other: number, { asks, answers }: { readonly asks: MessagePort; readonly answers: MessagePort }): void {
    this.part(other);
    this.fellows.meet(other, asks);
    this.answering.set(other, answers);
    servePort(answers, new SieveHelper(this.fellows.place));
  }

  /** Another thread is gone. */
  part(other: number): void {
    this.fellows.part(other);
    this.answering.get(other)?.close();
    this.answering.delete(other);
  }

  async statistics(): Promise<{ vectors: VectorStatistics; words: WordStatistics | null }> {
    return { vectors: await this.vectors.statistics(), words: (await this.words?.statistics()) ?? null };
  }

  async close(): Promise<void> {
    await this.vectors.close();
    await this.words?.close();
  }
}

async function open(
  settings: SearchSettings,
  place: ThreadPlace,
  onBuildWanted: (job: BuildJob) => void,
  onDamage: (damage: IndexDamage) => void,
  onBuildFailure: (reason: string) => void,
  onTooLarge: (large: LargeIndex) => void,
): Promise<DatasetSearch> {
  await takeShortTurns();
  const { own, threads, vectorNotes, wordNotes } = place;
  const { words, dataDirectory, memoryBytes } = settings;
  const sweeps = own === 0;
  const room = (share: number, notes: Float64Array) => ({
    most: settings.openDatasets,
    bytes: memoryBytes * share,
    ledger: new MemoryLedger(notes, own),
  });
  const fellows = new Fellows({ own, threads });
  const notices = { onBuildWanted, onDamage, onBuildFailure, onTooLarge };
  return new DatasetSearch(
    new VectorIndexes(settings, room(words ? VECTORS_SHARE : 1, vectorNotes), sweeps, notices, fellows),
    words ? new WordIndexes(dataDirectory, room(1 - VECTORS_SHARE, wordNotes), sweeps, notices) : null,
    fellows,
  );
}

export type SearchThread = Opened<typeof open>;

serveOpened(open);
