/** The shape of delimited text: which character parts the cells, as the beginning of the text shows. */

const DELIMITERS = ["\t", ";", "|", ","] as const;
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

const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 200;
/** Spreadsheets write and read a first line that names the delimiter. */
const NAMED = /^sep=([\t;|,])[ \t]*(?:\r\n?|\n|$)/i;
const LONGEST_NUMBER = 50;
/** What is about as good as this agrees well enough for another reason to decide. */
const CLOSE = 0.9;

/** The delimiter that the text names in its first line, and where the line after it begins. */
export function namedDelimiter(text: string): { delimiter: Delimiter; length: number } | null {
  const found = NAMED.exec(text);
  return found === null ? null : { delimiter: found[1] as Delimiter, length: found[0].length };
}

/** The delimiter under which most rows have the same number of cells, at least two; null when there is none. */
export function delimitedShape(text: string): DelimitedShape | null {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const isCut = sample.length < text.length;
  const shapes = DELIMITERS.map((delimiter) => usualRow(sample, delimiter, isCut)).filter(({ columns }) => columns > 1);
  // Commas stand in sentences and numbers; the others only where they part cells.
  return shapes.reduce<DelimitedShape | null>(
    (best, shape) => (best === null || isBetter(shape, best, sample) ? shape : best),
    null,
  );
}

/** Whether a column holds numbers, in all rows but perhaps the first. */
export function hasNumbers(text: string, delimiter: Delimiter): boolean {
  const [first = [], ...rows] = sampleLines(text).map((line) => line.split(delimiter));
  return first.some((_, column) => rows.length > 0 && rows.every((cells) => isNumber(cells[column] ?? "")));
}

/** Whether blanks stand beside the delimiter in most rows, as they do in sentences. */
export function isSpaced(text: string, delimiter: Delimiter): boolean {
  const lines = sampleLines(text);
  return lines.filter((line) => line.includes(`${delimiter} `)).length * 2 > lines.length;
}

/** Lines that are not blank, with a mark in place of what is in quotation marks. */
function sampleLines(text: string): string[] {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const whole = sample.length < text.length ? sample.slice(0, sample.lastIndexOf("\n") + 1) : sample;
  const lines = whole.replace(/"[^"]*"/g, (quoted) => (isNumber(quoted.slice(1, -1)) ? "0" : "x")).split(/[\r\n]+/);
  return lines.filter((line) => line.trim() !== "").slice(0, SAMPLE_ROWS);
}

function isNumber(cell: string): boolean {
  return cell.length <= LONGEST_NUMBER && /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell);
}

/** Column names, if the first row looks like them: all filled, all different, no numbers. */
export function columnNames(firstRow: readonly string[]): string[] | null {
  const names = firstRow.map((cell) => cell.trim());
  const filled = names.every((name) => name !== "" && name.length <= 200 && /\p{L}/u.test(name));
  return filled && new Set(names).size === names.length ? names : null;
}

function isBetter(shape: DelimitedShape, best: DelimitedShape, sample: string): boolean {
  if (shape.agreement < best.agreement * CLOSE) return false;
  if (shape.agreement * CLOSE > best.agreement) return true;
  return shape.columns > best.columns && !(shape.delimiter === "," && areDecimal(sample));
}

/** Whether commas stand within numbers: all between digits, never more than one in a row of digits. */
function areDecimal(sample: string): boolean {
  return !/[^\d],|,[^\d]|,\d+,/.test(sample);
}

function usualRow(sample: string, delimiter: Delimiter, isCut: boolean): DelimitedShape {
  const counts = cellCounts(sample, delimiter, isCut);
  const frequency = new Map<number, number>();
  for (const count of counts) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  let columns = 1;
  // Rows of one cell are titles and notes, as long as there are others.
  const times = (count: number) => (count === 1 ? 0 : (frequency.get(count) ?? 0));
  for (const count of frequency.keys()) if (times(count) > times(columns)) columns = count;
  return { delimiter, columns, rows: counts.length, agreement: times(columns) / Math.max(1, counts.length) };
}

/** Cells of each row that is not blank. A quotation mark means something only at the beginning of a cell. */
function cellCounts(sample: string, delimiter: string, isCut: boolean): number[] {
  const counts: number[] = [];
  let [cells, isBlank, isQuoted, isCellStart] = [1, true, false, true];
  for (let index = 0; index < sample.length && counts.length < SAMPLE_ROWS; index += 1) {
    const character = sample[index];
    if (isQuoted) {
      if (character !== '"') continue;
      if (sample[index + 1] === '"') index += 1;
      else isQuoted = false;
    } else if (character === "\n" || character === "\r") {
      if (!isBlank) counts.push(cells);
      [cells, isBlank, isCellStart] = [1, true, true];
    } else if (character === delimiter) {
      cells += 1;
      [isBlank, isCellStart] = [false, true];
    } else if (character === '"' && isCellStart) [isQuoted, isBlank, isCellStart] = [true, false, false];
    else if (character !== " ") [isBlank, isCellStart] = [false, false];
  }
  if (!isCut && !isBlank && counts.length < SAMPLE_ROWS) counts.push(cells);
  return counts;
}
