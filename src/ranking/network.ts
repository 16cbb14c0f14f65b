/**
 * The judgement: a small network that looks at each of the question's units in each candidate, sums up what it sees, and compares the
 * candidates; there are two of them, and a gate that says how mixed in languages the dataset is. Then two smaller ones say how sure each result is, and
 * whether anything there answers.
 * `models/train/ranking` makes the weights. Pure.
 */
import { scoreMap } from "../embedding/calibration.ts";
import { CHUNK_INPUTS, MATCH_INPUTS, plainSum, QUESTION_INPUTS, UNIT_INPUTS, type Inputs } from "./inputs.ts";
import { MOST_UNITS } from "./unit-vectors.ts";
import type { Confidence, Layer, Layers, Network, RankingWeights } from "./weights.ts";

/** Judged candidates, best first. */
export interface Judged {
  /** Its position among the candidates that were given. */
  readonly candidate: number;
  readonly value: number;
  /** 0-1. Never rises from one rank to the next. */
  readonly score: number;
  /** 0-1: how sure it is that something answers, as far as this shows. */
  readonly support: number;
}

/** What the pooled judgement of a candidate's units is made of. */
const POOLED = 3;
/** Numbers of a candidate that are compared with the other candidates': all but its length. */
const COMPARED = CHUNK_INPUTS - 1;
const COSINE = 0,
  OVERLAP = 1,
  JOINED = 2,
  WINDOW = 3,
  PAIRS = 4,
  LENGTH = 5;
const UNIT_COUNT = 0,
  OWN_LANGUAGE = 2,
  DATASET_SIZE = 3;
/** Below so many chunks the first stage speaks louder beside the network for mixed datasets: once more for each time that the dataset is smaller by e. */
const SMALL_DATASET = 200;
/** Keeps quotients finite where all candidates are alike. */
const LEAST_DEVIATION = 1e-3;
const LEAST_SUM = 1e-6;
/** Scores are taken no higher: the logit of 1 has no end. */
const HIGHEST_SCORE = 1 - 1e-3;
/** A result that is right less than one time in ten shows nothing, whatever it holds. */
const LEAST_SCORE = 0.1;
/** Surer than that, only one of the networks is asked. */
const CERTAIN = 0.98;
const DEVIATION_SHARE = 0.2;
/** Scores of results beyond are no higher than this one's. */
const JUDGED_RANKS = 10;

/** Orders candidates by the trained networks, and scores them. */
export function judge({ network, confidence }: RankingWeights, inputs: Inputs): Judged[] {
  const plain = plainValues(inputs);
  const { values, pooled } = weighTogether(network, inputs, plain);
  return score(confidence.full, inputs, plain, pooled, values);
}

/** The same without the network: by the plain sum of all kinds of evidence. */
export function judgePlainly({ confidence }: RankingWeights, inputs: Inputs): Judged[] {
  const plain = plainValues(inputs);
  return score(confidence.fast, inputs, plain, new Float32Array(inputs.candidates * POOLED), plain);
}

/** Each candidate's cosine, overlap, window and pairs in one sum. */
export function plainValues({ candidates, chunks }: Inputs): Float32Array {
  return Float32Array.from({ length: candidates }, (_, candidate) => {
    const at = candidate * CHUNK_INPUTS;
    return plainSum({
      cosine: chunks[at + COSINE]!,
      overlap: chunks[at + OVERLAP]!,
      window: chunks[at + WINDOW]!,
      pairs: chunks[at + PAIRS]!,
    });
  });
}

interface Weighed {
  readonly values: Float32Array;
  /** candidates × POOLED. */
  readonly pooled: Float32Array;
}

