/** Runs → rows: what stands on one base line, over the whole width of the page. */
import { readingOrder, RUN_GAP, WORD_GAP } from "./run.ts";
import type { Row, Run } from "./run.ts";

/** Base lines that differ by less than this share of the letters' height are one. */
const SAME_BASELINE = 0.3;
/** Text over other text, by more than this share of the shorter one, is on a line of its own. */
const OVER_TEXT = 0.3;
/** What stands before the text of an item of a list. */
const LABEL = /^(?:[•◦▪■□‣●○·–—*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|(?:\d{1,3}\.)+\d{0,3}|§+)$/i;
/** The farthest that an item's text may stand from its label, in heights. */
const LABEL_GAP = 4;

/** Rows that may be near enough, and runs of one, that are looked at: more are not beside one another on any page that is read by people. */
const NEIGHBOURS = 32;

/** From top to bottom. */
export function rowsOf(runs: readonly Run[]): Row[] {
  const rows: Row[] = [];
  for (const run of runs.toSorted((a, b) => b.baseline - a.baseline || a.left - b.left)) {
    const row = rows.slice(-NEIGHBOURS / 4).find((other) => fits(other, run));
    if (row === undefined) rows.push({ runs: [run], baseline: run.baseline, height: run.height });
    else row.runs.push(run);
  }
  return rows.map((row) => ({ ...row, runs: joined(row.runs.toSorted((a, b) => a.left - b.left)) }));
}

function fits(row: Row, run: Run): boolean {
  if (row.baseline - run.baseline >= Math.min(row.height, run.height) * SAME_BASELINE) return false;
  return row.runs.slice(-NEIGHBOURS).every((other) => {
    const shared = Math.min(other.right, run.right) - Math.max(other.left, run.left);
    return shared <= Math.min(other.right - other.left, run.right - run.left) * OVER_TEXT;
  });
}

/** Joins what is nearer than columns are, and labels with the text of their item. */
function joined(runs: readonly Run[]): Run[] {
  const groups: Run[][] = [];
  let last: Run | undefined;
  for (const run of runs) {
    const gap = last === undefined ? Number.POSITIVE_INFINITY : run.left - last.right;
    const height = Math.max(last?.height ?? 0, run.height);
    const near = gap < height * RUN_GAP || (gap < height * LABEL_GAP && LABEL.test(last?.text ?? ""));
    if (near) groups.at(-1)?.push(run);
    else groups.push([run]);
    last = run;
  }
  return groups.map(whole);
}

/** One run of those that stand beside one another. */
function whole(runs: readonly Run[]): Run {
  if (runs.length === 1) return runs[0]!;
  const main = runs.reduce((longest, run) => (run.text.length > longest.text.length ? run : longest));
  let text = "";
  let previous: Run | undefined;
  for (const run of readingOrder(runs)) {
    if (previous !== undefined) {
      const gap = Math.max(run.left - previous.right, previous.left - run.right);
      text += gap > Math.max(run.height, previous.height) * WORD_GAP ? " " : "";
    }
    text += run.text;
    previous = run;
  }
  return {
    ...main,
    text,
    left: runs[0]!.left,
    right: runs.reduce((right, run) => Math.max(right, run.right), runs[0]!.right),
    monospaced: runs.every((run) => run.monospaced),
  };
}
