/** Whether a figure grows over time: a straight line through its samples, and how sure its slope is. Pure. */

export interface Trend {
  /** Units an hour. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly uncertainty: number;
}

/** The slope must exceed the bound by as many standard errors to be growth: what goes up and down is not. */
const SURE = 2;

/** Least squares; `hours` and `values` belong together. Both numbers are NaN below three samples. */
export function trendOf(hours: readonly number[], values: readonly number[]): Trend {
  const count = hours.length;
  if (count < 3) return { slope: NaN, uncertainty: NaN };
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / count;
  const meanHour = mean(hours),
    meanValue = mean(values);
  const spread = hours.reduce((sum, hour) => sum + (hour - meanHour) ** 2, 0);
  const slope = hours.reduce((sum, hour, index) => sum + (hour - meanHour) * (values[index]! - meanValue), 0) / spread;
  const residue = hours.reduce(
    (sum, hour, index) => sum + (values[index]! - meanValue - slope * (hour - meanHour)) ** 2,
    0,
  );
  return { slope, uncertainty: Math.sqrt(residue / (count - 2) / spread) };
}

/** Whether it surely grows by more than `bound` units an hour. */
export function grows({ slope, uncertainty }: Trend, bound: number): boolean {
  return slope - SURE * uncertainty > bound;
}
