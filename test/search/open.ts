/** Both halves of a search thread as it has them, in this thread, with the real builder. */
import { Builds } from "../../src/search/builds.ts";
import { packRanges } from "../../src/search/packed-ranges.ts";
import type {
  BuildJob,
  LexicalQuestion,
  Neighbour,
  SearchNotices,
  SearchSettings,
  VectorStatistics,
  WordStatistics,
} from "../../src/search/types.ts";
import { VectorIndexes } from "../../src/search/vectors/vector-indexes.ts";
import type { LexicalAnswer } from "../../src/search/words/word-index.ts";
import { WordIndexes } from "../../src/search/words/word-indexes.ts";
import type { ChunkRange } from "../../src/store/index.ts";

type Notices = Partial<Pick<SearchNotices, "onDamage" | "onBuildFailure" | "onTooLarge">>;
const deaf = { onDamage: () => {}, onBuildFailure: () => {}, onTooLarge: () => {} };

interface Within {
  readonly datasetId: number;
  readonly count: number;
  readonly within?: readonly ChunkRange[] | undefined;
}

export interface OpenVectors {
  search(request: Within & { vector: Float32Array }): Promise<Neighbour[]>;
  similarities(request: {
    datasetId: number;
    vector: Float32Array;
    chunkIds: readonly number[];
  }): Promise<Float64Array>;
  add(input: { datasetId: number; range: ChunkRange }): Promise<void>;
  remove(input: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void>;
  warm(datasetId: number): Promise<void>;
  statistics(): Promise<VectorStatistics & { building: number }>;
  close(): Promise<void>;
}

export function openVectors(
  options: Omit<SearchSettings, "words" | "memoryBytes" | "parameters"> & { memoryBytes?: number } & Notices,
): OpenVectors {
  const { onDamage, onBuildFailure, onTooLarge, memoryBytes = Infinity, ...given } = { ...deaf, ...options };
  const settings = { ...given, memoryBytes, words: false, parameters: { connectivity: 32, expansionAdd: 200 } };
  const builds = new Builds();
  const onBuildWanted = (job: BuildJob): void => builds.build(job, (failure) => vectors.built(job, failure));
  const room = { most: settings.openDatasets, bytes: memoryBytes };
  const vectors = new VectorIndexes(settings, room, true, { onBuildWanted, onDamage, onBuildFailure, onTooLarge });
  return {
    search: ({ datasetId, vector, count, within }) =>
      vectors.search(datasetId, vector, count, within ? packRanges(within) : null),
    similarities: ({ datasetId, vector, chunkIds }) => vectors.similarities(datasetId, vector, chunkIds),
    add: ({ datasetId, range }) => vectors.add(datasetId, range),
    remove: ({ datasetId, ranges }) => vectors.remove(datasetId, ranges),
    warm: (datasetId) => vectors.warm(datasetId),
    statistics: async () => ({ ...(await vectors.statistics()), building: builds.waiting }),
    async close() {
      await builds.close();
      await vectors.close();
    },
  };
}

export interface OpenWords {
  search(request: Within & { question: LexicalQuestion }): Promise<LexicalAnswer>;
  scores(request: { datasetId: number; question: LexicalQuestion; chunkIds: readonly number[] }): Promise<Float64Array>;
  add(input: { datasetId: number; range: ChunkRange }): Promise<void>;
  remove(input: { datasetId: number; ranges: readonly ChunkRange[] }): Promise<void>;
  warm(datasetId: number): Promise<void>;
  statistics(): Promise<WordStatistics>;
  close(): Promise<void>;
}

export function openWords(
  options: { dataDirectory: string; openDatasets: number; memoryBytes?: number } & Notices,
): OpenWords {
  const { dataDirectory, openDatasets, memoryBytes = Infinity, ...notices } = { ...deaf, ...options };
  const words = new WordIndexes(dataDirectory, { most: openDatasets, bytes: memoryBytes }, true, notices);
  return {
    search: ({ datasetId, question, count, within }) =>
      words.search(datasetId, question, count, within ? packRanges(within) : null),
    scores: ({ datasetId, question, chunkIds }) => words.scores(datasetId, question, chunkIds),
    add: ({ datasetId, range }) => words.add(datasetId, range),
    remove: ({ datasetId, ranges }) => words.remove(datasetId, ranges),
    warm: (datasetId) => words.warm(datasetId),
    statistics: () => words.statistics(),
    close: () => words.close(),
  };
}
