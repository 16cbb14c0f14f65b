/**
 * HTML markup → blocks, in one pass over the tags without building a tree, so that size costs linear time. Nesting
 * has a limit, because the parser looks through all open elements for each end tag. Used for web pages and for what mammoth makes of Word documents.
 */
import { Parser } from "htmlparser2";
import type { BlockKind } from "../../blocks.ts";
import { BLOCKS, isBoilerplate, LAYOUT, NEVER_TEXT } from "./html-elements.ts";
import { HtmlTable } from "./html-table.ts";
import { ImageTexts } from "./image-texts.ts";

export interface BlockSink {
  /** `isLinked`: hardly anything of it is not a link to another page. */
  add(kind: BlockKind, text: string, level?: number, isLinked?: boolean): void;
  /** The names of the columns of the rows that follow. */
  under?(columns: string | null): void;
}

export interface HtmlSummary {
  elements: number;
  depth: number;
}

export interface HtmlOptions {
  /** Leave out navigation, side and foot matter. */
  dropBoilerplate?: boolean;
  maxDepth: number;
  /** Told of each element, and of all text, also of what is left out. */
  observer?: HtmlObserver;
  /** Elements that end where they begin, as XHTML has them: `<title/>`. */
  selfClosing?: boolean;
  /** Is told of each element's identity before what is in it is added. */
  reached?: (id: string) => void;
}

export interface HtmlObserver {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

const HEADING = /^h([1-6])$/;
const WIDE_LIST_INDENT = 6;
/** Share of a block's letters that are in links, from which on it is nothing but links. */
const LINKED_SHARE = 0.8;
/** Letters of a block from which on its links belong to what it says. */
const LONGEST_LINKS = 200;

/** Thrown when elements are nested deeper than `maxDepth`. */
export class TooDeep extends Error {}

/** Puts the text of the markup into the sink. */
export function htmlBlocks(html: string, sink: BlockSink, options: HtmlOptions): HtmlSummary {
  const writer = new BlockWriter(sink, options);
  const { observer, selfClosing = false } = options;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        observer?.open(name, attributes);
        writer.open(name, attributes);
      },
      ontext: (text) => {
        observer?.text(text);
        writer.text(text);
      },
      onclosetag: (name) => {
        observer?.close(name);
        writer.close(name);
      },
    },
    { recognizeSelfClosing: selfClosing },
  );
  parser.write(html);
  parser.end();
  return writer.finish();
}

class BlockWriter {
  private buffer: string[] = [];
  /** Open elements inside the outermost one that is left out; 0 when nothing is. */
  private skipped = 0;
  private depth = 0;
  private inPre = 0;
  private inLink = 0;
  /** Letters of the block inside links and outside. */
  private linked = 0;
  private unlinked = 0;
  private level = 0;
  private lists: Array<{ ordered: boolean; count: number }> = [];
  private bullet = "";
  private readonly tables: HtmlTable[] = [];
  private inRow = false;
  private cell: { isHeader: boolean; rowspan: number } | null = null;
  private readonly images = new ImageTexts();
  private readonly summary: HtmlSummary = { elements: 0, depth: 0 };

  constructor(
    private readonly sink: BlockSink,
    private readonly options: HtmlOptions,
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    this.depth += 1;
    if (this.depth > this.options.maxDepth) throw new TooDeep();
    this.summary.elements += 1;
    this.summary.depth = Math.max(this.summary.depth, this.depth);
    if (this.skipped > 0 || this.isLeftOut(name, attributes)) {
      this.skipped += 1;
      return;
    }
    if (name === "br") this.buffer.push("\n");
    else if (name === "img") this.buffer.push(this.images.textOf(attributes.alt));
    else if (name === "a" && isElsewhere(attributes.href)) this.inLink += 1;
    else if (name === "td" || name === "th") this.openCell(name, attributes);
    else if (BLOCKS.has(name)) this.openBlock(name);
    if (attributes.id) this.options.reached?.(attributes.id);
  }

  text(text: string): void {
    if (this.skipped > 0) return;
    const { length } = text.trim();
    if (this.inLink > 0) this.linked += length;
    else this.unlinked += length;
    this.buffer.push(this.inPre > 0 ? text : text.replace(/\s+/g, " "));
  }

  close(name: string): void {
    this.depth -= 1;
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (name === "a") this.inLink = Math.max(0, this.inLink - 1);
    else if (name === "td" || name === "th") this.closeCell();
    else if (BLOCKS.has(name)) this.closeBlock(name);
  }

  finish(): HtmlSummary {
    this.flush();
    this.endRow();
    return this.summary;
  }

