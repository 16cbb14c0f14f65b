/** Which chunks are read: those that either kind of evidence proposes first. Pure. */
import type { Candidate } from "./types.ts";
import { joinedBefore } from "./inputs.ts";

/** Breaks ties between a place by one kind of evidence and the same place by the other. */
const TIE = 0.01;

/** At most `most` of the candidates: those whose better place is highest, by both kinds of evidence joined and by the vectors alone. */
export function chooseCandidates(candidates: readonly Candidate[], most: number): Candidate[] {
  if (candidates.length <= most) return [...candidates];
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