/** In a dataset of one language, the mean of a network and of the plain sum, which is steadier than either; in a mixed one another network, which trusts words that are the same less; in between, both. A name is the same in every language, and words are to be trusted. */
function weighTogether(
  { single, mixed, plainScale, firstStageScale, gate }: RankingWeights["network"],
  inputs: Inputs,
  plain: Float32Array,
): Weighed {
  const share = inputs.isNamed ? 0 : sigmoid(apply(gate, gateInputs(inputs))[0]!);
  const ofMixed = (): Weighed => {
    const { chunks, question } = inputs;
    const scale = firstStageScale * (1 + Math.max(0, Math.log(SMALL_DATASET) - 10 * question[DATASET_SIZE]!));
    const { values, pooled } = weigh(mixed, inputs);
    return { values: values.map((value, at) => value + scale * chunks[at * CHUNK_INPUTS + JOINED]!), pooled };
  };
  if (share >= CERTAIN) return ofMixed();
  const { values: alone, pooled } = weigh(single, inputs);
  const values = alone.map((value, at) => (value + plainScale * plain[at]!) / 2);
  if (share <= 1 - CERTAIN) return { values, pooled };
  const other = ofMixed();
  const between = (left: Float32Array, right: Float32Array): Float32Array =>
    left.map((value, at) => (1 - share) * value + share * right[at]!);
  return { values: between(values, other.values), pooled: between(pooled, other.pooled) };
}

function gateInputs({ candidates, chunks, question, dataset }: Inputs): Float32Array {
  const common = dataset[0]!,
    commonest = dataset[1]!,
    own = question[OWN_LANGUAGE]!;
  let length = 0;
  for (let candidate = 0; candidate < candidates; candidate++)
    length += chunks[candidate * CHUNK_INPUTS + LENGTH]! / candidates / 5;
  return Float32Array.of(common, commonest, length, own, common * length, commonest * length, own * common, own * own);
}

function weigh(network: Network, inputs: Inputs): Weighed {
  const pooled = poolUnits(network, inputs);
  return { values: candidateValues(network, inputs, pooled), pooled };
}

/** candidates × POOLED: what the candidate holds of all units together, each weighed by what it is worth in this question. */
function poolUnits({ match, pooling }: Network, inputs: Inputs): Float32Array {
  const { candidates, units, matches } = inputs;
  const seen = new SeenUnits(match, inputs);
  const shares = unitShares(pooling, inputs, seen);
  const pooled = new Float32Array(candidates * POOLED);
  for (let unit = 0; unit < units; unit++) {
    seen.begin(unit);
    for (let candidate = 0; candidate < candidates; candidate++) {
      const out = seen.judge(matches, (candidate * MOST_UNITS + unit) * MATCH_INPUTS);
      for (let pool = 0; pool < POOLED; pool++)
        pooled[candidate * POOLED + pool]! += sigmoid(out[pool]!) * shares[unit * POOLED + pool]!;
    }
  }
  return pooled;
}

/** units × POOLED: what each unit is worth; each column sums to 1. */
function unitShares(
  pooling: Layers,
  { units, unitInputs, question }: Inputs,
  { means, highest }: SeenUnits,
): Float32Array {
  const shares = new Float32Array(units * POOLED);
  const sums = new Float32Array(POOLED);
  const worth = new Float32Array(pooling.hidden.inputs);
  for (let unit = 0; unit < units; unit++) {
    const at = unit * MATCH_INPUTS;
    worth.set(unitInputs.subarray(unit * UNIT_INPUTS, unit * UNIT_INPUTS + 3));
    worth.set(
      [
        means[at]!,
        means[at + 1]!,
        means[at + 3]!,
        highest[at]!,
        highest[at + 1]!,
        highest[at + 3]!,
        question[OWN_LANGUAGE]!,
      ],
      3,
    );
    const out = forward(pooling, worth);
    for (let pool = 0; pool < POOLED; pool++) sums[pool]! += shares[unit * POOLED + pool] = softplus(out[pool]!);
  }
  return shares.map((share, at) => share / (sums[at % POOLED]! + LEAST_SUM));
}

/**
 * The layers that look at one unit in one candidate. They are given its matches, the same less their means over the candidates, and what
 * belongs to the unit and the question: all but the matches themselves is the same for every candidate, and is multiplied once.
 */
class SeenUnits {
  /** units × MATCH_INPUTS, over the candidates. */
  readonly means: Float32Array;
  readonly highest: Float32Array;
  /** hidden × MATCH_INPUTS: the weights of a match and of its distance from the mean together. */
  private readonly weights: Float32Array;
  private readonly constant: Float32Array;
  private readonly hidden: Float32Array;
  private readonly out = new Float32Array(POOLED);

