/** The pieces of text of a page and where they stand, in a frame in which text runs to the right and lines follow one another downwards. */

/** The part of pdf.js's text items that is used. */
export interface TextItem {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
  /** The document says that this is its text, whatever its font makes of it. */
  readonly isGiven?: true;
}

/** What is known of a font without loading it: whether it is written downwards, and whether all its letters are equally wide. */
export interface FontStyle {
  readonly vertical: boolean;
  readonly fontFamily: string;
}

/** Words that stand beside one another on one line. */
export interface Run {
  text: string;
  left: number;
  right: number;
  /** The base line, in points, growing upwards. */
  baseline: number;
  /** Height of most of its letters. */
  height: number;
  /** Of most of its letters. */
  font: string;
  /** All letters are equally wide. */
  monospaced: boolean;
}

/** Runs on one base line, from left to right. */
export interface Row {
  readonly runs: Run[];
  readonly baseline: number;
  readonly height: number;
}

/** Two pieces of text whose gap is below this share of the letters' height are one word. */
export const WORD_GAP = 0.15;
/** A wider gap parts what belongs to different columns or cells. */
export const RUN_GAP = 0.65;

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** The text of a row in the order in which it is read, with a separator between runs. */
export function readingOrder(runs: readonly Run[]): readonly Run[] {
  if (runs.length < 2) return runs;
  const backwards = runs.filter(({ text }) => isRightToLeft(text)).length;
  if (backwards * 2 < runs.length) return runs;
  // From right to left, but what is written from left to right keeps its order within.
  const ordered: Run[] = [];
  let forwards: Run[] = [];
  for (const run of runs.toReversed()) {
    if (isRightToLeft(run.text)) {
      ordered.push(...forwards.reverse(), run);
      forwards = [];
    } else forwards.push(run);
  }
  return [...ordered, ...forwards.reverse()];
}

/** The middle value; 0 of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
