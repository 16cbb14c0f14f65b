/** The blocks of one reading of a page, kept until it is clear which reading is used, and rid of what an article does not say itself. */
import type { Block, BlockKind } from "../../blocks.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { BlockSink } from "./html-blocks.ts";
import { isControl, isRelatedHeading } from "./leading-lines.ts";

/** Characters from which on a paragraph is prose, and no line of navigation or a teaser. */
const PROSE_CHARACTERS = 80;
/** Characters from which on a line is no name of another page. */
const TEASER_CHARACTERS = 160;
/** Characters from which on a paragraph is not said twice on purpose. */
const REPEATED_CHARACTERS = 40;
const WORD = /[\p{L}\p{N}]+/gu;

interface PageBlock extends Block {
  readonly isLinked: boolean;
}

export class PageBlocks implements BlockSink {
  characters = 0;
  /** Characters of paragraphs that are long, and of all that are no links. */
  proseCharacters = 0;
  unlinkedCharacters = 0;
  private blocks: PageBlock[] = [];
  private columns: string | null = null;

  constructor(private readonly content: Content) {}

  /** Throws UNREADABLE_FILE when the page becomes longer than the limit. */
  add(kind: BlockKind, text: string, level?: number, isLinked = false): void {
    this.characters += text.length;
    if (this.characters > this.content.limits.maxTextCharacters) throw this.content.tooMuchText();
    if (!isLinked) {
      this.unlinkedCharacters += text.length;
      if (text.length >= PROSE_CHARACTERS) this.proseCharacters += text.length;
    }
    const context = kind === "row" && this.columns !== null && this.columns !== text ? this.columns : undefined;
    this.blocks.push({
      kind,
      ...(level !== undefined && { level }),
      text,
      isLinked,
      ...(context !== undefined && { context }),
    });
  }

  under(columns: string | null): void {
    this.columns = columns;
  }

  /**
   * Takes out what is nothing but links to other pages, unless that is most of it, and lists of related ones, with the headings under which nothing is left, and what
   * is said twice in a section: pages hold the same text for narrow screens and for wide ones, and captions beside descriptions.
   */
  withoutAsides(): this {
    const linked = this.blocks.filter(({ isLinked, level }) => isLinked && level !== 1);
    const linkedCharacters = linked.reduce((sum, { text }) => sum + text.length, 0);
    const left = new Set(linkedCharacters < this.unlinkedCharacters ? linked : []);
    for (const block of this.related()) left.add(block);
    for (const block of this.blocks) if (block.kind !== "code" && isControl(block.text)) left.add(block);
    const said = new Set<string>();
    for (const block of this.blocks) {
      if (block.kind === "heading") said.clear();
      if (block.kind !== "paragraph" || block.text.length < REPEATED_CHARACTERS) continue;
      if (said.has(block.text)) left.add(block);
      said.add(block.text);
    }
    this.blocks.forEach((block, index) => {
      const next = this.blocks[index + 1];
      const isEmpty = block.kind === "heading" && isEmptied(this.blocks, index, left);
      const isBegun = block.kind === "paragraph" && next?.kind === "paragraph" && isBeginning(block.text, next.text);
      if (isEmpty || isBegun) left.add(block);
    });
    this.blocks = this.blocks.filter((block) => !left.has(block));
    return this;
  }

  /** Lists of other pages with what is said above them: items, and under a heading also lines that are no prose. */
  private related(): PageBlock[] {
    const found: PageBlock[] = [];
    let under: BlockKind | null = null;
    for (const block of this.blocks) {
      const { kind, level, text } = block;
      if ((kind === "heading" && level !== 1) || kind === "paragraph")
        under = isRelatedHeading(text) ? kind : kind === "heading" || text.length >= TEASER_CHARACTERS ? null : under;
      else if (kind !== "list-item" || text.length >= TEASER_CHARACTERS) under = null;
      const isListed = kind === "list-item" || under === "heading" || isRelatedHeading(text);
      if (under !== null && isListed) found.push(block);
      else under = null;
    }
    return found;
  }

  /** Gives headings the levels that they have in the page: Readability knows no main headings but the title. */
  leveledAs(page: PageBlocks): this {
    const levels = new Map<string, number>();
    for (const { kind, level, text } of page.blocks)
      if (kind === "heading" && level !== undefined && !levels.has(text)) levels.set(text, level);
    this.blocks = this.blocks.map((block) =>
      block.kind === "heading" ? { ...block, level: levels.get(block.text) ?? block.level } : block,
    );
    return this;
  }

  /**
   * Puts the title in front unless the page has a main heading of its own; where it begins the page in another way, that goes.
   * `isPut`: the title is a main heading that must not be missing among others.
   */
  titled(title: string, isPut = false): this {
    const words = wordsOf(title);
    const isOwn = ({ kind, level, text }: PageBlock) =>
      kind === "heading" && level === 1 && (!isPut || wordsOf(text) === words);
    if (words === "" || this.blocks.length === 0 || this.blocks.some(isOwn)) return this;
    this.blocks = this.blocks.filter(({ kind, text }, index) => {
      const isTitle = (kind === "heading" || index === 0) && wordsOf(text) === words;
      return !isTitle;
    });
    this.blocks.unshift({ kind: "heading", level: 1, text: title, isLinked: false });
    return this;
  }

  /** The first main heading; "" when there is none. */
  get mainHeading(): string {
    return this.blocks.find(({ kind, level }) => kind === "heading" && level === 1)?.text ?? "";
  }

  copyTo(collector: BlockCollector): void {
    for (const { kind, text, level, context = null } of this.blocks) {
      collector.under(context);
      collector.add(kind, text, level);
    }
    collector.under(null);
  }
}

/** Whether all that stands under the heading is left out, and there was something. */
function isEmptied(blocks: readonly PageBlock[], heading: number, left: ReadonlySet<PageBlock>): boolean {
  let index = heading + 1;
  for (; index < blocks.length && blocks[index]?.kind !== "heading"; index += 1)
    if (!left.has(blocks[index]!)) return false;
  return index > heading + 1;
}

/** Whether the text is said again, and more, in the one after it. */
function isBeginning(text: string, next: string): boolean {
  return next.length > text.length && next.startsWith(text);
}

/** What of a text is compared: its words, so that signs and capitals do not count. */
export function wordsOf(text: string): string {
  return (text.normalize("NFKC").toLowerCase().match(WORD) ?? []).join(" ");
}
