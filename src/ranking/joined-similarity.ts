/** One similarity of both kinds of evidence that propose chunks. Pure. */

/**
 * The power of the words' share. Above 1, few words in common say little: where a dataset mixes languages, a question's "how" and
 * "the" are rare there, and would otherwise pull any chunk of its own language before the right one of another.
 */
const OVERLAP_POWER = 2;

/** 0-1, of a cosine, and of BM25 as a share of the question's maximum. */
export function joinedSimilarity(cosine: number, overlap: number, denseWeight: number): number {
  return denseWeight * Math.max(0, cosine) + (1 - denseWeight) * overlap ** OVERLAP_POWER;
}
