/** Rows of a table on a page → its rows of cells. What is written over several lines of a cell is joined. */
import { joinLines } from "../../join-lines.ts";
import { isNear, standApart } from "./row-gaps.ts";
import { isRightToLeft } from "./run.ts";
import type { Row, Run } from "./run.ts";

/** A row of cells with the names of their columns, where they are known; or text that stands alone on its lines, between rows. */
export type TablePart = TableRow | { readonly text: readonly Row[] };

interface TableRow {
  readonly cells: readonly string[];
  names: readonly string[] | null;
  readonly font: string;
}

/** A table of fewer rows needs no names. */
const FEWEST_ROWS = 3;
/** The least share of a column's cells that are numbers where its name is none. */
const NUMBERS = 0.6;
/** UTF-16 units of a column's name, or of a number. */
const LONGEST_NAME = 60;
/** A cell's lines begin or end no farther than this from one another, in heights. */
const SAME_EDGE = 0.7;
const NUMBER = /^[^\p{L}]*\d[^\p{L}]*\p{L}{0,3}[^\p{L}]*$/u;

/** The rows go from top to bottom. */
export function tablePartsOf(rows: readonly Row[]): TablePart[] {
  const apart = standApart(rows);
  const groups: Row[][] = [];
  let previous: Row | undefined;
  for (const row of rows) {
    const last = groups.at(-1);
    const near = previous !== undefined && isNear(previous, row);
    if (last !== undefined && near && (apart || goesOn(last, row))) last.push(row);
    else groups.push([row]);
    previous = row;
  }
  const parts: TablePart[] = [];
  for (const group of groups) {
    const cells = cellsOf(group);
    const last = parts.at(-1);
    if (cells.length > 1) parts.push({ cells, names: null, font: fontOf(group) });
    else if (last !== undefined && "text" in last) parts[parts.length - 1] = { text: [...last.text, ...group] };
    else parts.push({ text: group });
  }
  nameColumns(parts);
  return parts;
}

/** Whether the row holds one more line of a cell of the row above that is not its first. */
function goesOn([first]: readonly Row[], { runs }: Row): boolean {
  const [only] = runs;
  if (first === undefined || only === undefined || runs.length > 1 || first.runs.length < 2) return false;
  return first.runs.findIndex((cell) => isUnder(cell, only)) > 0;
}

function isUnder(cell: Run, run: Run): boolean {
  const edge = run.height * SAME_EDGE;
  return Math.abs(cell.left - run.left) < edge || Math.abs(cell.right - run.right) < edge;
}

/** What stands above one another is one cell. */
function cellsOf(group: readonly Row[]): string[] {
  const runs = group.flatMap((row) => row.runs);
  const columns: { runs: Run[]; right: number }[] = [];
  for (const run of runs.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (group.length > 1 && last !== undefined && run.left < last.right) {
      last.runs.push(run);
      last.right = Math.max(last.right, run.right);
    } else columns.push({ runs: [run], right: run.right });
  }
  const cells = columns.map((column) =>
    joinLines(column.runs.toSorted((a, b) => b.baseline - a.baseline || a.left - b.left).map(({ text }) => text)),
  );
  const backwards = cells.filter(isRightToLeft).length;
  return backwards * 2 > cells.length ? cells.reverse() : cells;
}

/** Gives rows that follow one another the names in the first of them. */
function nameColumns(parts: readonly TablePart[]): void {
  let table: TableRow[] = [];
  const end = () => {
    const [first, ...others] = table;
    if (first !== undefined && namesColumns(first, others)) for (const row of others) row.names = first.cells;
    table = [];
  };
  for (const part of parts) {
    if ("cells" in part) table.push(part);
    else end();
  }
  end();
}

/** Names are short, no numbers, and stand over every column; they are of another font, or over numbers. */
function namesColumns({ cells, font }: TableRow, others: readonly TableRow[]): boolean {
  if (others.length < FEWEST_ROWS || others.some((row) => row.cells.length > cells.length)) return false;
  if (cells.some((cell) => cell.length > LONGEST_NAME || isNumber(cell))) return false;
  if (others.every((row) => row.font !== font)) return true;
  return cells.some((_, column) => {
    const numbers = others.filter((row) => isNumber(row.cells[column] ?? "")).length;
    return numbers >= others.length * NUMBERS;
  });
}

function isNumber(cell: string): boolean {
  return cell.length <= LONGEST_NAME && NUMBER.test(cell);
}

function fontOf([first]: readonly Row[]): string {
  return first?.runs[0]?.font ?? "";
}