  constructor(
    private readonly layers: Layers,
    private readonly given: Inputs,
  ) {
    const { candidates, units, matches } = given;
    this.means = new Float32Array(units * MATCH_INPUTS);
    this.highest = new Float32Array(units * MATCH_INPUTS);
    for (let candidate = 0; candidate < candidates; candidate++) {
      for (let at = 0, from = candidate * MOST_UNITS * MATCH_INPUTS; at < units * MATCH_INPUTS; at++, from++) {
        this.means[at]! += matches[from]! / candidates;
        if (matches[from]! > this.highest[at]!) this.highest[at] = matches[from]!;
      }
    }
    const { inputs, outputs, weights } = layers.hidden;
    this.weights = Float32Array.from({ length: outputs * MATCH_INPUTS }, (_, at) => {
      const from = Math.floor(at / MATCH_INPUTS) * inputs + (at % MATCH_INPUTS);
      return weights[from]! + weights[from + MATCH_INPUTS]!;
    });
    this.constant = new Float32Array(outputs);
    this.hidden = new Float32Array(outputs);
  }

  begin(unit: number): void {
    const { unitInputs, question } = this.given;
    const input = new Float32Array(this.layers.hidden.inputs);
    for (let at = 0; at < MATCH_INPUTS; at++) input[MATCH_INPUTS + at] = -this.means[unit * MATCH_INPUTS + at]!;
    input.set(unitInputs.subarray(unit * UNIT_INPUTS, unit * UNIT_INPUTS + 2), 2 * MATCH_INPUTS);
    input.set(question, 2 * MATCH_INPUTS + 2);
    multiply(this.layers.hidden, input, this.constant);
  }

  /** The result is overwritten by the next. */
  judge(matches: Float32Array, at: number): Float32Array {
    const { weights, constant, hidden, out } = this;
    const one = matches[at]!,
      two = matches[at + 1]!,
      three = matches[at + 2]!,
      four = matches[at + 3]!;
    for (let to = 0, from = 0; to < hidden.length; to++, from += MATCH_INPUTS) {
      const sum =
        constant[to]! +
        weights[from]! * one +
        weights[from + 1]! * two +
        weights[from + 2]! * three +
        weights[from + 3]! * four;
      hidden[to] = sum < 0 ? 0 : sum;
    }
    multiply(this.layers.out, hidden, out);
    return out;
  }
}

function candidateValues(
  { value, linear }: Network,
  { candidates, chunks, question }: Inputs,
  pooled: Float32Array,
): Float32Array {
  const compared = compare(chunks, CHUNK_INPUTS, COMPARED, candidates);
  const comparedPools = compare(pooled, POOLED, POOLED, candidates);
  const z = new Float32Array(value.hidden.inputs);
  return Float32Array.from({ length: candidates }, (_, candidate) => {
    const at = candidate * CHUNK_INPUTS;
    let to = 0;
    for (let input = 0; input < COMPARED; input++) z[to++] = chunks[at + input]!;
    for (let input = 0; input < COMPARED; input++) z[to++] = chunks[at + input]! - compared.best[input]!;
    for (let input = 0; input < COMPARED; input++)
      z[to++] =
        ((chunks[at + input]! - compared.mean[input]!) / (compared.deviation[input]! + LEAST_DEVIATION)) *
        DEVIATION_SHARE;
    z[to++] = chunks[at + OVERLAP]! ** 2;
    z[to++] = chunks[at + LENGTH]! / 6;
    for (let input = 0; input < QUESTION_INPUTS; input++) z[to++] = question[input]!;
    for (let pool = 0; pool < POOLED; pool++) z[to++] = pooled[candidate * POOLED + pool]!;
    for (let pool = 0; pool < POOLED; pool++) z[to++] = pooled[candidate * POOLED + pool]! - comparedPools.best[pool]!;
    for (let pool = 0; pool < POOLED; pool++) z[to++] = pooled[candidate * POOLED + pool]! - comparedPools.mean[pool]!;
    return forward(value, z)[0]! + apply(linear, z)[0]!;
  });
}

