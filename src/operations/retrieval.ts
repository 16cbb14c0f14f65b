/** Question → passages: what search and query share. */
import type { DocumentProperties } from "../foundation/place.ts";
import type { Question } from "../ranking/index.ts";
import {
  indexId,
  joinRanges,
  withoutRanges,
  type Dataset,
  type MetadataFilter,
  type StoredChunk,
} from "../store/index.ts";
import type { Engines } from "./engines.ts";
import type { ModelEngines } from "./models-in-use.ts";
import { CANDIDATES, rankChunks, type RankedChunk } from "./ranking.ts";

/** Chunks ranked beyond those that are asked for: they take the place of copies, and of some that are deleted while the search runs. */
const SPARE = 8;
/** Searches of one request among whose chunks are more copies and deleted ones than that. */
const ROUNDS = 4;

export interface RetrievalRequest {
  readonly customerId: string;
  /** The dataset's name, as callers know it. */
  readonly datasetId: string;
  readonly question: string;
  readonly filters: readonly MetadataFilter[];
  /** Most results; null: as many as the server gives. */
  readonly limit: number | null;
  /** What a result scores at least. */
  readonly minScore: number;
  /** Whether results tell where the question's words stand. */
  readonly highlights: boolean;
  /** Whether results tell what each kind of evidence said of them. */
  readonly explain: boolean;
}

/** A ranked chunk as it is stored. */
export interface Passage extends Omit<RankedChunk, "chunkId"> {
  readonly chunk: StoredChunk;
  /** Other chunks that were found with the same text. */
  readonly copies: readonly StoredChunk[];
  /** Where the question's words stand in its text, UTF-16 units [start, end); null where nobody asked. */
  readonly highlights: readonly (readonly [number, number])[] | null;
}

export interface Retrieved {
  /** Best first. */
  readonly passages: Passage[];
  /** The question as it can be asked of other texts of the dataset; null where it cannot. */
  readonly question: Question | null;
}

export interface ShownPassage {
  pageContent: string;
  metadata: Record<string, unknown>;
}

/** What each kind of evidence said of a result, each from 0 to 1; null where it said nothing. */
export interface Explanation {
  /** How near its meaning is to the question's: the cosine of their vectors. */
  meaning: number | null;
  /** Its words: BM25 as a share of the most that the question can have. */
  words: number | null;
  /** The question's words, or other forms of them, as they stand in it. */
  matched: string[];
  /** How much of the question its best stretch answers, read word by word. */
  reading: number | null;
  /** How many neighbours in the question are neighbours in it. */
  pairs: number | null;
}

/** One item of a search's answer. */
export interface SearchResult extends ShownPassage {
  score: number;
  /** Where the question's words stand in pageContent, in UTF-16 units, the end excluded; left out where nobody asked. */
  highlights?: { start: number; end: number }[];
  /** Left out where nobody asked. */
  explanation?: Explanation;
  /** Where else the same text was found; left out where it was not. */
  alsoIn?: { fileId: string; originalName: string; chunkIndex: number }[];
}

/**
 * The passages of a dataset that answer the question best, best first, at most `most` and the request's limit; none when the dataset is
 * unknown or nothing matches the filters. Filters restrict what is searched, so few matches are found however far down they rank. Of
 * chunks with the same text the best is one of them, and knows the others.
 *
 * Every passage was stored at the moment the promise resolved: a caller that answers without waiting for anything else never
 * shows a deleted file.
 */
export function retrieve(
  engines: Engines,
  request: RetrievalRequest,
  most = engines.searchResults,
): Promise<Retrieved> {
  const count = Math.min(most, request.limit ?? most);
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
  const { store } = engines;
  const indexed = indexId(dataset.id, dataset.generation);
  const pool = Math.max(CANDIDATES, count + SPARE);
  const ranked: RankedChunk[] = [];
  // As they are at one moment: of a file and the one that takes its place, just one is found.
  const read = () => store.atOneMoment(() => readPassages(store, ranked, { count, minScore: request.minScore }));
  let passages: Passage[] = [];
  let question: Question | null = null;
  let within = request.filters.length === 0 ? undefined : await store.matching(dataset, request.filters);
  for (let round = 1; within?.length !== 0; round++) {
    const found = await rankChunks(model, engines.secondStage, {
      datasetId: indexed,
      question: request.question,
      count: pool,
      within,
    });
    question ??= found.question;
    // What a later search says of the rest cannot place it above what came before.
    const least = ranked.at(-1)?.score ?? 1;
    for (const chunk of found.chunks) ranked.push({ ...chunk, score: Math.min(chunk.score, least) });
    const stored = read();
    passages = stored.passages;
    const isShort = passages.length < count && stored.places > passages.length;
    if (!isShort || found.chunks.length === 0 || round === ROUNDS) break;
    const seen = joinRanges(ranked.map(({ chunkId }) => ({ first: chunkId, last: chunkId })));
    within = withoutRanges(await store.matching(dataset, request.filters), seen);
  }
  // Nothing was waited for since they were read.
  if (!request.highlights && !request.explain) return { passages, question };
  return { passages: await withHighlights(model, request.question, () => read().passages), question };
}

