/** Rows of a page → lines of text. */
import { readingOrder } from "./run.ts";
import type { Row, Run } from "./run.ts";

export interface Line {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly height: number;
  /** The font of most of its letters. */
  readonly font: string;
  readonly monospaced: boolean;
}

/** The usual width of letters that are all equally wide, in heights. */
const LETTER_WIDTH = 0.6;
const MOST_BLANKS = 80;

export function lineOf({ runs, baseline }: Row): Line {
  const main = runs.reduce((longest, run) => (run.text.length > longest.text.length ? run : longest));
  const monospaced = runs.every((run) => run.monospaced);
  return {
    text: monospaced
      ? spacedOut(runs)
      : readingOrder(runs)
          .map(({ text }) => text)
          .join(" "),
    left: runs[0]!.left,
    right: runs.reduce((right, run) => Math.max(right, run.right), runs[0]!.right),
    baseline,
    height: main.height,
    font: main.font,
    monospaced,
  };
}

/** With as many blanks between the runs as there is room for. */
function spacedOut(runs: readonly Run[]): string {
  return runs.reduce((text, run, index) => {
    const gap = run.left - (runs[index - 1]?.right ?? run.left);
    return text + (index === 0 ? "" : " ".repeat(blanks(gap, run.height, 1))) + run.text;
  }, "");
}

/** As many as fit into the width between letters of one width, and some at least. */
export function blanks(width: number, height: number, least: number): number {
  return Math.min(Math.max(Math.round(width / Math.max(height * LETTER_WIDTH, 0.01)), least), MOST_BLANKS);
}
