/** Question → passages: what search and query share. */
import type { MetadataFilter, StoredChunk } from "../store/index.ts";
import type { Neighbour } from "../vectors/index.ts";
import type { Engines } from "./engines.ts";

export interface RetrievalRequest {
  readonly customerId: string;
  /** The dataset's name, as callers know it. */
  readonly datasetId: string;
  readonly question: string;
  readonly filters: readonly MetadataFilter[];
}

export interface Passage {
  readonly chunk: StoredChunk;
  /** Similarity from 0 to 1 by the model's calibration. */
  readonly score: number;
}

/** One item of a search's answer. */
export interface SearchResult {
  score: number;
  pageContent: string;
  metadata: Record<string, unknown>;
}

/**
 * The passages of a dataset nearest to the question, best first, at most `count`; none when the dataset is
 * unknown or nothing matches the filters. Filters restrict what is searched, so few matches are found however far down they rank.
 *
 * Every passage was stored at the moment the promise resolved: a caller that answers without waiting for anything else never
 * shows a deleted file.
 */
export async function retrieve(engines: Engines, request: RetrievalRequest, count = engines.searchResults): Promise<Passage[]> {
  const dataset = engines.store.dataset(request.customerId, request.datasetId);
  if (dataset === null || dataset.chunkCount === 0) return [];
  const [vector] = await engines.embedder.embed([request.question.toWellFormed()], "query", "search");

  const findNeighbours = (): Promise<Neighbour[]> => {
    if (request.filters.length === 0) return engines.vectors.search({ datasetId: dataset.id, vector: vector!, count });
    const within = engines.store.matching(dataset, request.filters);
    if (within.length === 0) return Promise.resolve([]);
    return engines.vectors.search({ datasetId: dataset.id, vector: vector!, count, within });
  };

  let neighbours = await findNeighbours();
  let passages = readPassages(engines, neighbours);
  if (passages.length < neighbours.length) {
    // A file was deleted while the search ran; others may take its place.
    neighbours = await findNeighbours();
    passages = readPassages(engines, neighbours);
  }
  return passages;
}

/** Whether all passages are still stored. */
export function areStored(engines: Engines, passages: readonly Passage[]): boolean {
  return engines.store.chunks(passages.map(({ chunk }) => chunk.chunkId)).size === passages.length;
}

/** A passage as the interface shows it. The file's own metadata never replaces ours. */
export function toSearchResult({ chunk, score }: Passage): SearchResult {
  const { file } = chunk;
  return {
    score,
    pageContent: chunk.text,
    metadata: {
      ...file.extraMeta,
      fileId: file.fileId,
      originalName: file.originalName,
      customerId: file.customerId,
      datasetId: file.datasetName,
      chunkIndex: chunk.chunkIndex,
    },
  };
}

function readPassages(engines: Engines, neighbours: readonly Neighbour[]): Passage[] {
  const chunks = engines.store.chunks(neighbours.map(({ chunkId }) => chunkId));
  const passages: Passage[] = [];
  for (const { chunkId, similarity } of neighbours) {
    const chunk = chunks.get(chunkId);
    if (chunk !== undefined) passages.push({ chunk, score: engines.embedder.score(similarity) });
  }
  return passages;
}
