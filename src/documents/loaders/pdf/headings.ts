/** Which paragraphs are headings, and of which level: those of the document's outline, and those in larger or other letters than the body. */
import type { PagePart } from "./page-parts.ts";

/** An entry of the document's outline, as pdf.js gives it. */
export interface OutlineEntry {
  readonly title: string;
  readonly items: readonly OutlineEntry[];
}

/** Letters larger than the body's by this factor make a heading. */
const LARGER = 1.12;
/** Sizes that differ by less points are one. */
const SAME_SIZE = 0.6;
const LONGEST = 200;
/** A heading in letters of the body's size is shorter, on few lines, in a font of which there is little. */
const LONGEST_OF_BODY_SIZE = 100;
const MOST_LINES = 2;
const LITTLE = 0.2;
/** Of more than this share of all letters is text in letters of several sizes. */
const MUCH = 0.25;
const DEEPEST = 6;
/** Sizes of headings that are told apart. */
const MOST_SIZES = 50;
const MOST_ENTRIES = 100_000;
const BEGINS_HEADING = /^[^\p{L}]{0,12}[\p{Lu}\p{Lo}]/u;
const ENDS_TEXT = /[.,;:!|]$/;

/** What must be known of a whole document to tell its headings. */
export class Headings {
  private readonly letters = { bySize: new Map<number, number>(), byFont: new Map<string | null, number>(), all: 0 };
  private readonly outline: ReadonlyMap<string, number>;
  private readonly titleSizes = new Map<number, number>();
  private readonly outlineSizes = new Map<number, number>();
  private sizes: readonly { size: number; level: number }[] = [];
  private bodySize = 0;
  private bodyFont: string | null = null;

  constructor(outline: readonly OutlineEntry[]) {
    this.outline = levelsOf(outline);
  }

  /** Looks at all parts of the document, one after the other, before any is asked about. */
  observe(part: PagePart): void {
    const { text, font } = part;
    const size = sizeOf(part);
    this.letters.all += text.length;
    this.letters.bySize.set(size, (this.letters.bySize.get(size) ?? 0) + text.length);
    this.letters.byFont.set(font, (this.letters.byFont.get(font) ?? 0) + text.length);
    if (!isTitle(part)) return;
    this.titleSizes.set(size, (this.titleSizes.get(size) ?? 0) + 1);
    const level = this.outline.get(normalised(text));
    if (level !== undefined) this.outlineSizes.set(size, Math.min(level, this.outlineSizes.get(size) ?? DEEPEST));
  }

  /** Says how large the body's letters are, and which levels the larger ones have. */
  settle(): void {
    this.bodySize = mostOf(this.letters.bySize) ?? 0;
    this.bodyFont = mostOf(this.letters.byFont) ?? null;
    const larger = [...this.titleSizes.keys()].filter((size) => this.isLarger(size)).sort((a, b) => b - a);
    const sizes: { size: number; level: number }[] = [];
    let level = 1;
    for (const size of larger.slice(0, MOST_SIZES)) {
      const last = sizes.at(-1);
      if (last !== undefined && last.size - size < SAME_SIZE) continue;
      // What stands there once makes no level of its own, but for the title above all.
      sizes.push({ size, level: Math.min(this.outlineSizes.get(size) ?? level, DEEPEST) });
      if ((this.titleSizes.get(size) ?? 0) > 1 || last === undefined) level = (sizes.at(-1)?.level ?? level) + 1;
    }
    this.sizes = sizes;
  }

  /** The level of a heading; undefined for what is none. `next` is what follows it. */
  levelOf(part: PagePart, next: PagePart | undefined): number | undefined {
    if (!isTitle(part)) return undefined;
    const listed = this.outline.get(normalised(part.text));
    if (listed !== undefined) return listed;
    const size = sizeOf(part);
    if (this.isLarger(size)) return this.sizes.find((known) => known.size - size < SAME_SIZE)?.level;
    return this.isHeadingOfBodySize(part, next) ? Math.min((this.sizes.at(-1)?.level ?? 0) + 1, DEEPEST) : undefined;
  }

  private isLarger(size: number): boolean {
    return size >= this.bodySize * LARGER && (this.letters.bySize.get(size) ?? 0) <= this.letters.all * MUCH;
  }

  private isHeadingOfBodySize(part: PagePart, next: PagePart | undefined): boolean {
    const { text, font, lines, kind } = part;
    if (kind !== "paragraph" || lines > MOST_LINES || text.length > LONGEST_OF_BODY_SIZE) return false;
    if (font === null || font === this.bodyFont || next === undefined || next.font === font) return false;
    if ((this.letters.byFont.get(font) ?? 0) > this.letters.all * LITTLE) return false;
    if (sizeOf(part) < this.bodySize - SAME_SIZE || !BEGINS_HEADING.test(text) || ENDS_TEXT.test(text)) return false;
    return next.text.length > text.length;
  }
}

function isTitle({ kind, text }: PagePart): boolean {
  if (text.length > LONGEST || !/\p{L}/u.test(text)) return false;
  return kind === "paragraph" || (kind === "list-item" && /^\d/.test(text));
}

/** By title; what stands there twice keeps its first level. */
function levelsOf(outline: readonly OutlineEntry[]): Map<string, number> {
  const levels = new Map<string, number>();
  const waiting = outline.map((entry) => ({ entry, level: 1 })).reverse();
  for (let count = 0; waiting.length > 0 && count < MOST_ENTRIES; count += 1) {
    const { entry, level } = waiting.pop()!;
    const title = normalised(entry.title);
    if (title !== "" && !levels.has(title)) levels.set(title, level);
    for (const item of entry.items.toReversed()) waiting.push({ entry: item, level: Math.min(level + 1, DEEPEST) });
  }
  return levels;
}

/** Letters and figures, without the number before them. */
function normalised(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^\s*(?:chapter|appendix|kapitel|chapitre)?\s*(?:[\dIVX]+[.\s)]?)+\s*/iu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

function sizeOf({ height }: PagePart): number {
  return Math.round(height * 2) / 2;
}

function mostOf<Key>(counts: ReadonlyMap<Key, number>): Key | undefined {
  let most: Key | undefined;
  for (const [key, count] of counts) if (most === undefined || count > (counts.get(most) ?? 0)) most = key;
  return most;
}
