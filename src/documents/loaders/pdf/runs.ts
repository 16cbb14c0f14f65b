/** pdf.js's text items → runs: every direction of writing in a frame of its own, letters drawn twice once, words whole. */
import { readableText } from "./characters.ts";
import { isRightToLeft, RUN_GAP, WORD_GAP } from "./run.ts";
import type { FontStyle, Run, TextItem } from "./run.ts";

/** Directions that differ by less are one. */
const DEGREES = 5;
/** Text drawn again within this share of its height is bold, or has a shadow. */
const DRAWN_AGAIN = 0.12;
/** Letters of which at least half stand beside letters of a line belong to it, raised or lowered. */
const SAME_LINE = 0.5;
/** How far letters reach above and below the base line, in their height. */
const ABOVE = 0.7;
const BELOW = 0.2;
/** Pieces may overlap by this share of the height. */
const OVERLAP = 0.3;
/** Places of one column of a page. */
const PLACES = 2 ** 24;
/** Single letters each followed by a blank. */
const SPACED_OUT = /^(?:\S[ \u3000]){3,}\S$/u;

/** A piece being joined to others. */
interface Growing extends Run {
  /** Letters in the longest piece, which speaks for the whole. */
  longest: number;
  /** A blank was drawn after it. */
  spaced: boolean;
}

/** The runs of a page: for each direction of writing, that of most letters first, in the order in which they were drawn. */
export function runsOf(items: readonly TextItem[], styles: Readonly<Record<string, FontStyle>>): Run[][] {
  const directions = new Map<number, DirectionRuns>();
  for (const item of items) {
    const [a = 1, b = 0] = item.transform;
    const style = styles[item.fontName];
    const turned = Math.atan2(b, a) * (180 / Math.PI) - (style?.vertical ? 90 : 0);
    const degrees = (Math.round(turned / DEGREES) * DEGREES + 360) % 360;
    let runs = directions.get(degrees);
    if (runs === undefined) directions.set(degrees, (runs = new DirectionRuns(degrees)));
    runs.add(item, style);
  }
  const all = [...directions.values()].filter(({ letters }) => letters > 0);
  return all.toSorted((a, b) => b.letters - a.letters).map(({ runs }) => runs);
}

class DirectionRuns {
  readonly runs: Growing[] = [];
  letters = 0;
  private readonly cos: number;
  private readonly sin: number;
  /** The last text drawn at each place, by its column and line. */
  private readonly drawn = new Map<number, string>();

  constructor(degrees: number) {
    this.cos = Math.round(Math.cos((degrees * Math.PI) / 180) * 1e6) / 1e6;
    this.sin = Math.round(Math.sin((degrees * Math.PI) / 180) * 1e6) / 1e6;
  }

  add(item: TextItem, style: FontStyle | undefined): void {
    const last = this.runs.at(-1);
    const text = readableText(item.str);
    if (text.trim() === "") {
      if (item.str !== "" && last !== undefined) last.spaced = true;
      return;
    }
    const piece = this.piece(item, style, text);
    if (this.isDrawnAgain(piece)) return;
    this.letters += piece.text.length;
    if (last !== undefined && continues(last, piece)) join(last, piece);
    else this.runs.push(piece);
  }

  private piece(item: TextItem, style: FontStyle | undefined, text: string): Growing {
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform;
    const vertical = style?.vertical === true;
    const height = (vertical ? item.width : item.height) || Math.hypot(c, d);
    const left = x * this.cos + y * this.sin;
    const trimmed = SPACED_OUT.test(text.trim()) ? text.replace(/\s/g, "") : text.trim();
    return {
      text: trimmed,
      left,
      right: left + (vertical ? item.height : item.width),
      baseline: y * this.cos - x * this.sin,
      height,
      font: item.fontName,
      monospaced: style?.fontFamily === "monospace",
      longest: trimmed.length,
      spaced: /\s$/.test(text),
    };
  }

  /** Looks only at the places around it, so that many pieces of the same text take no longer. */
  private isDrawnAgain({ text, left, baseline, height }: Run): boolean {
    const step = Math.max(height * DRAWN_AGAIN, 0.01);
    const column = Math.round(left / step);
    const line = Math.round(baseline / step);
    for (let dx = -1; dx <= 1; dx += 1) {
      for (let dy = -1; dy <= 1; dy += 1) {
        if (this.drawn.get((column + dx) * PLACES + line + dy) === text) return true;
      }
    }
    this.drawn.set(column * PLACES + line, text);
    return false;
  }
}

/** Whether the piece stands on the run's line, right behind it. What is written from right to left is put in order later. */
function continues(run: Run, piece: Run): boolean {
  const larger = Math.max(run.height, piece.height);
  const gap = piece.left - run.right;
  if (gap >= larger * RUN_GAP || gap <= -larger * OVERLAP || !onSameLine(run, piece)) return false;
  return !isRightToLeft(run.text) && !isRightToLeft(piece.text);
}

function onSameLine(run: Run, piece: Run): boolean {
  const top = Math.min(run.baseline + run.height * ABOVE, piece.baseline + piece.height * ABOVE);
  const bottom = Math.max(run.baseline - run.height * BELOW, piece.baseline - piece.height * BELOW);
  return top - bottom >= Math.min(run.height, piece.height) * (ABOVE + BELOW) * SAME_LINE;
}

/** Puts the piece behind the run. The longer one says where the line stands and how large its letters are. */
function join(run: Growing, piece: Growing): void {
  const height = Math.max(run.height, piece.height);
  const gap = piece.left - run.right;
  run.text += (gap > height * WORD_GAP || run.spaced ? " " : "") + piece.text;
  run.right = Math.max(run.right, piece.right);
  run.spaced = piece.spaced;
  run.monospaced &&= piece.monospaced;
  if (piece.longest > run.longest) {
    run.longest = piece.longest;
    run.baseline = piece.baseline;
    run.height = piece.height;
    run.font = piece.font;
  }
}
