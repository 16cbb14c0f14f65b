/** Percentiles and the way figures are printed. */

/** The value below which `share` (0-1) of the samples lie. Sorts a copy. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with in the same run: machines differ and are noisy, a ratio much less. */
  readonly baseline?: { readonly name: string; readonly value: number };
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
}

/** Prints one figure as a line: value, ratio to its baseline, goal and whether it was met. */
export function report(figure: Figure): Figure {
  const { name, value, unit, baseline, goal } = figure;
  const parts = [`${name.padEnd(52)} ${format(value).padStart(9)} ${unit.padEnd(6)}`];
  if (baseline) parts.push(`${format(value / baseline.value)} × ${baseline.name} (${format(baseline.value)})`);
  if (goal) {
    const met = "atMost" in goal ? value <= goal.atMost : value >= goal.atLeast;
    parts.push(`${"atMost" in goal ? `goal ≤ ${goal.atMost}` : `goal ≥ ${goal.atLeast}`} ${met ? "✓" : "MISSED"}`);
  }
  console.log(parts.join("  "));
  return figure;
}

export const format = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(3);
