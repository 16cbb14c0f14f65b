/**
 * BM25: how much a chunk's words say for it (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009), over the chunks' lexical terms. Pure.
 */

/** How soon repeats of a term stop counting: soon, since a question's word in a passage says most by being there (`bun run bench calibrate`). */
const SATURATION = 0.6;
/** How much longer chunks must hold more, 0-1. */
const LENGTH_SHARE = 0.75;

/** What the weights depend on: all live chunks of a dataset, whatever a search is restricted to. */
export interface Collection {
  readonly chunks: number;
  /** Terms of all chunks, repeats counted. */
  readonly terms: number;
}

/**
 * How much a term says that `holders` of so many chunks hold, whatever the term: the logarithm of one in so many, never below 0. Chunks
 * that are gone may still be among the holders, so that these are more than the chunks.
 */
export function rarity(chunks: number, holders: number): number {
  const held = Math.min(holders, chunks);
  return Math.log(1 + (chunks - held + 0.5) / (held + 0.5));
}

/**
 * What each of a question's distinct terms adds to a chunk's score at most, by the number of chunks that hold it and how much
 * it says beside others as rare: rare terms most. The weights of one question sum to 1, terms that no chunk holds among them,
 * so that scores lie in 0-1 and a question of which little is found scores low.
 */
export function termWeights(
  collection: Collection,
  holders: ArrayLike<number>,
  importance: ArrayLike<number>,
): Float64Array {
  const weights = Float64Array.from(holders, (held, at) => importance[at]! * rarity(collection.chunks, held));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum === 0 ? weights : weights.map((weight) => weight / sum);
}

/** What lengths take away in a collection: a chunk's penalty, which `occurrenceShare` wants, is `base + perTerm × length`. */
export interface LengthPenalty {
  readonly base: number;
  readonly perTerm: number;
}

export function lengthPenalty({ chunks, terms }: Collection): LengthPenalty {
  return {
    base: SATURATION * (1 - LENGTH_SHARE),
    perTerm: terms > 0 ? (SATURATION * LENGTH_SHARE * chunks) / terms : 0,
  };
}

/** How much of a term's weight a chunk gets that holds it `count` times, 0-1. */
export function occurrenceShare(count: number, penalty: number): number {
  return count / (count + penalty);
}
