/** Usage by day as a chart draws it: every day once, and a stack for each. Pure. */

export interface UsageEntry {
  /** UTC, `2026-05-01`. */
  readonly day: string;
  readonly customerId: string;
  readonly operation: string;
  readonly count: number;
  readonly credits: number;
}

export type UsageKey = "customerId" | "operation";
export type UsageMeasure = "count" | "credits";

export interface UsageSeries {
  readonly days: readonly string[];
  /** The largest first; beyond `most`, the rest together under null. */
  readonly groups: readonly {
    readonly name: string | null;
    readonly values: readonly number[];
    readonly total: number;
  }[];
  /** Of the highest day. */
  readonly highest: number;
}

export function usageSeries(
  { from, to, entries }: { readonly from: string; readonly to: string; readonly entries: readonly UsageEntry[] },
  by: UsageKey,
  measure: UsageMeasure,
  most: number,
): UsageSeries {
  const days = daysBetween(from, to);
  const dayAt = new Map(days.map((day, at) => [day, at]));
  const totals = new Map<string, number>();
  for (const entry of entries) totals.set(entry[by], (totals.get(entry[by]) ?? 0) + entry[measure]);
  const names = [...totals].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const places = new Map(names.map((name) => [name, shown.includes(name) ? name : null]));
  const values = new Map<string | null, number[]>(
    [...new Set(names.map((name) => places.get(name)!))].map((name) => [name, days.map(() => 0)]),
  );
  for (const entry of entries) {
    const at = dayAt.get(entry.day);
    if (at !== undefined) values.get(places.get(entry[by])!)![at]! += entry[measure];
  }
  const groups = [...values].map(([name, of]) => ({ name, values: of, total: of.reduce((sum, one) => sum + one, 0) }));
  const highest = Math.max(0, ...days.map((_, at) => groups.reduce((sum, group) => sum + group.values[at]!, 0)));
  return { days, groups, highest };
}

/** Both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  const last = Date.parse(`${to}T00:00:00Z`);
  for (let time = Date.parse(`${from}T00:00:00Z`); time <= last; time += 86_400_000)
    days.push(new Date(time).toISOString().slice(0, 10));
  return days;
}

/** The next round number from `highest` on. */
export function roundedUp(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= highest * (1 - 1e-9))!;
}
