/**
 * HTML markup → blocks, in one pass over the tags without building a tree, so that size costs linear time. Nesting
 * has a limit, because the parser looks through all open elements for each end tag. Used for web pages and for what mammoth makes of Word documents.
 */
import { Parser } from "htmlparser2";
import type { BlockKind } from "../blocks.ts";

export interface BlockSink {
  add(kind: BlockKind, text: string, level?: number): void;
}

export interface HtmlSummary {
  /** The text of the title element. */
  title: string;
  elements: number;
  depth: number;
  /** Characters of text outside links. */
  proseCharacters: number;
}

const NEVER_TEXT = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "canvas",
  "audio",
  "video",
  "select",
  "button",
  "head",
]);
const BOILERPLATE = new Set(["nav", "aside", "footer", "dialog", "menu"]);
const BOILERPLATE_ROLES = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "complementary",
  "dialog",
  "alert",
]);
const HEADING = /^h([1-6])$/;
/** Elements that begin and end a block. */
const BLOCKS = new Set(
  "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);
/** Inside a table cell these mean that the table lays out a page and is no table. */
const LAYOUT = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "article", "section"]);
const WIDE_LIST_INDENT = 6;

export interface HtmlOptions {
  /** Leave out navigation, side and foot matter. */
  dropBoilerplate?: boolean;
  maxDepth: number;
}

/** Thrown when elements are nested deeper than `maxDepth`. */
export class TooDeep extends Error {}

/** Puts the text of the markup into the sink. */
export function htmlBlocks(html: string, sink: BlockSink, options: HtmlOptions): HtmlSummary {
  const writer = new BlockWriter(sink, options);
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.text(text),
    onclosetag: (name) => writer.close(name),
  });
  parser.write(html);
  parser.end();
  return writer.finish();
}

class BlockWriter {
  private buffer: string[] = [];
  /** Open elements inside the outermost one that is left out; 0 when nothing is. */
  private skipped = 0;
  private depth = 0;
  private inTitle = 0;
  private inPre = 0;
  private inLink = 0;
  private level = 0;
  private lists: Array<{ ordered: boolean; count: number }> = [];
  private bullet = "";
  private cells: string[] | null = null;
  private inCell = false;
  private readonly summary: HtmlSummary = { title: "", elements: 0, depth: 0, proseCharacters: 0 };

  constructor(
    private readonly sink: BlockSink,
    private readonly options: HtmlOptions,
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    this.depth += 1;
    if (this.depth > this.options.maxDepth) throw new TooDeep();
    this.summary.elements += 1;
    this.summary.depth = Math.max(this.summary.depth, this.depth);
    if (name === "title") this.inTitle += 1;
    if (this.skipped > 0 || this.isLeftOut(name, attributes)) {
      this.skipped += 1;
      return;
    }
    if (name === "br") this.buffer.push("\n");
    if (name === "img" && attributes.alt) this.buffer.push(` ${attributes.alt} `);
    if (name === "a") this.inLink += 1;
    if (!BLOCKS.has(name) && name !== "td" && name !== "th") return;
    this.openBlock(name);
  }

  text(text: string): void {
    if (this.inTitle > 0) this.summary.title += text;
    if (this.skipped > 0) return;
    if (this.inLink === 0) this.summary.proseCharacters += text.trim().length;
    this.buffer.push(this.inPre > 0 ? text : text.replace(/\s+/g, " "));
  }

  close(name: string): void {
    this.depth -= 1;
    if (name === "title") this.inTitle -= 1;
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (name === "a") this.inLink = Math.max(0, this.inLink - 1);
    if (name === "td" || name === "th") this.closeCell();
    else if (BLOCKS.has(name)) this.closeBlock(name);
  }

  finish(): HtmlSummary {
    this.flush();
    this.endRow();
    this.summary.title = this.summary.title.replace(/\s+/g, " ").trim();
    return this.summary;
  }

  private isLeftOut(name: string, attributes: Record<string, string>): boolean {
    if (NEVER_TEXT.has(name)) return true;
    if (!this.options.dropBoilerplate) return false;
    const hidden =
      attributes.hidden !== undefined ||
      attributes["aria-hidden"] === "true" ||
      /display:\s*none/i.test(attributes.style ?? "");
    return hidden || BOILERPLATE.has(name) || BOILERPLATE_ROLES.has(attributes.role?.toLowerCase() ?? "");
  }

  private openBlock(name: string): void {
    if (name === "td" || name === "th") {
      this.flush();
      this.inCell = this.cells !== null;
      return;
    }
    if (this.inCell) {
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
    else if (name === "tr") this.cells = [];
  }

  private closeBlock(name: string): void {
    if (this.inCell) {
      if (name !== "tr" && name !== "table") {
        this.buffer.push("\n");
        return;
      }
      this.closeCell();
    }
    this.flush();
    if (HEADING.test(name)) this.level = 0;
    else if (name === "pre") this.inPre = Math.max(0, this.inPre - 1);
    else if (name === "ul" || name === "ol") this.lists.pop();
    else if (name === "li") this.bullet = "";
    else if (name === "tr") this.endRow();
  }

  private nextBullet(): string {
    const list = this.lists.at(-1);
    if (list === undefined) return "- ";
    list.count += 1;
    const indent = "  ".repeat(Math.min(this.lists.length - 1, WIDE_LIST_INDENT));
    return indent + (list.ordered ? `${list.count}. ` : "- ");
  }

  private closeCell(): void {
    if (!this.inCell) return this.flush();
    this.inCell = false;
    this.cells?.push(collapse(this.takeBuffer()));
  }

  private endRow(): void {
    const cells = this.cells;
    this.cells = null;
    if (cells === null || cells.every((cell) => cell === "")) return;
    // One cell alone is no table but a way to lay out a page.
    if (cells.length === 1) for (const line of (cells[0] ?? "").split("\n")) this.sink.add("paragraph", line);
    else this.sink.add("row", cells.map((cell) => cell.replace(/\n+/g, " ")).join(" | "));
  }

  private flush(): void {
    const raw = this.takeBuffer();
    const text = this.inPre > 0 ? raw : collapse(raw);
    if (text.trim() === "") return;
    if (this.level > 0) this.sink.add("heading", text.replaceAll("\n", " "), this.level);
    else if (this.inPre > 0) this.sink.add("code", text);
    else if (this.bullet !== "") {
      this.sink.add("list-item", this.bullet + text);
      this.bullet = "";
    } else this.sink.add(this.lists.length > 0 ? "list-item" : "paragraph", text);
  }

  private takeBuffer(): string {
    const raw = this.buffer.join("");
    this.buffer = [];
    return raw;
  }
}

function collapse(text: string): string {
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}