/** Reads passages again after each wait, so that all of them are stored at the end. */
async function withHighlights(
  { embedder }: Pick<ModelEngines, "embedder">,
  question: string,
  read: () => Passage[],
): Promise<Passage[]> {
  const known = new Map<string, Passage["highlights"]>();
  for (;;) {
    const passages = read();
    const texts = passages.map(({ chunk }) => chunk.text).filter((text) => !known.has(text));
    if (texts.length === 0) return passages.map((one) => ({ ...one, highlights: known.get(one.chunk.text)! }));
    const found = await embedder.highlights(question.toWellFormed(), texts);
    texts.forEach((text, at) => known.set(text, found[at]!));
  }
}

/** Whether all passages are still stored. */
export function areStored(engines: Engines, passages: readonly Passage[]): boolean {
  const chunks = passages.flatMap(({ chunk, copies }) => [chunk, ...copies]);
  return engines.store.chunks(chunks.map(({ chunkId }) => chunkId)).size === new Set(chunks).size;
}

/** A passage as the interface shows it. */
export function toSearchResult(
  passage: Passage,
  shown: Pick<RetrievalRequest, "highlights" | "explain"> = { highlights: true, explain: false },
): SearchResult {
  const { chunk, copies, highlights, score } = passage;
  return {
    score,
    ...toShownPassage(chunk),
    ...(shown.highlights && highlights !== null && { highlights: highlights.map(([start, end]) => ({ start, end })) }),
    ...(shown.explain && { explanation: explanationOf(passage) }),
    ...(copies.length > 0 && {
      alsoIn: copies.map(({ file: { fileId, originalName }, chunkIndex }) => ({ fileId, originalName, chunkIndex })),
    }),
  };
}

function explanationOf({ chunk, evidence, highlights }: Passage): Explanation {
  const matched = (highlights ?? []).map(([start, end]) => chunk.text.slice(start, end));
  return {
    meaning: shownShare(evidence?.cosine),
    words: shownShare(evidence?.overlap),
    matched: [...new Set(matched)],
    reading: shownShare(evidence?.window),
    pairs: shownShare(evidence?.pairs),
  };
}

/** Vectors may point away from one another; that says no less than nothing. */
const shownShare = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

/** What is shown of a passage, found or not. The file's own metadata never replaces ours, nor what its format says. */
export function toShownPassage(chunk: StoredChunk): ShownPassage {
  const { file } = chunk;
  return {
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

/**
 * The first `count` texts that are still stored and score enough. `places`: how many ranked chunks that score enough there were for them,
 * copies and deleted ones among them.
 */
function readPassages(
  store: Engines["store"],
  ranked: readonly RankedChunk[],
  { count, minScore }: { readonly count: number; readonly minScore: number },
): { passages: Passage[]; places: number } {
  const passages = new Map<string, Passage & { copies: StoredChunk[] }>();
  let at = 0;
  // Copies of a passage score as it does, so that those of the last follow it.
  const isWanted = (one: RankedChunk | undefined): boolean =>
    one !== undefined && one.score >= minScore && (passages.size < count || one.score === ranked[at - 1]!.score);
  while (isWanted(ranked[at])) {
    const next = ranked.slice(at, at + Math.max(1, count - passages.size));
    const chunks = store.chunks(next.map(({ chunkId }) => chunkId));
    for (const one of next) {
      if (!isWanted(one)) break;
      at++;
      const { chunkId, ...said } = one;
      const chunk = chunks.get(chunkId);
      if (chunk === undefined) continue;
      const same = passages.get(chunk.text);
      if (same !== undefined) same.copies.push(chunk);
      else if (passages.size < count) passages.set(chunk.text, { chunk, copies: [], highlights: null, ...said });
    }
  }
  return { passages: [...passages.values()], places: at };
}
