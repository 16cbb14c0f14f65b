/** Prints quality figures: a table per measurement, a row per language, the mean of the languages last. */
import { mean, type RetrievalScores } from "./measures.ts";

export interface TableRow {
  readonly label: string;
  readonly count: number;
  readonly values: readonly number[];
}

/** Prints rows and their mean; of more than `most` rows only the mean, the best and the worst. */
export function printTable(title: string, columns: readonly string[], rows: readonly TableRow[], most: number): number[] {
  const width = Math.max(12, ...rows.map((row) => row.label.length));
  const line = (label: string, count: string, values: readonly string[]): void => console.log(`  ${label.padEnd(width)} ${count.padStart(6)}  ${values.map((value, index) => value.padStart(Math.max(6, columns[index]!.length))).join("  ")}`);
  console.log(`\n${title}`);
  line("", "n", columns);
  const sorted = rows.length > most ? rows.toSorted((left, right) => right.values.at(-1)! - left.values.at(-1)!) : rows;
  const shown = rows.length > most ? [...sorted.slice(0, Math.ceil(most / 2)), ...sorted.slice(-Math.floor(most / 2))] : sorted;
  shown.forEach((row, index) => {
    if (rows.length > most && index === Math.ceil(most / 2)) console.log(`  … ${rows.length - most} more`);
    line(row.label, String(row.count), row.values.map(figure));
  });
  const means = columns.map((_, column) => mean(rows.map((row) => row.values[column]!)));
  if (rows.length > 1) line(`mean of ${rows.length}`, String(rows.reduce((sum, row) => sum + row.count, 0)), means.map(figure));
  return means;
}

export const figure = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(3));
export const scoreColumns = (way: string): string[] => [`${way} MRR@10`, "R@1", "R@10"];
export const scoreValues = (scores: RetrievalScores): number[] => [scores.mrr, scores.recall1, scores.recall10];
