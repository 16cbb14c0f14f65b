/**
 * How sure a figure is: 95 % intervals by the bootstrap, which draws as many questions as there are, with repetition, a thousand times
 * over, and looks between which values the figure lies in 95 of 100 draws. Two contenders are compared on the same draws, so that what a
 * hard question costs both does not count as a difference. Pure.
 */
import type { Random } from "../random.ts";

/** A figure with the ends of its 95 % interval; NaN where nothing says how large it is. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A figure that is a share or a mean: what each question adds to the sum above the line and to the one below it. */
export interface Ratio {
  readonly above: Float64Array;
  readonly below: Float64Array;
}

const DRAWS = 1000;
const OUTSIDE = 0.025;

/** Makes a ratio over questions: `of` returns what each adds above and below the line, or a number that counts once, or null: nothing. */
export function ratioOf<Item>(
  items: readonly Item[],
  of: (item: Item, index: number) => readonly [number, number] | number | boolean | null,
): Ratio {
  const above = new Float64Array(items.length),
    below = new Float64Array(items.length);
  items.forEach((item, index) => {
    const added = of(item, index);
    if (added === null) return;
    [above[index], below[index]] = typeof added === "object" ? [added[0], added[1]] : [Number(added), 1];
  });
  return { above, below };
}

/** The figure over these questions. */
export function ratio({ above, below }: Ratio, questions: readonly number[]): number {
  let over = 0,
    under = 0;
  for (const question of questions) {
    over += above[question]!;
    under += below[question]!;
  }
  return over / under;
}

/** What each of several ratios over the same questions is in each draw. NaN where a draw has none of the questions that count. */
export function draw(ratios: readonly Ratio[], questions: readonly number[], random: Random): Float64Array[] {
  const draws = ratios.map(() => new Float64Array(DRAWS));
  const drawn = new Int32Array(questions.length);
  for (let at = 0; at < DRAWS; at++) {
    for (let index = 0; index < drawn.length; index++) drawn[index] = questions[random.below(questions.length)]!;
    ratios.forEach(({ above, below }, which) => {
      let over = 0,
        under = 0;
      for (const question of drawn) {
        over += above[question]!;
        under += below[question]!;
      }
      draws[which]![at] = over / under;
    });
  }
  return draws;
}

/** The interval in which 95 of 100 draws lie, around a value. */
export function estimate(value: number, draws: Float64Array): Estimate {
  const sorted = draws.filter((drawn) => !Number.isNaN(drawn)).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { value, low: at(OUTSIDE), high: at(1 - OUTSIDE) };
}

/** One list of draws from several: what `of` makes of the values of each draw. */
export function combine(lists: readonly Float64Array[], of: (values: number[]) => number): Float64Array {
  return Float64Array.from({ length: DRAWS }, (_, at) => of(lists.map((draws) => draws[at]!)));
}

/** A rank correlation of so many pairs with its interval, by Fisher's transformation with Bonett's and Wright's variance. */
export function correlationEstimate(value: number, pairs: number): Estimate {
  const middle = Math.atanh(value);
  const spread = 1.96 * Math.sqrt((1 + value ** 2 / 2) / Math.max(1, pairs - 3));
  return { value, low: Math.tanh(middle - spread), high: Math.tanh(middle + spread) };
}
