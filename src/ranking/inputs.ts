/** What the network is given: numbers for each candidate, each unit of the question, and both together. Pure. */
import type { Asked } from "./asked.ts";
import type { Candidate, Evidence } from "./types.ts";
import { joinedSimilarity } from "./joined-similarity.ts";
import { MOST_UNITS, type UnitMatches } from "./unit-vectors.ts";

/** Of a unit in a candidate: nearest, share of repeats, nearest that is not the same, nearest in the best window. */
export const MATCH_INPUTS = 4;
/** Of a unit: rarity, importance, weight, whether it is there. */
export const UNIT_INPUTS = 4;
/** Of a candidate: cosine, overlap, both joined, best window, pairs, logarithm of its length. */
export const CHUNK_INPUTS = 6;
/** Of the question: how many units, the best overlap, how much of the dataset is in its language, how large the dataset is. */
export const QUESTION_INPUTS = 4;

/** Of the dataset: the mean share of chunks that hold each of its commonest tokens, and the share that holds the commonest. */
export const DATASET_INPUTS = 2;

/** Row-major; places of units that the question does not have are 0. */
export interface Inputs {
  readonly candidates: number;
  readonly units: number;
  /** candidates × MOST_UNITS × MATCH_INPUTS. */
  readonly matches: Float32Array;
  /** MOST_UNITS × UNIT_INPUTS. */
  readonly unitInputs: Float32Array;
  /** candidates × CHUNK_INPUTS. */
  readonly chunks: Float32Array;
  readonly question: Float32Array;
  readonly dataset: Float32Array;
  /** Whether the question names what it asks for: see asked.ts. */
  readonly isNamed: boolean;
}

/** How soon repeats stop counting, and how much longer candidates must hold more: as in BM25, with what suits words. */
const REPEATS_BASE = 0.15;
const REPEATS_BY_LENGTH = 0.45;
const DENSE_WEIGHT = 0.35;

/** One similarity of a candidate before it is read, as the trials weighed meaning and words. */
export const joinedBefore = ({ cosine, overlap }: Candidate): number => joinedSimilarity(cosine, overlap, DENSE_WEIGHT);

/** All that is known of a candidate in one plain sum, which compares candidates of different searches too. */
export const plainSum = ({ cosine, overlap, window, pairs }: Omit<Evidence, "chunkId" | "translated">): number =>
  DENSE_WEIGHT * cosine + (1 - DENSE_WEIGHT) * overlap + window + pairs;

/** `lengths`: units of each candidate; `read` reads one, and may overwrite what it gave before. */
export function candidateInputs(
  asked: Asked,
  candidates: readonly Candidate[],
  lengths: readonly number[],
  read: (candidate: number) => UnitMatches,
): Inputs {
  const { units, ownLanguage } = asked;
  const matches = new Float32Array(candidates.length * MOST_UNITS * MATCH_INPUTS);
  const chunks = new Float32Array(candidates.length * CHUNK_INPUTS);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  candidates.forEach((candidate, at) => {
    const length = lengths[at]!;
    const { nearest, same, nearestOther, inWindow, pairs, window } = read(at);
    const penalty = REPEATS_BASE + (REPEATS_BY_LENGTH * length) / meanLength;
    for (let unit = 0, to = at * MOST_UNITS * MATCH_INPUTS; unit < units.length; unit++) {
      matches[to++] = nearest[unit]!;
      matches[to++] = same[unit]! / (same[unit]! + penalty);
      matches[to++] = nearestOther[unit]!;
      matches[to++] = inWindow[unit]!;
    }
    chunks.set(
      [
        candidate.cosine,
        candidate.overlap,
        joinedBefore(candidate),
        window,
        pairsShare(asked, pairs),
        Math.log(length + 1),
      ],
      at * CHUNK_INPUTS,
    );
  });
  const unitInputs = new Float32Array(MOST_UNITS * UNIT_INPUTS);
  const mostRare = Math.log(asked.chunks + 1) || 1;
  units.forEach(({ rarity, importance, weight }, unit) =>
    unitInputs.set([rarity / mostRare, importance, weight, 1], unit * UNIT_INPUTS),
  );
  const bestOverlap = candidates.reduce((best, { overlap }) => Math.max(best, overlap), 0);
  const question = Float32Array.of(
    Math.log(units.length + 1) / 3,
    bestOverlap,
    ownLanguage,
    Math.log(asked.chunks + 1) / 10,
  );
  return {
    candidates: candidates.length,
    units: units.length,
    matches,
    unitInputs,
    chunks,
    question,
    dataset: Float32Array.of(asked.dataset.common, asked.dataset.commonest),
    isNamed: asked.isNamed,
  };
}

/** Neighbours in the question that are neighbours in a text: Σ √(weight × next weight) × nearness². */
export function pairsShare({ units }: Asked, nearness: Float32Array): number {
  let sum = 0;
  for (let unit = 0; unit + 1 < units.length; unit++)
    sum += Math.sqrt(units[unit]!.weight * units[unit + 1]!.weight) * nearness[unit]! ** 2;
  return sum;
}

/** What reading a candidate found, out of what the network was given. */
export function readingOf({ chunks }: Inputs, candidate: number): { window: number; pairs: number } {
  return { window: chunks[candidate * CHUNK_INPUTS + 3]!, pairs: chunks[candidate * CHUNK_INPUTS + 4]! };
}
