/** Which chunks are read: those that either kind of evidence proposes first, and the first few by the question's gloss. Pure. */
import type { Candidate } from "./types.ts";
import { joinedBefore } from "./inputs.ts";

/** Breaks ties between a place by one kind of evidence and the same place by the other. */
const TIE = 0.01;

/** So many are read beside the others: a gloss knows of one language what the question asks of another, and displaces nothing. */
const TRANSLATED = 8;

/**
 * At most `most` of the candidates: those whose better place is highest, by both kinds of evidence joined and by the vectors alone.
 * Behind them those of the others that a gloss finds best.
 */
export function chooseCandidates(candidates: readonly Candidate[], most: number): Candidate[] {
  if (candidates.length <= most) return [...candidates];
  const chosen = bestPlaced(candidates, most);
  const isChosen = new Set(chosen);
  const translated = candidates
    .flatMap((candidate) =>
      candidate.translated === undefined || isChosen.has(candidate)
        ? []
        : [{ candidate, overlap: candidate.translated }],
    )
    .sort((left, right) => right.overlap - left.overlap || left.candidate.chunkId - right.candidate.chunkId);
  return [...chosen, ...translated.slice(0, TRANSLATED).map(({ candidate }) => candidate)];
}

function bestPlaced(candidates: readonly Candidate[], most: number): Candidate[] {
  const joined = placesBy(candidates, joinedBefore);
  const dense = placesBy(candidates, ({ cosine }) => cosine);
  const worth = candidates.map((_, at) => Math.min(joined[at]!, dense[at]!) + TIE * joined[at]!);
  return [...candidates.keys()]
    .sort((left, right) => worth[left]! - worth[right]!)
    .slice(0, most)
    .map((at) => candidates[at]!);
}

/** The place of each, best first, from 0. */
function placesBy(candidates: readonly Candidate[], value: (candidate: Candidate) => number): number[] {
  const order = [...candidates.keys()].sort(
    (left, right) => value(candidates[right]!) - value(candidates[left]!) || left - right,
  );
  const places = new Array<number>(candidates.length);
  order.forEach((at, place) => (places[at] = place));
  return places;
}
