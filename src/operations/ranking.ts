/** Which chunks of a dataset answer a question best, by two kinds of evidence: what it means, and the words it uses. */
import type { EmbeddedTexts } from "../embedding/index.ts";
import type { ChunkRange } from "../store/index.ts";
import type { ModelEngines } from "./models-in-use.ts";

/** Chunks that each kind of evidence proposes. Beyond, neither places a chunk among the results but by the other's help. */
const CANDIDATES = 50;
/**
 * The power of the words' share. Above 1, few words in common say little: where a dataset mixes languages, a question's "how" and
 * "the" are rare there, and would otherwise pull any chunk of its own language before the right one of another.
 */
const OVERLAP_POWER = 2;

export interface RankedChunk {
  readonly chunkId: number;
  /** 0-1, by the model's calibration. Depends on the question and the chunk, not on what the search was restricted to. */
  readonly score: number;
}

export interface RankingRequest {
  readonly datasetId: number;
  readonly question: string;
  readonly count: number;
  /** Ascending, disjoint ranges to which the search is restricted beforehand; undefined: the whole dataset. */
  readonly within: readonly ChunkRange[] | undefined;
}

type RankingEngines = Pick<ModelEngines, "embedder" | "vectors" | "lexical">;

/** The `count` best chunks or fewer, best first. Some may have been deleted a moment ago. */
export async function rankChunks(engines: RankingEngines, request: RankingRequest): Promise<RankedChunk[]> {
  const { embedder } = engines;
  const { lexical } = engines;
  const text = [request.question.toWellFormed()];
  if (lexical === null) {
    const [vector] = await embedder.embed(text, "query", "search");
    const neighbours = await engines.vectors.search({ ...request, vector: vector! });
    return neighbours.map(({ chunkId, similarity }) => ({ chunkId, score: embedder.score(similarity, "vector") }));
  }
  const evidence = await gatherEvidence(engines.vectors, lexical, request, await embedder.embedWithTerms(text, "query", "search"));
  const { denseWeight } = embedder.manifest.search;
  return evidence
    .map(({ chunkId, similarity, overlap }) => ({ chunkId, joined: joinedSimilarity(similarity, overlap, denseWeight) }))
    .sort((left, right) => right.joined - left.joined || left.chunkId - right.chunkId)
    .slice(0, request.count)
    .map(({ chunkId, joined }) => ({ chunkId, score: embedder.score(joined, "hybrid") }));
}

/** One similarity, 0-1, of both kinds of evidence: a cosine, and BM25 as a share of the question's maximum. */
export function joinedSimilarity(cosine: number, overlap: number, denseWeight: number): number {
  return denseWeight * Math.max(0, cosine) + (1 - denseWeight) * overlap ** OVERLAP_POWER;
}

interface Evidence {
  readonly chunkId: number;
  /** Cosine of the chunk's vector and the question's. */
  readonly similarity: number;
  /** BM25 as a share of the question's maximum. */
  readonly overlap: number;
}

/** Both kinds of evidence for every chunk that one of them proposes. */
async function gatherEvidence(vectors: ModelEngines["vectors"], lexical: NonNullable<ModelEngines["lexical"]>, { datasetId, count, within }: RankingRequest, question: EmbeddedTexts): Promise<Evidence[]> {
  const vector = question.vectors[0]!;
  const words = { terms: question.terms[0]!, importance: question.importance[0]! };
  const candidates = Math.max(CANDIDATES, count);
  const [neighbours, matches] = await Promise.all([
    vectors.search({ datasetId, vector, count: candidates, within, precision: "int8" }),
    lexical.search({ datasetId, question: words, count: candidates, within }),
  ]);
  const similarities = new Map(neighbours.map(({ chunkId, similarity }) => [chunkId, similarity]));
  const overlaps = new Map(matches.map(({ chunkId, score }) => [chunkId, score]));
  const onlyMatched = matches.map(({ chunkId }) => chunkId).filter((chunkId) => !similarities.has(chunkId));
  const onlyNear = neighbours.map(({ chunkId }) => chunkId).filter((chunkId) => !overlaps.has(chunkId));
  const [moreSimilarities, moreOverlaps] = await Promise.all([
    vectors.similarities({ datasetId, vector, chunkIds: onlyMatched }),
    lexical.scores({ datasetId, question: words, chunkIds: onlyNear }),
  ]);
  // NaN: the chunk was deleted in between.
  onlyMatched.forEach((chunkId, index) => Number.isNaN(moreSimilarities[index]) || similarities.set(chunkId, moreSimilarities[index]!));
  onlyNear.forEach((chunkId, index) => overlaps.set(chunkId, moreOverlaps[index]!));
  return Array.from(similarities, ([chunkId, similarity]) => ({ chunkId, similarity, overlap: overlaps.get(chunkId) ?? 0 }));
}
