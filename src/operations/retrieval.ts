/** Question → passages: what search and query share. */
import type { DocumentProperties } from "../foundation/place.ts";
import type { Question } from "../ranking/index.ts";
import { indexId, type Dataset, type MetadataFilter, type StoredChunk } from "../store/index.ts";
import type { Engines } from "./engines.ts";
import type { ModelEngines } from "./models-in-use.ts";
import { rankChunks, type Ranked, type RankedChunk } from "./ranking.ts";

/** Chunks ranked beyond those that are asked for: they take the place of some that are deleted while the search runs. */
const SPARE = 8;
/** Searches of one request during which more are deleted than that. */
const ATTEMPTS = 4;

export interface RetrievalRequest {
  readonly customerId: string;
  /** The dataset's name, as callers know it. */
  readonly datasetId: string;
  readonly question: string;
  readonly filters: readonly MetadataFilter[];
}

/** A ranked chunk as it is stored. */
export interface Passage extends Omit<RankedChunk, "chunkId"> {
  readonly chunk: StoredChunk;
}

export interface Retrieved {
  /** Best first. */
  readonly passages: Passage[];
  /** The question as it can be asked of other texts of the dataset; null where it cannot. */
  readonly question: Question | null;
}

/** One item of a search's answer. */
export interface SearchResult {
  score: number;
  pageContent: string;
  metadata: Record<string, unknown>;
}

/**
 * The passages of a dataset that answer the question best, best first, at most `count`; none when the dataset is
 * unknown or nothing matches the filters. Filters restrict what is searched, so few matches are found however far down they rank.
 *
 * Every passage was stored at the moment the promise resolved: a caller that answers without waiting for anything else never
 * shows a deleted file.
 */
export function retrieve(
  engines: Engines,
  request: RetrievalRequest,
  count = engines.searchResults,
): Promise<Retrieved> {
  return engines.runningSearches.during(() => retrieveStored(engines, request, count));
}

async function retrieveStored(engines: Engines, request: RetrievalRequest, count: number): Promise<Retrieved> {
  const find = (): Dataset | null => engines.store.dataset(request.customerId, request.datasetId);
  for (let dataset = find(); ; ) {
    if (dataset === null || dataset.chunkCount === 0) return { passages: [], question: null };
    const { id, generation, modelId }: Dataset = dataset;
    const retrieved = await engines.models.during(modelId, (model) =>
      retrieveFrom(engines, model, dataset!, request, count),
    );
    dataset = find();
    // Emptied or embedded anew meanwhile, its old vectors may have been removed under the search.
    if (dataset === null || (dataset.id === id && dataset.generation === generation)) return retrieved;
  }
}

async function retrieveFrom(
  engines: Engines,
  model: ModelEngines,
  dataset: Dataset,
  request: RetrievalRequest,
  count: number,
): Promise<Retrieved> {
  const rank = async (): Promise<Ranked> => {
    const within = request.filters.length === 0 ? undefined : engines.store.matching(dataset, request.filters);
    return within?.length === 0
      ? { chunks: [], question: null }
      : rankChunks(model, engines.secondStage, {
          datasetId: indexId(dataset.id, dataset.generation),
          question: request.question,
          count: count + SPARE,
          within,
        });
  };

  for (let attempt = 1; ; attempt++) {
    const { chunks, question } = await rank();
    // As they are at one moment: of a file and the one that takes its place, just one is found.
    const passages = engines.store.atOneMoment(() => readPassages(engines, chunks, count));
    if (passages.length === Math.min(count, chunks.length) || attempt === ATTEMPTS) return { passages, question };
  }
}

/** Whether all passages are still stored. */
export function areStored(engines: Engines, passages: readonly Passage[]): boolean {
  return engines.store.chunks(passages.map(({ chunk }) => chunk.chunkId)).size === passages.length;
}

/** A passage as the interface shows it. The file's own metadata never replaces ours, nor what its format says. */
export function toSearchResult({ chunk, score }: Passage): SearchResult {
  const { file } = chunk;
  return {
    score,
    pageContent: chunk.text,
    metadata: {
      ...(file.extraMeta !== null && (JSON.parse(file.extraMeta) as Record<string, unknown>)),
      ...(file.properties !== null && (JSON.parse(file.properties) as DocumentProperties)),
      ...(file.relativePath !== null && { path: file.relativePath }),
      ...chunk.place,
      fileId: file.fileId,
      originalName: file.originalName,
      customerId: file.customerId,
      datasetId: file.datasetName,
      chunkIndex: chunk.chunkIndex,
    },
  };
}

/** The first `count` that are still stored. */
function readPassages(engines: Engines, ranked: readonly RankedChunk[], count: number): Passage[] {
  const passages: Passage[] = [];
  for (let start = 0; passages.length < count && start < ranked.length; ) {
    const next = ranked.slice(start, start + count - passages.length);
    const chunks = engines.store.chunks(next.map(({ chunkId }) => chunkId));
    for (const { chunkId, ...said } of next) {
      const chunk = chunks.get(chunkId);
      if (chunk !== undefined) passages.push({ chunk, ...said });
    }
    start += next.length;
  }
  return passages;
}
