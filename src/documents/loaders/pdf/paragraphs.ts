/** Lines of text → paragraphs. A PDF knows only where glyphs stand; what belongs together is told from the distances. */
import { joinLines } from "../../join-lines.ts";
import { blanks } from "./lines.ts";
import type { Line } from "./lines.ts";
import { median } from "./run.ts";

export interface Paragraph {
  readonly kind: "paragraph" | "list-item" | "row" | "code";
  readonly text: string;
  readonly height: number;
  /** Of all its lines; null when they differ. */
  readonly font: string | null;
  readonly lines: number;
}

/** A gap of this many usual gaps parts two paragraphs, or two pieces of a program. */
const PARAGRAPH_GAP = 1.35;
const CODE_GAP = 2.5;
/** Letters that differ by more than this share belong to different paragraphs. */
const HEIGHT_CHANGE = 0.12;
/** A line that ends so many heights before the longest one is short. */
const SHORT_BY = 3;
/** A line that ends before this share of the longest one ends a paragraph together with its sentence. */
const HALF_LINE = 0.7;
/** The distance between base lines of one paragraph, in heights: usually, where nothing else is known, and at most. */
const USUAL_GAP = 1.2;
const WIDEST_GAP = 2.6;
const BULLET = /^(?:[•◦▪■□‣●○·–—*-]|\d{1,3}[.)]|\([a-z\d]{1,3}\)|[a-z]\))\s/;
const SENTENCE_END = /[.!?…:;。！？"”»)\]]$/;
/** UTF-16 units of an entry of a table of contents. */
const LONGEST_ENTRY = 400;
/** Dots that lead from a title to its page. */
const LEADER = /(?:(?:\s?[.·…]){4,}|(?:\s[.·]){2,})\s*/;
const LEADS_TO_PAGE = /(?:(?:\s?[.·…]){4,}|(?:\s[.·]){2,})\s*[\divxlc]+$/i;

/** The paragraphs of lines that follow one another; `code` says whether letters that are all equally wide are those of a program. */
export function paragraphsOf(lines: readonly Line[], code: boolean): Paragraph[] {
  const gaps = lines.slice(1).map(({ baseline }, index) => lines[index]!.baseline - baseline);
  const height = median(lines.map((line) => line.height));
  const usualGap = median(gaps.filter((gap) => gap > 0.5 && gap < height * WIDEST_GAP)) || height * USUAL_GAP;
  const edge = lines.reduce((right, line) => Math.max(right, line.right), Number.NEGATIVE_INFINITY);
  const groups: Line[][] = [];
  let previous: Line | undefined;
  for (const line of lines) {
    if (previous === undefined || parts(previous, line, usualGap, edge, code)) groups.push([line]);
    else groups.at(-1)?.push(line);
    previous = line;
  }
  return groups.map((group) => paragraphOf(group, code));
}

/** Joins what goes on at the top of the next column. */
export function continued(before: Paragraph, after: Paragraph): Paragraph | null {
  const same = Math.abs(before.height - after.height) <= before.height * HEIGHT_CHANGE;
  if (!same || (before.kind !== "paragraph" && before.kind !== "list-item") || after.kind !== "paragraph") return null;
  if (SENTENCE_END.test(before.text) || !/^[\p{Ll}\p{Lo}]/u.test(after.text)) return null;
  return { ...before, text: joinLines([before.text, after.text]), lines: before.lines + after.lines };
}

function paragraphOf(lines: readonly Line[], code: boolean): Paragraph {
  const [first] = lines;
  const font = lines.every((line) => line.font === first?.font) ? (first?.font ?? null) : null;
  const common = { height: first?.height ?? 0, font, lines: lines.length };
  if (code && lines.every(({ monospaced }) => monospaced)) return { kind: "code", text: programOf(lines), ...common };
  if (first !== undefined && leadsToPage(first.text))
    return { kind: "row", text: first.text.replace(LEADER, " "), ...common };
  const text = joinLines(lines.map((line) => line.text));
  return { kind: BULLET.test(text) ? "list-item" : "paragraph", text, ...common };
}

function leadsToPage(text: string): boolean {
  return text.length <= LONGEST_ENTRY && LEADS_TO_PAGE.test(text);
}

function programOf(lines: readonly Line[]): string {
  const left = lines.reduce((least, line) => Math.min(least, line.left), Number.POSITIVE_INFINITY);
  return lines.map((line) => " ".repeat(blanks(line.left - left, line.height, 0)) + line.text).join("\n");
}

function parts(previous: Line, line: Line, usualGap: number, edge: number, code: boolean): boolean {
  const gap = previous.baseline - line.baseline;
  if (code && previous.monospaced !== line.monospaced) return true;
  if (code && line.monospaced) return gap > usualGap * CODE_GAP || gap < 0;
  const larger = Math.max(previous.height, line.height);
  if (larger > 0 && Math.abs(previous.height - line.height) > larger * HEIGHT_CHANGE) return true;
  if (BULLET.test(line.text) || leadsToPage(previous.text)) return true;
  if (gap > usualGap * PARAGRAPH_GAP || gap < -larger) return true;
  const ended = SENTENCE_END.test(previous.text.trimEnd());
  const short = (some: Line) => some.right < edge - larger * SHORT_BY;
  if (previous.font !== line.font && short(previous) && (ended || /^[\p{Lu}\p{Lo}\d]/u.test(line.text))) return true;
  if (!ended) return false;
  if (previous.right < previous.left + (edge - previous.left) * HALF_LINE) return true;
  return line.left > previous.left + larger && Math.abs(gap) > larger / 2;
}