/** Best first, each with how sure it is: by its value, what lies between it and the others, and its own evidence. `held`: the plain values. */
function score(
  confidence: Confidence,
  inputs: Inputs,
  held: Float32Array,
  pooled: Float32Array,
  values: Float32Array,
): Judged[] {
  const { candidates, chunks, question, dataset } = inputs;
  const order = [...values.keys()].sort((left, right) => values[right]! - values[left]! || left - right);
  if (candidates === 0) return [];
  const best = values[order[0]!]!;
  const second = order.length > 1 ? values[order[1]!]! : best;
  let sum = 0;
  for (const value of values) sum += Math.exp((value - best) * confidence.sharpness);
  const z = new Float32Array(confidence.layers.hidden.inputs);
  const scoreOf = scoreMap(confidence.calibration);
  let lowest = 1;
  return order.map((candidate, rank) => {
    const value = values[candidate]!;
    if (rank < JUDGED_RANKS) {
      const at = candidate * CHUNK_INPUTS;
      const share = (value - best) * confidence.sharpness - Math.log(sum);
      z.set([
        value - best,
        value - (rank === 0 ? second : best),
        share,
        chunks[at + WINDOW]!,
        chunks[at + PAIRS]!,
        chunks[at + COSINE]!,
        chunks[at + OVERLAP]!,
        pooled[candidate * POOLED]!,
        pooled[candidate * POOLED + 1]!,
        pooled[candidate * POOLED + 2]!,
        question[OWN_LANGUAGE]!,
        question[UNIT_COUNT]!,
        rank / JUDGED_RANKS,
        held[candidate]!,
        question[DATASET_SIZE]!,
        dataset[0]!,
        dataset[1]!,
      ]);
      lowest = Math.min(lowest, scoreOf(forward(confidence.layers, z)[0]!));
    }
    return {
      candidate,
      value,
      score: lowest,
      support: supportOf(confidence.answerable, inputs, candidate, held[candidate]!, lowest),
    };
  });
}

/**
 * How sure it is that something answers: by how much of the question a result holds, beside its score. A score says whether this result is the right
 * one among the others, and where nothing answers one of them is still the best.
 */
function supportOf(
  answerable: Layers,
  { chunks, question, dataset }: Inputs,
  candidate: number,
  held: number,
  score: number,
): number {
  if (score < LEAST_SCORE) return 0;
  const bounded = Math.min(HIGHEST_SCORE, score);
  const logit = Math.log(bounded / (1 - bounded));
  const at = candidate * CHUNK_INPUTS;
  return sigmoid(
    forward(
      answerable,
      Float32Array.of(
        held,
        logit,
        question[UNIT_COUNT]!,
        question[OWN_LANGUAGE]!,
        question[DATASET_SIZE]!,
        dataset[0]!,
        dataset[1]!,
        chunks[at + COSINE]!,
        chunks[at + OVERLAP]!,
      ),
    )[0]!,
  );
}

interface Compared {
  readonly best: Float32Array;
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
}

/** Of each of the first `columns` numbers in rows of `stride`: the highest, the mean, and the standard deviation. */
function compare(rows: Float32Array, stride: number, columns: number, count: number): Compared {
  const best = new Float32Array(columns).fill(-Infinity),
    mean = new Float32Array(columns),
    deviation = new Float32Array(columns);
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < columns; column++) {
      const value = rows[row * stride + column]!;
      best[column] = Math.max(best[column]!, value);
      mean[column]! += value / count;
    }
  }
  for (let row = 0; row < count; row++)
    for (let column = 0; column < columns; column++)
      deviation[column]! += (rows[row * stride + column]! - mean[column]!) ** 2;
  for (let column = 0; column < columns; column++)
    deviation[column] = Math.sqrt(deviation[column]! / Math.max(1, count));
  return { best, mean, deviation };
}

// Nothing interrupts a judgement: kept, as they are needed hundreds of times for each.
const hiddenValues = new Float32Array(64);
const outValues = new Float32Array(8);

/** Both layers with a rectifier between them; the result is overwritten by the next. */
function forward({ hidden, out }: Layers, input: Float32Array): Float32Array {
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

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));
const softplus = (value: number): number => (value > 30 ? value : Math.log1p(Math.exp(value)));