  private isLeftOut(name: string, attributes: Record<string, string>): boolean {
    return NEVER_TEXT.has(name) || (this.options.dropBoilerplate === true && isBoilerplate(name, attributes));
  }

  private openCell(name: string, { rowspan }: Record<string, string>): void {
    this.closeCell();
    this.cell = this.inRow ? { isHeader: name === "th", rowspan: Number(rowspan) || 1 } : null;
  }

  private openBlock(name: string): void {
    if (this.cell !== null) {
      if (!LAYOUT.has(name)) {
        this.buffer.push("\n");
        return;
      }
      this.closeCell();
      this.endRow();
    }
    this.flush();
    const heading = HEADING.exec(name);
    if (heading !== null) this.level = Number(heading[1]);
    else if (name === "pre") this.inPre += 1;
    else if (name === "ul" || name === "ol") this.lists.push({ ordered: name === "ol", count: 0 });
    else if (name === "li") this.bullet = this.nextBullet();
    else if (name === "figure") this.images.openFigure();
    else if (name === "figcaption") this.images.caption();
    else if (name === "table") this.openTable();
    else if (name === "tr") this.inRow = true;
  }

  private closeBlock(name: string): void {
    if (this.cell !== null) {
      if (name !== "tr" && name !== "table") {
        this.buffer.push("\n");
        return;
      }
      this.closeCell();
    }
    if (name === "figure") this.buffer.push(this.images.closeFigure());
    this.flush();
    if (HEADING.test(name)) this.level = 0;
    else if (name === "pre") this.inPre = Math.max(0, this.inPre - 1);
    else if (name === "ul" || name === "ol") this.lists.pop();
    else if (name === "li") this.bullet = "";
    else if (name === "tr") this.endRow();
    else if (name === "table") this.closeTable();
  }

  private nextBullet(): string {
    const list = this.lists.at(-1);
    if (list === undefined) return "- ";
    list.count += 1;
    const indent = "  ".repeat(Math.min(this.lists.length - 1, WIDE_LIST_INDENT));
    return indent + (list.ordered ? `${list.count}. ` : "- ");
  }

  private openTable(): void {
    this.tables.push(new HtmlTable());
    this.sink.under?.(null);
  }

  private closeTable(): void {
    this.endRow();
    this.tables.pop();
    this.sink.under?.(this.tables.at(-1)?.columns ?? null);
  }

  private closeCell(): void {
    if (this.cell === null) return this.flush();
    const { isHeader, rowspan } = this.cell;
    this.cell = null;
    this.table.addCell(collapse(this.takeBuffer()), isHeader, rowspan);
  }

  /** Rows outside of any table are one of their own. */
  private get table(): HtmlTable {
    if (this.tables.length === 0) this.tables.push(new HtmlTable());
    return this.tables.at(-1)!;
  }

  private endRow(): void {
    if (!this.inRow) return;
    this.inRow = false;
    const { table } = this;
    const row = table.endRow();
    if (row === null) return;
    const isLinked = this.takeLinked();
    const [only = ""] = row.cells;
    // One cell alone is no table but a way to lay out a page.
    if (row.cells.length === 1) {
      for (const line of only.split("\n")) this.sink.add("paragraph", line, undefined, isLinked);
      return;
    }
    const text = row.cells.map((cell) => cell.replace(/\n+/g, " ")).join(" | ");
    this.sink.add("row", text, undefined, isLinked);
    if (!row.isHeader || table.columns !== null) return;
    table.columns = text;
    this.sink.under?.(text);
  }

  private flush(): void {
    const raw = this.takeBuffer();
    const text = this.inPre > 0 ? raw : collapse(raw);
    if (text.trim() === "") return;
    const isLinked = this.takeLinked();
    if (this.level > 0) this.sink.add("heading", text.replaceAll("\n", " "), this.level, isLinked);
    else if (this.inPre > 0) this.sink.add("code", text);
    else if (this.bullet !== "") {
      this.sink.add("list-item", this.bullet + text, undefined, isLinked);
      this.bullet = "";
    } else this.sink.add(this.lists.length > 0 ? "list-item" : "paragraph", text, undefined, isLinked);
  }

  private takeBuffer(): string {
    const raw = this.buffer.join("");
    this.buffer = [];
    return raw;
  }

  private takeLinked(): boolean {
    const { linked, unlinked } = this;
    this.linked = this.unlinked = 0;
    return linked > 0 && linked <= LONGEST_LINKS && linked >= (linked + unlinked) * LINKED_SHARE;
  }
}

function isElsewhere(href: string | undefined): boolean {
  return href !== undefined && !href.startsWith("#");
}

function collapse(text: string): string {
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}
