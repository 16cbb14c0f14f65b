/** Figures of retrieval quality, by their usual definitions. Pure. */

/** How far down a list counts. */
export const DEPTH = 10;

export interface RetrievalScores {
  readonly questions: number;
  /** Mean of 1/rank of the first right passage, 0 when it is not among the first ten. */
  readonly mrr: number;
  /** Share of questions with a right passage first, and among the first ten. */
  readonly recall1: number;
  readonly recall10: number;
}

/** `ranks` count from 1; Infinity: not found. */
export function retrievalScores(ranks: readonly number[]): RetrievalScores {
  const mean = (value: (rank: number) => number): number =>
    ranks.reduce((sum, rank) => sum + value(rank), 0) / Math.max(1, ranks.length);
  return {
    questions: ranks.length,
    mrr: mean((rank) => (rank <= DEPTH ? 1 / rank : 0)),
    recall1: mean((rank) => (rank <= 1 ? 1 : 0)),
    recall10: mean((rank) => (rank <= DEPTH ? 1 : 0)),
  };
}

/** The rank of the best of `right` (indexes) in `scores`: one more than how many score higher; Infinity when none is right. */
export function rankOf(scores: Float32Array, right: readonly number[]): number {
  if (right.length === 0) return Infinity;
  let best = -Infinity;
  for (const index of right) best = Math.max(best, scores[index]!);
  let higher = 0;
  for (const score of scores) if (score > best) higher++;
  return higher + 1;
}

/** Rank correlation of two lists, -1 to 1; equal values share the mean of their ranks. */
export function spearman(left: readonly number[], right: readonly number[]): number {
  const [a, b] = [meanRanks(left), meanRanks(right)];
  const middle = (a.length - 1) / 2;
  let product = 0,
    squaresA = 0,
    squaresB = 0;
  a.forEach((rank, index) => {
    const x = rank - middle,
      y = b[index]! - middle;
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  });
  return product / Math.sqrt(squaresA * squaresB);
}

function meanRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((x, y) => values[x]! - values[y]!);
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let at = start; at < end; at++) ranks[order[at]!] = (start + end - 1) / 2;
    start = end;
  }
  return ranks;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
