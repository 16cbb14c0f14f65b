/** Joins what a dataset's vectors and its words propose, where both are. */
import type { AskedQuestion, Found } from "./types.ts";
import type { VectorIndexes } from "./vectors/vector-indexes.ts";
import type { WordIndexes } from "./words/word-indexes.ts";

interface Asked {
  readonly datasetId: number;
  readonly question: AskedQuestion;
  /** Chunks that each proposes. */
  readonly count: number;
  /** Packed ranges to which the search is restricted. */
  readonly within: Float64Array | null;
}

/** Both kinds of evidence for every chunk that one of them proposes. */
export async function propose(
  { vectors, words }: { readonly vectors: VectorIndexes; readonly words: WordIndexes },
  { datasetId, question, count, within }: Asked,
): Promise<Found> {
  const [neighbours, { matches, ...dataset }] = await Promise.all([
    vectors.search(datasetId, question.vector, count, within),
    words.search(datasetId, question, count, within),
  ]);
  const cosines = new Map(neighbours.map(({ chunkId, similarity }) => [chunkId, similarity]));
  const overlaps = new Map(matches.map(({ chunkId, score }) => [chunkId, score]));
  const onlyMatched = matches.map(({ chunkId }) => chunkId).filter((chunkId) => !cosines.has(chunkId));
  const onlyNear = neighbours.map(({ chunkId }) => chunkId).filter((chunkId) => !overlaps.has(chunkId));
  const [moreCosines, moreOverlaps] = await Promise.all([
    vectors.similarities(datasetId, question.vector, onlyMatched),
    words.scores(datasetId, question, onlyNear),
  ]);
  // NaN: the chunk was deleted in between.
  onlyMatched.forEach((chunkId, at) => Number.isNaN(moreCosines[at]) || cosines.set(chunkId, moreCosines[at]!));
  onlyNear.forEach((chunkId, at) => overlaps.set(chunkId, moreOverlaps[at]!));
  return {
    ...dataset,
    proposals: Array.from(cosines, ([chunkId, cosine]) => ({ chunkId, cosine, overlap: overlaps.get(chunkId) ?? 0 })),
  };
}
