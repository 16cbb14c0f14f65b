/**
 * Which chunks of a dataset answer a question best. Two kinds of evidence propose candidates, what they mean and the words they use; then each
 * is read word by word (src/ranking). Where they cannot be read, both kinds joined decide.
 */
import {
  chooseCandidates,
  joinedSimilarity,
  type Candidate,
  type Evidence,
  type Question,
  type RankedCandidate,
  type Ranking,
} from "../ranking/index.ts";
import type { ChunkRange } from "../store/index.ts";
import type { ModelEngines } from "./models-in-use.ts";

/** Chunks that each kind of evidence proposes. Beyond, neither places a chunk among the results but by the other's help. */
export const CANDIDATES = 50;

export interface RankedChunk {
  readonly chunkId: number;
  /** 0-1: how sure it is that the chunk answers the question. Never rises from one rank to the next. */
  readonly score: number;
  /** 0-1: how sure it is that anything in the dataset answers, as far as the chunk shows; the score where it was not read. */
  readonly support: number;
  /** What each kind of evidence said; null where the chunk was not read. */
  readonly evidence: Evidence | null;
}

export interface Ranked {
  /** Best first. */
  readonly chunks: RankedChunk[];
  /** The question as it can be asked of other texts of the dataset; null where searches go by vectors alone. */
  readonly question: Question | null;
}

export interface RankingRequest {
  readonly datasetId: number;
  readonly question: string;
  readonly count: number;
  /** Ascending, disjoint ranges to which the search is restricted beforehand; undefined: the whole dataset. */
  readonly within: readonly ChunkRange[] | undefined;
}

/** The second stage, and how many candidates it reads. */
export interface SecondStage {
  readonly ranking: Ranking;
  readonly candidates: number;
  close(): Promise<void>;
}

type RankingEngines = Pick<ModelEngines, "embedder" | "search" | "hybrid">;

/** The `count` best chunks or fewer, best first. Some may have been deleted a moment ago. */
export async function rankChunks(
  engines: RankingEngines,
  secondStage: SecondStage | null,
  request: RankingRequest,
): Promise<Ranked> {
  const { embedder, search, hybrid } = engines;
  const text = request.question.toWellFormed();
  if (!hybrid) {
    const [vector] = await embedder.embed([text], "query", "search");
    const neighbours = await search.nearest({ ...request, vector: vector! });
    return {
      chunks: neighbours.map(({ chunkId, similarity }) => unread(chunkId, embedder.score(similarity, "vector"))),
      question: null,
    };
  }
  const { vector, gloss, ...words } = await embedder.embedQuestion(text);
  const { proposals: candidates, ...dataset } = await search.find({
    datasetId: request.datasetId,
    question: { ...words, vector, gloss },
    count: Math.max(CANDIDATES, request.count),
    within: request.within,
  });
  const question = { ...words, ...dataset };
  const read = secondStage && (await readCandidates(secondStage, embedder, question, candidates));
  const { denseWeight } = embedder.manifest.search;
  const chunks = read
    ? read.map((ranked) => ({
        chunkId: ranked.chunkId,
        score: ranked.score,
        support: ranked.support,
        evidence: ranked,
      }))
    : candidates
        .map(({ chunkId, cosine, overlap }) => ({ chunkId, joined: joinedSimilarity(cosine, overlap, denseWeight) }))
        .sort((left, right) => right.joined - left.joined || left.chunkId - right.chunkId)
        .map(({ chunkId, joined }) => unread(chunkId, embedder.score(joined, "hybrid")));
  return { chunks: chunks.slice(0, request.count), question };
}

const unread = (chunkId: number, score: number): RankedChunk => ({ chunkId, score, support: score, evidence: null });

/** Cosines of models differ: those of another than the built-in one are judged as if they were its own. */
async function readCandidates(
  { ranking, candidates: most }: SecondStage,
  { manifest }: ModelEngines["embedder"],
  question: Question,
  candidates: readonly Candidate[],
): Promise<RankedCandidate[] | null> {
  const familiar =
    manifest.search.ranking === undefined ? withTypicalCosines(candidates, ranking.typicalCosine) : candidates;
  return ranking.rank({ question, candidates: chooseCandidates(familiar, most) });
}

/** Moves and scales cosines so that their mean and deviation are the given ones. Pure. */
export function withTypicalCosines(
  candidates: readonly Candidate[],
  { mean, deviation }: Ranking["typicalCosine"],
): Candidate[] {
  const own = candidates.reduce((sum, { cosine }) => sum + cosine, 0) / candidates.length;
  const spread = Math.sqrt(candidates.reduce((sum, { cosine }) => sum + (cosine - own) ** 2, 0) / candidates.length);
  return candidates.map((candidate) => ({
    ...candidate,
    cosine: spread === 0 ? mean : mean + ((candidate.cosine - own) / spread) * deviation,
  }));
}
