/** reStructuredText: sections by the lines under their titles, literal blocks letter for letter. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { LineBlocks } from "./line-blocks.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { linesOf } from "./text-paragraphs.ts";

const format = { mimeType: "text/x-rst", extensions: ["rst", "rest"] };

const ADORNMENT = /^([!-/:-@[-`{-~])\1{2,}\s*$/;
const DIRECTIVE = /^\s*\.\.\s+(?:\|[^|]{1,200}\|\s+)?([\w:-]+)::\s*(.*)$/;
const CODE_DIRECTIVES = new Set([
  "code",
  "code-block",
  "sourcecode",
  "literalinclude",
  "parsed-literal",
  "doctest",
  "math",
]);
/** Directives whose words are about programs and not about the matter. */
const SETTINGS = new Set(["toctree", "contents", "include", "index", "highlight", "module", "currentmodule", "raw"]);
/** Roles look like it, but go on without a blank. */
const OPTION = /^\s+:[\w-]+:(?:\s|$)/;
const COMMENT = /^\.\.(?:\s|$)/;
const LIST_ITEM = /^\s*(?:[-*+•]|(?:\d{1,9}|#|[a-zA-Z])[.)])\s+\S/;

export const rstLoader: Loader = { id: "rst", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const isNamed = content.decoded !== null && namedFormat(rstLoader, content) !== undefined;
  return isNamed ? { certainty: "possible", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  new RstReader(linesOf(decoded?.text ?? ""), blocks).read();
}

class RstReader {
  private readonly out: LineBlocks;
  /** Kinds of underlines in the order in which they first appear, which is that of their levels. */
  private readonly styles: string[] = [];

  constructor(
    private readonly lines: readonly string[],
    private readonly blocks: BlockCollector,
  ) {
    this.out = new LineBlocks(blocks, readable);
  }

  read(): void {
    for (let index = 0; index < this.lines.length; ) index = this.line(index);
    this.out.end();
  }

  /** Reads what begins at a line; returns the next line to read. */
  private line(index: number): number {
    const line = this.lines[index]!;
    const titleEnd = this.title(index);
    if (titleEnd > index) return titleEnd;
    const [, directive, argument = ""] = DIRECTIVE.exec(line) ?? [];
    if (directive !== undefined) return this.directive(directive, argument, index);
    if (COMMENT.test(line)) return this.comment(index);
    if (line.trim() === "" || ADORNMENT.test(line)) this.out.end();
    else if (LIST_ITEM.test(line)) this.out.begin("list-item", line, index);
    else this.out.add(line, index);
    return line.trimEnd().endsWith("::") ? this.literal(index + 1) : index + 1;
  }

  /** Reads a title with a line under it, and perhaps one above; returns the line after it, or the same where there is none. */
  private title(index: number): number {
    const above = ADORNMENT.exec(this.lines[index]!)?.[1];
    const at = above === undefined ? index : index + 1;
    const text = this.lines[at] ?? "";
    const under = ADORNMENT.exec(this.lines[at + 1] ?? "")?.[1];
    const isTitle = under !== undefined && text.trim() !== "" && !ADORNMENT.test(text);
    if (!isTitle || (above !== undefined && above !== under) || (above === undefined && /^\s/.test(text))) return index;
    if (this.lines[at + 1]!.trim().length < Math.min(text.trim().length, 4)) return index;
    const style = `${above ?? ""}${under}`;
    if (!this.styles.includes(style)) this.styles.push(style);
    const level = this.styles.indexOf(style) + 1;
    this.out.heading(text.trim(), level, at);
    if (level === 1) this.blocks.describe({ title: readable(text) });
    return at + 2;
  }

  private directive(name: string, argument: string, index: number): number {
    this.out.end();
    if (SETTINGS.has(name)) return this.indentedEnd(index + 1);
    let first = index + 1;
    while (OPTION.test(this.lines[first] ?? "")) first += 1;
    if (CODE_DIRECTIVES.has(name)) {
      const end = this.indentedEnd(first);
      this.out.code(this.lines.slice(first, end), first);
      return end;
    }
    if (name !== "image" && name !== "figure") this.out.add(argument, index);
    this.out.end();
    return first;
  }

  /** A comment, or the target of a link, ends where its indentation does; footnotes are text. */
  private comment(index: number): number {
    const line = this.lines[index]!;
    this.out.end();
    if (/^\.\.\s+\[/.test(line)) {
      this.out.add(line.replace(/^\.\.\s+/, ""), index);
      return index + 1;
    }
    return this.indentedEnd(index + 1);
  }

  private literal(index: number): number {
    const end = this.indentedEnd(index);
    if (end > index) this.out.code(this.lines.slice(index, end), index);
    return end;
  }

  /** The line after those that are indented or blank. */
  private indentedEnd(start: number): number {
    let end = start;
    while (end < this.lines.length && (this.lines[end]!.trim() === "" || /^\s/.test(this.lines[end]!))) end += 1;
    return end;
  }
}

/** Roles and links become what they show. */
function readable(text: string): string {
  return text
    .replace(/:[\w:+.-]{1,50}:`([^`<>]{1,500}?)(?:\s*<[^<>`]{1,500}>)?`/g, "$1")
    .replace(/`([^`<>]{1,500}?)\s*<[^<>`]{1,500}>`_{1,2}/g, "$1")
    .replace(/``([^`]{1,500})``/g, "$1")
    .replace(/::$/gm, ":");
}
