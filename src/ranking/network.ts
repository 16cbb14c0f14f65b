/**
 * The judgement: a small network that looks at each of the question's units in each candidate, sums up what it sees, and compares the
 * candidates; then a second, smaller one that says how sure it is of each result. `models/train/ranking` makes the weights. Pure.
 */
import { CHUNK_INPUTS, MATCH_INPUTS, QUESTION_INPUTS, UNIT_INPUTS, type Inputs } from "./inputs.ts";
import { MOST_UNITS } from "./unit-vectors.ts";
import type { Confidence, Layer, RankingWeights } from "./weights.ts";

/** Judged candidates, best first. */
export interface Judged {
  /** Its position among the candidates that were given. */
  readonly candidate: number;
  readonly value: number;
  /** 0-1. Never rises from one rank to the next. */
  readonly score: number;
}

/** What the pooled judgement of a candidate's units is made of. */
const POOLED = 3;
/** Numbers of a candidate that are compared with the other candidates': all but its length. */
const COMPARED = CHUNK_INPUTS - 1;
const COSINE = 0, OVERLAP = 1, WINDOW = 3, PAIRS = 4, LENGTH = 5;
const OWN_LANGUAGE = 2;
/** Keeps quotients finite where all candidates are alike. */
const LEAST_DEVIATION = 1e-3;
const DEVIATION_SHARE = 0.2;
/** Scores of results beyond are no higher than this one's. */
const JUDGED_RANKS = 10;

/** Orders candidates by the trained network, and scores them. */
export function judge({ network, confidence }: RankingWeights, inputs: Inputs): Judged[] {
  const pooled = poolUnits(network, inputs);
  return score(confidence.full, inputs, pooled, candidateValues(network, inputs, pooled));
}

/** The same without the network: by the plain sum of all kinds of evidence. */
export function judgePlainly({ confidence }: RankingWeights, inputs: Inputs): Judged[] {
  return score(confidence.fast, inputs, new Float32Array(inputs.candidates * POOLED), plainValues(inputs));
}

/** Each candidate's cosine, overlap, window and pairs in one sum. */
export function plainValues({ candidates, chunks }: Inputs): Float32Array {
  return Float32Array.from({ length: candidates }, (_, candidate) => {
    const at = candidate * CHUNK_INPUTS;
    return 0.35 * chunks[at + COSINE]! + 0.65 * chunks[at + OVERLAP]! + chunks[at + WINDOW]! + chunks[at + PAIRS]!;
  });
}

/** candidates × POOLED: what the candidate holds of all units together, each weighed by what it is worth in this question. */
function poolUnits({ match, pooling }: RankingWeights["network"], { candidates, units, matches, unitInputs, question }: Inputs): Float32Array {
  const pooled = new Float32Array(candidates * POOLED);
  const seen = new Float32Array(match.hidden.inputs);
  const worth = new Float32Array(pooling.hidden.inputs);
  const shares = new Float32Array(units * POOLED);
  const sums = new Float32Array(POOLED);
  const mean = new Float32Array(MATCH_INPUTS), most = new Float32Array(MATCH_INPUTS);
  const means = new Float32Array(units * MATCH_INPUTS);
  for (let unit = 0; unit < units; unit++) {
    mean.fill(0);
    most.fill(0);
    for (let candidate = 0; candidate < candidates; candidate++) {
      const at = (candidate * MOST_UNITS + unit) * MATCH_INPUTS;
      for (let input = 0; input < MATCH_INPUTS; input++) {
        mean[input]! += matches[at + input]! / candidates;
        most[input] = Math.max(most[input]!, matches[at + input]!);
      }
    }
    means.set(mean, unit * MATCH_INPUTS);
    const [rarity, importance, weight] = [unitInputs[unit * UNIT_INPUTS]!, unitInputs[unit * UNIT_INPUTS + 1]!, unitInputs[unit * UNIT_INPUTS + 2]!];
    worth.set([rarity, importance, weight, mean[0]!, mean[1]!, mean[3]!, most[0]!, most[1]!, most[3]!, question[OWN_LANGUAGE]!]);
    const out = forward(pooling, worth);
    for (let pool = 0; pool < POOLED; pool++) sums[pool]! += shares[unit * POOLED + pool] = softplus(out[pool]!);
  }
  for (let candidate = 0; candidate < candidates; candidate++) {
    for (let unit = 0; unit < units; unit++) {
      const at = (candidate * MOST_UNITS + unit) * MATCH_INPUTS;
      for (let input = 0; input < MATCH_INPUTS; input++) {
        seen[input] = matches[at + input]!;
        seen[MATCH_INPUTS + input] = matches[at + input]! - means[unit * MATCH_INPUTS + input]!;
      }
      seen[2 * MATCH_INPUTS] = unitInputs[unit * UNIT_INPUTS]!;
      seen[2 * MATCH_INPUTS + 1] = unitInputs[unit * UNIT_INPUTS + 1]!;
      seen.set(question, 2 * MATCH_INPUTS + 2);
      const out = forward(match, seen);
      for (let pool = 0; pool < POOLED; pool++) pooled[candidate * POOLED + pool]! += (sigmoid(out[pool]!) * shares[unit * POOLED + pool]!) / (sums[pool]! + 1e-6);
    }
  }
  return pooled;
}

