/** The shape of delimited text: which character parts the cells, and whether the first row names the columns. */

const DELIMITERS = [",", "\t", ";", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface DelimitedShape {
  delimiter: Delimiter;
  /** Cells of the usual row. */
  columns: number;
  /** Rows looked at. */
  rows: number;
  /** Share of the rows that have the usual number of cells. */
  agreement: number;
}

const SAMPLE_CHARACTERS = 32 * 1024;
const SAMPLE_ROWS = 60;

/** The delimiter under which most rows have the same number of cells, at least two; null when there is none. */
export function delimitedShape(text: string): DelimitedShape | null {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const wasCut = sample.length < text.length;
  let best: DelimitedShape | null = null;
  for (const delimiter of DELIMITERS) {
    const counts = cellCounts(sample, delimiter, wasCut);
    const shape = usualRow(counts, delimiter);
    if (shape.columns < 2) continue;
    const better =
      best === null ||
      shape.agreement > best.agreement ||
      (shape.agreement === best.agreement && shape.columns > best.columns);
    if (better) best = shape;
  }
  return best;
}

/** Column names, if the first row looks like them: all filled, all different, no numbers. */
export function columnNames(firstRow: readonly string[]): string[] | null {
  const names = firstRow.map((cell) => cell.trim());
  const filled = names.every((name) => name !== "" && name.length <= 200 && /\p{L}/u.test(name));
  return filled && new Set(names).size === names.length ? names : null;
}

function cellCounts(sample: string, delimiter: string, wasCut: boolean): number[] {
  const counts: number[] = [];
  let cells = 1;
  let quoted = false;
  let blank = true;
  for (let index = 0; index < sample.length && counts.length < SAMPLE_ROWS; index += 1) {
    const character = sample[index];
    if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) cells += 1;
    if (character === "\n" && !quoted) {
      if (!blank) counts.push(cells);
      cells = 1;
      blank = true;
    } else if (character !== "\r") blank = false;
  }
  if (!wasCut && !blank && counts.length < SAMPLE_ROWS) counts.push(cells);
  return counts;
}

function usualRow(counts: readonly number[], delimiter: Delimiter): DelimitedShape {
  const frequency = new Map<number, number>();
  for (const count of counts) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  let columns = 0;
  for (const [count, times] of frequency) if (times > (frequency.get(columns) ?? 0)) columns = count;
  return {
    delimiter,
    columns,
    rows: counts.length,
    agreement: (frequency.get(columns) ?? 0) / Math.max(1, counts.length),
  };
}
