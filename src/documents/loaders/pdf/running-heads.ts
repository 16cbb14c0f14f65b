/**
 * What stands at the top or bottom of page after page: titles, page numbers, notices. It is kept once where it says something. A page
 * is judged by those near it, so that only a few are held at a time.
 */
import type { Row, Run } from "./run.ts";

export interface PageRows {
  readonly number: number;
  /** For each direction of writing. */
  readonly directions: Row[][];
}

/** A run near an edge of its page. */
interface Edge {
  readonly run: Run;
  /** The numbers in it, one of which may be the page's. */
  readonly numbers: readonly number[];
}

interface Standing<Page> {
  readonly page: Page;
  /** By the text without its numbers. */
  readonly edges: Map<string, Edge[]>;
  /** Where its short texts stand, by their letters alone. */
  readonly texts: Map<string, number[]>;
}

/** Pages before and after a page by which it is judged: so many that titles on every second page are seen three times. */
const REACH = 4;
/** Rows from the top, and from the bottom. */
const EDGE_ROWS = 3;
/** Other pages that must have it; in documents of a few pages one. */
const OTHERS = 2;
const FEW_PAGES = 3;
/** Pages that may have been counted before the first. */
const FRONT_MATTER = 20;
/** It may stand higher or lower by this share of its height. */
const SHIFT = 0.5;
/** UTF-16 units of what is repeated. */
const LONGEST = 300;
/** What is left of a page's number without figures and signs, each of them a blank. */
const PAGE_NUMBER =
  /^(?:page|pg?|seite|s|p[áa]gina|p[áa]g|стр|страница|sivu|sida|side|strona|str|strana|oldal|sayfa|第)?(?: ?(?:of|von|de|di|sur|van|av|af|z|из))?(?: ?[页頁])?$|^[ivxlc]{1,7}$/iu;

export class RunningHeads<Page extends PageRows> {
  private readonly window: Standing<Page>[] = [];
  private readonly said = new Set<string>();
  private judged = 0;

  constructor(private readonly pages: number) {}

  /** Takes the next page, and gives those that can be judged, without what only repeats. */
  take(page: Page): Page[] {
    const [main = []] = page.directions;
    this.window.push({ page, edges: edgesOf(main), texts: textsOf(main) });
    return this.window.length - this.judged > REACH ? [this.judge()] : [];
  }

  /** The pages that are left. */
  end(): Page[] {
    const rest: Page[] = [];
    while (this.judged < this.window.length) rest.push(this.judge());
    return rest;
  }

  private judge(): Page {
    const standing = this.window[this.judged]!;
    const repeated = new Set<Run>();
    for (const [text, edges] of standing.edges) {
      for (const edge of edges) {
        if (this.isRepeated(standing.page.number, text, edge) && !this.isNew(text, edge.run)) repeated.add(edge.run);
      }
    }
    this.judged += 1;
    if (this.window.length > REACH * 2) {
      this.window.shift();
      this.judged -= 1;
    }
    const [main, ...others] = standing.page.directions;
    if (repeated.size === 0 || main === undefined) return standing.page;
    return { ...standing.page, directions: [without(main, repeated), ...others] };
  }

  private isRepeated(number: number, text: string, edge: Edge): boolean {
    let others = 0;
    for (const { page, edges } of this.window) {
      if (page.number === number) continue;
      const same = edges
        .get(text)
        ?.some((other) => isSame(edge, other, page.number - number, this.pages + FRONT_MATTER));
      if (same === true) others += 1;
    }
    return others >= (this.pages <= FEW_PAGES ? 1 : OTHERS);
  }

  /** Whether it says something that was said neither there nor, a little before, by a heading. */
  private isNew(text: string, { text: whole, baseline, height }: Run): boolean {
    if (isPageNumber(whole) || this.said.has(text)) return false;
    this.said.add(text);
    const words = wordsOf(whole);
    const before = this.window.slice(0, this.judged + 1);
    return !before.some(({ texts }) => texts.get(words)?.some((other) => Math.abs(other - baseline) > height * SHIFT));
  }
}

function edgesOf(rows: readonly Row[]): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>();
  const near = rows.length <= EDGE_ROWS * 2 ? rows : [...rows.slice(0, EDGE_ROWS), ...rows.slice(-EDGE_ROWS)];
  for (const { runs } of near) {
    for (const run of runs) {
      if (run.text.length > LONGEST) continue;
      const text = run.text.replace(/\d+/g, "#").replace(/^[ivxlc]{1,7}$/, "#");
      const edge = { run, numbers: (run.text.match(/\d{1,9}/g) ?? []).map(Number) };
      const same = edges.get(text);
      if (same === undefined) edges.set(text, [edge]);
      else same.push(edge);
    }
  }
  return edges;
}

function textsOf(rows: readonly Row[]): Map<string, number[]> {
  const texts = new Map<string, number[]>();
  for (const { text, baseline } of rows.flatMap(({ runs }) => runs)) {
    if (text.length > LONGEST) continue;
    const words = wordsOf(text);
    const same = texts.get(words);
    if (same === undefined) texts.set(words, [baseline]);
    else if (same.length < EDGE_ROWS) same.push(baseline);
  }
  return texts;
}

/**
 * Whether both stand at the same height, and their numbers are the same or count the pages. A number alone must count them, and a
 * larger one than `highest` beside words is another number.
 */
function isSame(one: Edge, other: Edge, distance: number, highest: number): boolean {
  if (Math.abs(one.run.baseline - other.run.baseline) > one.run.height * SHIFT) return false;
  const alone = isPageNumber(one.run.text);
  return one.numbers.every((number, index) => {
    const difference = (other.numbers[index] ?? number) - number;
    return (
      (difference === 0 && !(alone && one.numbers.length === 1)) ||
      (difference === distance && (alone || number <= highest))
    );
  });
}

function without(rows: readonly Row[], repeated: ReadonlySet<Run>): Row[] {
  return rows.flatMap((row) => {
    const runs = row.runs.filter((run) => !repeated.has(run));
    return runs.length === 0 ? [] : [{ ...row, runs }];
  });
}

/** Whether it says nothing else. */
function isPageNumber(text: string): boolean {
  return PAGE_NUMBER.test(text.replace(/[^\p{L}]+/gu, " ").trim());
}

function wordsOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+/gu, "");
}
