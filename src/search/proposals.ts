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

/** Both kinds of evidence for every chunk that one of them, or the words of the question's gloss, proposes. */
export async function propose(
  { vectors, words }: { readonly vectors: VectorIndexes; readonly words: WordIndexes },
  { datasetId, question, count, within }: Asked,
): Promise<Found> {
  const [neighbours, { matches, ...dataset }, glossed] = await Promise.all([
    vectors.search(datasetId, question.vector, count, within),
    words.search(datasetId, question, count, within),
    question.gloss && words.search(datasetId, question.gloss, count, within),
  ]);
  const cosines = new Map(neighbours.map(({ chunkId, similarity }) => [chunkId, similarity]));
  const overlaps = new Map(matches.map(({ chunkId, score }) => [chunkId, score]));
  const translated = new Map((glossed?.matches ?? []).map(({ chunkId, score }) => [chunkId, score]));
  const proposed = [...new Set([...cosines.keys(), ...overlaps.keys(), ...translated.keys()])];
  const onlyMatched = proposed.filter((chunkId) => !cosines.has(chunkId));
  const onlyNear = proposed.filter((chunkId) => !overlaps.has(chunkId));
  const [moreCosines, moreOverlaps] = await Promise.all([
    vectors.similarities(datasetId, question.vector, onlyMatched),
    words.scores(datasetId, question, onlyNear),
  ]);
  // NaN: the chunk was deleted in between.
  onlyMatched.forEach((chunkId, at) => Number.isNaN(moreCosines[at]) || cosines.set(chunkId, moreCosines[at]!));
  onlyNear.forEach((chunkId, at) => overlaps.set(chunkId, moreOverlaps[at]!));
  return {
    ...dataset,
    proposals: Array.from(cosines, ([chunkId, cosine]) => ({
      chunkId,
      cosine,
      overlap: overlaps.get(chunkId) ?? 0,
      ...(translated.has(chunkId) && { translated: translated.get(chunkId)! }),
    })),
  };
}
