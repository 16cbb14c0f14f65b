/**
 * Tables of quality figures: a row per language, a column per figure, each with its 95 % interval; with several contenders a line for
 * each, and one for what the first has more than each other.
 */
import type { Random } from "../random.ts";
import { combine, draw, estimate, ratio, type Estimate, type Ratio } from "./intervals.ts";
import { mean } from "./measures.ts";

/** Questions of a row that say something. */
const ENOUGH = 10;

export interface Column {
  readonly name: string;
  /** One for each contender, over the same questions. */
  readonly ratios: readonly Ratio[];
}

export interface Row {
  readonly label: string;
  readonly count: number;
  /** By contender, then by column. */
  readonly estimates: readonly (readonly Estimate[])[];
  /** The first contender's less each other's, by that contender, then by column. */
  readonly differences: readonly (readonly Estimate[])[];
}

export interface Table {
  readonly title: string;
  readonly contenders: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Of several rows: the mean of the rows, or all questions taken together. */
  readonly total: Row | null;
}

export interface TableRequest {
  readonly title: string;
  readonly contenders: readonly string[];
  readonly columns: readonly Column[];
  /** Positions of each row's questions in the ratios. */
  readonly rows: readonly { readonly label: string; readonly questions: readonly number[] }[];
  /** Whether languages count the same in the last row, or questions do. They do where a language has too few to say something. */
  readonly total: "mean of rows" | "all questions";
}

export function makeTable({ title, contenders, columns, rows, total }: TableRequest, random: Random): Table {
  // By contender, then by column.
  const ratios = contenders.flatMap((_, contender) => columns.map((column) => column.ratios[contender]!));
  const measured = rows.map(({ label, questions }) => ({
    label,
    questions,
    values: ratios.map((one) => ratio(one, questions)),
    draws: draw(ratios, questions, random),
  }));
  const toRow = (label: string, count: number, values: readonly number[], draws: readonly Float64Array[]): Row => {
    const estimateAt = (at: number): Estimate => estimate(values[at]!, draws[at]!);
    const differenceAt = (at: number, column: number): Estimate =>
      estimate(
        values[column]! - values[at]!,
        combine([draws[column]!, draws[at]!], ([first, other]) => first! - other!),
      );
    const place = (contender: number, column: number): number => contender * columns.length + column;
    return {
      label,
      count,
      estimates: contenders.map((_, contender) => columns.map((__, column) => estimateAt(place(contender, column)))),
      differences: contenders
        .slice(1)
        .map((_, other) => columns.map((__, column) => differenceAt(place(other + 1, column), column))),
    };
  };
  const count = rows.reduce((sum, { questions }) => sum + questions.length, 0);
  const totalRow = (): Row => {
    if (total === "mean of rows" && rows.every(({ questions }) => questions.length >= ENOUGH))
      return toRow(
        `mean of ${rows.length}`,
        count,
        ratios.map((_, at) => meanOfKnown(measured.map(({ values }) => values[at]!))),
        ratios.map((_, at) =>
          combine(
            measured.map(({ draws }) => draws[at]!),
            meanOfKnown,
          ),
        ),
      );
    const all = rows.flatMap(({ questions }) => questions);
    return toRow(
      "all",
      count,
      ratios.map((one) => ratio(one, all)),
      draw(ratios, all, random),
    );
  };
  return {
    title,
    contenders,
    columns: columns.map(({ name }) => name),
    rows: measured.map(({ label, questions, values, draws }) => toRow(label, questions.length, values, draws)),
    total: rows.length > 1 ? totalRow() : null,
  };
}

/** Prints a table, without rows that say little beside a total; of more than `most` rows only the best and the worst by the first column. */
export function printTable({ title, contenders, columns, rows: all, total }: Table, most: number): void {
  const rows = total === null ? all : all.filter(({ count }) => count >= ENOUGH);
  const sorted =
    rows.length > most
      ? rows.toSorted((left, right) => right.estimates[0]![0]!.value - left.estimates[0]![0]!.value)
      : rows;
  const best = Math.ceil(most / 2);
  const shown =
    rows.length > most ? [...sorted.slice(0, best), ...sorted.slice(sorted.length - Math.floor(most / 2))] : sorted;
  const labels = Math.max(10, ...[...shown, ...(total ? [total] : [])].map(({ label }) => label.length));
  const names = contenders.length > 1 ? Math.max(...contenders.map((name) => name.length), "difference".length) : 0;
  const widths = columns.map((name) => Math.max(name.length, names > 0 ? 19 : 16));
  const line = (label: string, count: string, name: string, cells: readonly string[]): void =>
    console.log(
      `  ${label.padEnd(labels)} ${count.padStart(6)}  ${names > 0 ? `${name.padEnd(names)}  ` : ""}${cells.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")}`.trimEnd(),
    );
  const print = (row: Row): void => {
    row.estimates.forEach((estimates, contender) => {
      line(
        contender === 0 ? row.label : "",
        contender === 0 ? String(row.count) : "",
        contenders[contender]!,
        estimates.map((one) => figure(one)),
      );
      if (contender > 0)
        line(
          "",
          "",
          "difference",
          row.differences[contender - 1]!.map((one) => figure(one, true)),
        );
    });
  };
  console.log(`\n${title}`);
  line("", "n", "", columns);
  shown.forEach((row, index) => {
    if (rows.length > most && index === best) console.log(`  … ${rows.length - most} more`);
    print(row);
  });
  if (total !== null) print(total);
}

/** `.886 [.877 .895]`, with a sign where it is a difference; `-` where nothing was counted. */
export function figure({ value, low, high }: Estimate, isDifference = false): string {
  if (Number.isNaN(value)) return "-";
  const write = (number: number): string =>
    `${isDifference && number >= 0 ? "+" : ""}${number.toFixed(Math.abs(number) >= 10 ? 1 : 3).replace(/^(-?)0\./, "$1.")}`;
  return Number.isNaN(low) ? write(value) : `${write(value)} [${write(low)} ${write(high)}]`;
}

const meanOfKnown = (values: readonly number[]): number => {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? NaN : mean(known);
};
