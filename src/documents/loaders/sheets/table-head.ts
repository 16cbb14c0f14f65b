/**
 * Where a table begins under what stands above it, and what its columns are called. Nothing says so in most files: a row of names is known by what
 * stands under it, words over numbers above all.
 */

/** A row as its loader found it. */
export interface TableRow {
  /** As the format's own programs number it, from 1 on. */
  readonly number: number;
  /** What is shown, "" where nothing is. */
  readonly cells: readonly string[];
  /** The same with what stands in merged cells in each column that they cover. */
  readonly spread?: readonly string[];
  /** What is noted on it elsewhere: comments. */
  readonly notes?: readonly string[];
}

export interface TableHead {
  /** Rows before the table: titles and notes. */
  readonly above: number;
  /** Rows that hold the names. */
  readonly height: number;
  /** The columns' names, "" where one has none; null when nothing names them. */
  readonly names: readonly string[] | null;
}

const LONGEST_NAME = 200;
const LONGEST_NUMBER = 200;
/** Rows of names above one another, where a name spans several columns. */
const MOST_HEIGHT = 3;
const LETTER = /\p{L}/u;
/** Digits, and around them what amounts, dates and times are written with. */
const NUMBER = /^[^\p{L}]*\d[^\p{L}]*(?:\p{L}{1,3}\.?)?$/u;
const DATE = /^(?:\d{1,2}[-/. ]+\p{L}{3,9}[-/., ]+\d{2,4}|\p{L}{3,9}[-/. ]+\d{1,2},? *\d{4}|\d{4}-\d\d-\d\d[T ].*)$/u;
const YEAR = /^(?:1[89]|20|21)\d\d$/;
/** As remarks begin, and sometimes the row of names. */
const MARKED = /^#\s*\S/;
/** What names no column. */
const VALUE = /^(?:true|false|yes|no|null|none|n\/a|nan|[^\p{L}\d]*)$|@.+\.|:\/\//iu;

/** What the first rows of a table say of it. Where names are `known` already, only a row that clearly names its columns replaces them. */
export function tableHead(rows: readonly TableRow[], known: readonly string[] | null): TableHead {
  const above = firstTableRow(rows);
  const head = rows[above];
  const none = { above, height: 0, names: null };
  if (head === undefined || widthOf(head) < 2) return none;
  const first = wide(head);
  const under = (start: number) => rows.slice(start).map(({ cells }) => cells);
  const isOther = known !== null && first.some((cell, column) => (cell === "") !== ((known[column] ?? "") === ""));
  if (!namesColumns(first, under(above + 1), known !== null && !isOther)) return none;
  const levels = [first];
  for (let at = above + 1; levels.length < MOST_HEIGHT && isSpanning(rows[at - 1]); at += 1) {
    const next = rows[at];
    if (next === undefined || !namesColumns(wide(next), under(at + 1), true)) break;
    levels.push(wide(next));
  }
  return { above, height: levels.length, names: joinedNames(levels) };
}

/** The first row about as wide as the table is; what stands above fills fewer cells. A table of one column has nothing above it, and no names. */
function firstTableRow(rows: readonly TableRow[]): number {
  const widths = rows.map(widthOf);
  const several = widths.filter((width) => width >= 2).toSorted((a, b) => a - b);
  if (several.length === 0) return 0;
  const usual = several[several.length >> 1]!;
  const first = rows.findIndex((row, index) => {
    const isRemark = isMarked(row) && (isMarked(rows[index + 1]) || widths[index] !== usual);
    return !isRemark && widths[index]! >= Math.max(2, Math.ceil(usual / 2));
  });
  return Math.max(0, first);
}

function isMarked(row: TableRow | undefined): boolean {
  return MARKED.test(row?.cells[0] ?? "");
}

/** Filled cells. One value merged over many is one. */
function widthOf(row: TableRow): number {
  const filled = wide(row).filter((cell) => cell !== "");
  return isSpanning(row) && new Set(filled).size < 2 ? 1 : filled.length;
}

/** Whether the row names the columns of those under it; `clearly` when words over words are not enough. */
function namesColumns(names: readonly string[], under: readonly (readonly string[])[], clearly: boolean): boolean {
  if (names.some((name) => name.length > LONGEST_NAME)) return false;
  const areYears = names.filter((name) => YEAR.test(name)).length >= 2;
  let [pro, contra] = [0, 0];
  names.forEach((name, column) => {
    if (name === "") return;
    const values = under.flatMap((cells) => (cells[column] ? [cells[column]] : []));
    const overNumbers = values.filter(isNumber).length * 2 > values.length;
    if (areYears && YEAR.test(name)) {
      if (values.some((value) => YEAR.test(value))) contra += 1;
      else if (overNumbers) pro += 1;
    } else if (isNumber(name) || VALUE.test(name) || name.endsWith(":") || values.includes(name)) contra += 1;
    else if (overNumbers) pro += 1;
  });
  if (pro !== contra) return pro > contra;
  return !clearly && names.some((name) => LETTER.test(name));
}

function isNumber(text: string): boolean {
  return text.length <= LONGEST_NUMBER && (NUMBER.test(text) || DATE.test(text));
}

function isSpanning(row: TableRow | undefined): boolean {
  return row?.spread?.some((cell, column) => cell !== (row.cells[column] ?? "")) ?? false;
}

function wide({ cells, spread }: TableRow): readonly string[] {
  return spread ?? cells;
}

function joinedNames(levels: readonly (readonly string[])[]): string[] {
  const width = Math.max(...levels.map((cells) => cells.length));
  return Array.from({ length: width }, (_, column) => {
    const parts = levels.map((cells) => cells[column] ?? "").filter((part) => part !== "");
    return parts.filter((part, index) => part !== parts[index - 1]).join(" ");
  });
}