function candidateValues({ value, linear }: RankingWeights["network"], { candidates, chunks, question }: Inputs, pooled: Float32Array): Float32Array {
  const compared = compare(chunks, CHUNK_INPUTS, COMPARED, candidates);
  const comparedPools = compare(pooled, POOLED, POOLED, candidates);
  const z = new Float32Array(value.hidden.inputs);
  return Float32Array.from({ length: candidates }, (_, candidate) => {
    const at = candidate * CHUNK_INPUTS;
    let to = 0;
    for (let input = 0; input < COMPARED; input++) z[to++] = chunks[at + input]!;
    for (let input = 0; input < COMPARED; input++) z[to++] = chunks[at + input]! - compared.best[input]!;
    for (let input = 0; input < COMPARED; input++) z[to++] = ((chunks[at + input]! - compared.mean[input]!) / (compared.deviation[input]! + LEAST_DEVIATION)) * DEVIATION_SHARE;
    z[to++] = chunks[at + OVERLAP]! ** 2;
    z[to++] = chunks[at + LENGTH]! / 6;
    for (let input = 0; input < QUESTION_INPUTS; input++) z[to++] = question[input]!;
    for (let pool = 0; pool < POOLED; pool++) z[to++] = pooled[candidate * POOLED + pool]!;
    for (let pool = 0; pool < POOLED; pool++) z[to++] = pooled[candidate * POOLED + pool]! - comparedPools.best[pool]!;
    for (let pool = 0; pool < POOLED; pool++) z[to++] = pooled[candidate * POOLED + pool]! - comparedPools.mean[pool]!;
    return forward(value, z)[0]! + apply(linear, z)[0]!;
  });
}

/** Best first, each with how sure it is: by its value, what lies between it and the others, and its own evidence. */
function score(confidence: Confidence, { candidates, units, chunks, question }: Inputs, pooled: Float32Array, values: Float32Array): Judged[] {
  const order = [...values.keys()].sort((left, right) => values[right]! - values[left]! || left - right);
  if (candidates === 0) return [];
  const best = values[order[0]!]!;
  const second = order.length > 1 ? values[order[1]!]! : best;
  let sum = 0;
  for (const value of values) sum += Math.exp((value - best) * confidence.sharpness);
  const z = new Float32Array(confidence.layers.hidden.inputs);
  let lowest = 1;
  return order.map((candidate, rank) => {
    const value = values[candidate]!;
    if (rank < JUDGED_RANKS) {
      const at = candidate * CHUNK_INPUTS;
      const share = (value - best) * confidence.sharpness - Math.log(sum);
      z.set([
        value - best, value - (rank === 0 ? second : best), share, chunks[at + WINDOW]!, chunks[at + PAIRS]!, chunks[at + COSINE]!, chunks[at + OVERLAP]!,
        pooled[candidate * POOLED]!, pooled[candidate * POOLED + 1]!, pooled[candidate * POOLED + 2]!, question[OWN_LANGUAGE]!, Math.log(units + 1) / 3, rank / JUDGED_RANKS,
      ]);
      lowest = Math.min(lowest, levelAt(confidence.calibration, forward(confidence.layers, z)[0]!));
    }
    return { candidate, value, score: lowest };
  });
}

interface Compared {
  readonly best: Float32Array;
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
}

/** Of each of the first `columns` numbers in rows of `stride`: the highest, the mean, and the standard deviation. */
function compare(rows: Float32Array, stride: number, columns: number, count: number): Compared {
  const best = new Float32Array(columns).fill(-Infinity), mean = new Float32Array(columns), deviation = new Float32Array(columns);
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < columns; column++) {
      const value = rows[row * stride + column]!;
      best[column] = Math.max(best[column]!, value);
      mean[column]! += value / count;
    }
  }
  for (let row = 0; row < count; row++) for (let column = 0; column < columns; column++) deviation[column]! += (rows[row * stride + column]! - mean[column]!) ** 2;
  for (let column = 0; column < columns; column++) deviation[column] = Math.sqrt(deviation[column]! / Math.max(1, count));
  return { best, mean, deviation };
}

// Nothing interrupts a judgement: kept, as they are needed hundreds of times for each.
const hiddenValues = new Float32Array(64);
const outValues = new Float32Array(8);

/** Both layers with a rectifier between them; the result is overwritten by the next. */
function forward({ hidden, out }: { readonly hidden: Layer; readonly out: Layer }, input: Float32Array): Float32Array {
  multiply(hidden, input, hiddenValues);
  for (let at = 0; at < hidden.outputs; at++) if (hiddenValues[at]! < 0) hiddenValues[at] = 0;
  multiply(out, hiddenValues, outValues);
  return outValues;
}

function apply(layer: Layer, input: Float32Array): Float32Array {
  const out = new Float32Array(layer.outputs);
  multiply(layer, input, out);
  return out;
}

function multiply({ inputs, outputs, weights, bias }: Layer, input: Float32Array, into: Float32Array): void {
  for (let output = 0, at = 0; output < outputs; output++) {
    let sum = bias[output]!;
    for (let place = 0; place < inputs; place++) sum += weights[at++]! * input[place]!;
    into[output] = sum;
  }
}

/** The line through points [at, level], both rising, level beyond the ends. */
export function levelAt(points: ReadonlyArray<readonly [number, number]>, at: number): number {
  const above = points.findIndex(([from]) => from > at);
  if (above === 0) return points[0]![1];
  if (above < 0) return points.at(-1)![1];
  const [from, low] = points[above - 1]!, [to, high] = points[above]!;
  return low + ((at - from) / (to - from)) * (high - low);
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));
const softplus = (value: number): number => (value > 30 ? value : Math.log1p(Math.exp(value)));
