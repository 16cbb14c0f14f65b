/**
 * Rows of a page → its parts in reading order. Where an empty strip runs down between what stands to its left and to its right, there are
 * columns of text, which are read one after the other, or a table, which is read row by row.
 */
import { standApart } from "./row-gaps.ts";
import { median } from "./run.ts";
import type { Row, Run } from "./run.ts";
import { betweenText, commonStrips, emptyStrips } from "./strips.ts";
import type { Strip } from "./strips.ts";

export interface Part {
  readonly kind: "text" | "table";
  readonly rows: Row[];
}

/** A strip between columns is at least so wide, in heights of the letters. */
const NARROWEST_STRIP = 0.9;
/** A strip of fewer rows is a gap between words unless it is as wide as the second number says. */
const FEW_ROWS = 3;
const WIDE_GAP = 2;
/** Nor do few rows have columns that are filled with text up to this share. */
const MOSTLY_TEXT = 0.85;
/** Letters in the pieces of running text, and lines of it, at least. */
const RUNNING_TEXT = 22;
const FEWEST_LINES = 3;
/** A line that takes up this share of its column is full, and this share of the lines of running text is. */
const FULL_LINE = 0.7;
const MANY_FULL = 0.4;
/** Beside running text there may be labels and notes at so many of its lines; more make a table. */
const LITTLE_BESIDE = 0.4;
/** In a table of many lines at least this share of one side's have another beside them. */
const MANY_LINES = 10;
const BESIDE = 0.75;
/** Columns inside columns. */
const DEEPEST = 8;
/** A gap between rows that is larger than so many usual ones ends what is beside only one side of a strip. */
const FAR = 1.7;

/** The parts of the rows, which go from top to bottom. */
export function partsOf(rows: readonly Row[], depth = 0): Part[] {
  const parts: Part[] = [];
  let text: Row[] = [];
  const endText = () => {
    if (text.length > 0) parts.push({ kind: "text", rows: text });
    text = [];
  };
  const narrowest = median(rows.map(({ height }) => height)) * NARROWEST_STRIP;
  for (let index = 0; index < rows.length; ) {
    const { count, strips } = bandAt(rows, index, narrowest);
    const band = rows.slice(index, index + Math.max(count, 1));
    index += band.length;
    if (count === 0 || isOneText(band, strips)) {
      text.push(...band);
      continue;
    }
    const column = depth < DEEPEST ? columnStrip(band, strips) : undefined;
    endText();
    if (column === undefined) parts.push({ kind: "table", rows: band });
    else {
      const middle = (column.from + column.to) / 2;
      parts.push(
        ...partsOf(
          side(band, (run) => run.left < middle),
          depth + 1,
        ),
      );
      parts.push(
        ...partsOf(
          side(band, (run) => run.left >= middle),
          depth + 1,
        ),
      );
    }
  }
  endText();
  return parts;
}

/** How many rows from there on have a strip in common, and those strips; 0: none. */
function bandAt(rows: readonly Row[], start: number, narrowest: number): { count: number; strips: Strip[] } {
  let strips = emptyStrips(rows[start]!, narrowest);
  let found = betweenText(strips);
  let count = found.length > 0 ? 1 : 0;
  for (let index = start + 1; index < rows.length; index += 1) {
    strips = commonStrips(strips, emptyStrips(rows[index]!, narrowest), narrowest);
    const inside = betweenText(strips);
    if (inside.length === 0 && (count > 0 || index > start + 1)) break;
    if (inside.length === 0) continue;
    found = inside;
    count = index - start + 1;
  }
  return count === 0 ? { count, strips: [] } : { count: withoutTail(rows, start, count, found), strips: found };
}

/** Leaves out rows at the end that stand apart, beside nothing. */
function withoutTail(rows: readonly Row[], start: number, count: number, strips: readonly Strip[]): number {
  const gaps = rows
    .slice(start + 1, start + count)
    .map(({ baseline }, index) => rows[start + index]!.baseline - baseline);
  const usual = median(gaps.filter((gap) => gap > 0));
  let tail = count;
  for (let length = count; length > 1; length -= 1) {
    const { runs } = rows[start + length - 1]!;
    if (strips.some(({ from, to }) => runs.some(({ right }) => right <= from) && runs.some(({ left }) => left >= to)))
      break;
    if ((gaps[length - 2] ?? 0) > usual * FAR) tail = length - 1;
  }
  return tail;
}

/** Gaps between words that happen to be wide. */
function isOneText(band: readonly Row[], strips: readonly Strip[]): boolean {
  if (band.length >= FEW_ROWS) return false;
  const widest = strips.reduce((width, { from, to }) => Math.max(width, to - from), 0);
  if (widest < median(band.map(({ height }) => height)) * WIDE_GAP) return true;
  return band.every(({ runs }) => {
    const text = runs.reduce((width, { left, right }) => width + right - left, 0);
    return runs.length === 1 || text > (runs.at(-1)!.right - runs[0]!.left) * MOSTLY_TEXT;
  });
}

/** The widest strip with columns of text on both sides. */
function columnStrip(band: readonly Row[], strips: readonly Strip[]): Strip | undefined {
  const apart = standApart(band);
  const wide = strips.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  return wide.find(({ from, to }) => {
    const middle = (from + to) / 2;
    const left = side(band, (run) => run.left < middle);
    const right = side(band, (run) => run.left >= middle);
    const fewer = Math.min(left.length, right.length);
    const beside = left.length + right.length - band.length;
    if (!apart && fewer >= MANY_LINES && beside < fewer * BESIDE) return true;
    if (isRunningText(left)) return isRunningText(right) || right.length < left.length * LITTLE_BESIDE;
    return isRunningText(right) && left.length < right.length * LITTLE_BESIDE;
  });
}

/** Whether most letters stand in long pieces, one to a line, and most lines fill the column. */
function isRunningText(rows: readonly Row[]): boolean {
  const runs = rows.flatMap((row) => row.runs);
  if (runs.length < FEWEST_LINES || runs.length > rows.length * 2) return false;
  const letters = runs.reduce((sum, { text }) => sum + text.length, 0);
  const weighted = runs.reduce((sum, { text }) => sum + text.length ** 2, 0);
  if (weighted / letters < RUNNING_TEXT) return false;
  const left = runs.reduce((least, run) => Math.min(least, run.left), Number.POSITIVE_INFINITY);
  const right = runs.reduce((most, run) => Math.max(most, run.right), Number.NEGATIVE_INFINITY);
  const full = rows.filter((row) => row.runs.at(-1)!.right - row.runs[0]!.left >= (right - left) * FULL_LINE).length;
  return full >= rows.length * MANY_FULL;
}

function side(band: readonly Row[], isThere: (run: Run) => boolean): Row[] {
  return band.flatMap((row) => {
    const runs = row.runs.filter(isThere);
    const [first] = runs;
    return first === undefined ? [] : [{ runs, baseline: first.baseline, height: first.height }];
  });
}
