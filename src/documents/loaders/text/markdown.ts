/** Markdown (CommonMark's blocks, read line by line). Markup that carries no meaning goes; the text stays as it is written. */
import type { BlockKind } from "../../blocks.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { describedIn, frontMatterOf } from "./front-matter.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";

const format = { mimeType: "text/markdown", extensions: ["md", "markdown", "mdown", "mkd", "mdx"] };

const SAMPLE_CHARACTERS = 16 * 1024;
const ATX_HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const SETEXT_UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const QUOTE = /^ {0,3}>/;
/** Names for links and styles, as several kinds of Markdown put them behind headings. */
const HEADING_ATTRIBUTES = /[ \t]\{[ \t]{0,20}[#.:][^{}\n]{0,200}\}$/;
/** Backticks in what follows make it a code span, and not a fence. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
/** Of a line without blanks around it. */
const TABLE_RULE = /^\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?$/;
const THEMATIC_BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const LINK = /\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/;
const HTML_TAG =
  /<\/?(?:a|abbr|b|br|center|code|details|div|em|font|h[1-6]|hr|i|img|kbd|li|ol|p|picture|pre|s|small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video)(?:\s[^<>]*)?\/?>/gi;

export const markdownLoader: Loader = { id: "markdown", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (content.decoded === null) return null;
  if (namedFormat(markdownLoader, content) !== undefined) return { certainty: "likely", format };
  const sample = content.decoded.text.slice(0, SAMPLE_CHARACTERS);
  const marks = [/^#{1,6} \S/m, LINK, /^(?:```|~~~)/m, /^\s*[-*] \S/m].filter((mark) => mark.test(sample)).length;
  return marks >= 3 && /^#{1,6} \S/m.test(sample) ? { certainty: "likely", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const lines = (decoded?.text ?? "").split(/\r\n?|\n/);
  const matter = frontMatterOf(lines);
  if (matter !== null) {
    blocks.describe(await describedIn(matter));
    blocks.at({ line: 2 });
    blocks.add("paragraph", matter.text);
  }
  new MarkdownReader(blocks).read(lines, matter?.lines ?? 0);
}

class MarkdownReader {
  private lines: string[] = [];
  private kind: BlockKind = "paragraph";
  /** Where the lines that are gathered begin. */
  private first = 0;

  constructor(private readonly blocks: BlockCollector) {}

  /** Reads from a line on to the end. */
  read(lines: readonly string[], first: number): void {
    let index = first;
    while (index < lines.length) {
      if (this.lines.length === 0) this.first = index;
      index = this.line(lines, index);
    }
    this.flush();
  }

  /** Reads what begins at a line; returns the next line to read. */
  private line(lines: readonly string[], index: number): number {
    const line = lines[index] ?? "";
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) return this.code(lines, index, fence);
    const heading = ATX_HEADING.exec(line);
    const canBeTitle = this.kind === "paragraph" && this.lines.length > 0 && !QUOTE.test(this.lines[0] ?? "");
    const isUnderline = canBeTitle && SETEXT_UNDERLINE.test(line);
    if (heading !== null) {
      this.flush();
      this.blocks.at({ line: index + 1 });
      this.blocks.add(
        "heading",
        readable(withoutClosingMarks(line.slice(heading[0].length).trim())),
        heading[1]?.length ?? 1,
      );
    } else if (isUnderline) {
      const title = this.lines.splice(0).join("\n");
      this.blocks.at({ line: this.first + 1 });
      this.blocks.add("heading", readable(title), line.includes("=") ? 1 : 2);
    } else if (line.trim() === "" || THEMATIC_BREAK.test(line)) this.flush();
    else if (this.kind === "row" && TABLE_RULE.test(line.trim())) this.flush("row");
    else if (TABLE_ROW.test(line)) this.begin("row", line, index);
    else if (LIST_ITEM.test(line)) this.begin("list-item", line, index);
    else if (this.kind === "row") this.begin("paragraph", line, index);
    else this.lines.push(line);
    return index + 1;
  }

  private begin(kind: BlockKind, line: string, index: number): void {
    this.flush();
    this.kind = kind;
    this.first = index;
    this.lines.push(line);
  }

  /** Ends what is gathered; what comes next is a paragraph unless it shows itself to be something else. */
  private flush(next: BlockKind = "paragraph"): void {
    const text = this.lines.splice(0).join("\n");
    this.blocks.at({ line: this.first + 1 });
    this.blocks.add(this.kind, readable(text));
    this.kind = next;
  }

  /** A fenced block is kept letter for letter, without its fences; an unclosed one ends with the file. */
  private code(lines: readonly string[], index: number, fence: string): number {
    this.flush();
    let end = index + 1;
    while (end < lines.length && !isClosingFence(lines[end] ?? "", fence)) end += 1;
    this.blocks.at({ line: index + 2 });
    this.blocks.add("code", lines.slice(index + 1, end).join("\n"));
    return end + 1;
  }
}

function isClosingFence(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark === (fence[0] ?? "").repeat(mark.length);
}

/**
 * Pictures become their descriptions; data: addresses, comments and HTML tags go, but not those that code spans speak of. Linear in the
 * text: nothing is unbounded.
 */
function readable(text: string): string {
  if (!/[<[]/.test(text)) return text;
  const { rest, spans } = withoutCodeSpans(text.replaceAll("\0", ""));
  return rest
    .replace(/!\[([^\]\n]{0,500})\]\([^()\s]*(?:[ \t]{1,5}"[^"\n]{0,300}")?\)/g, "$1")
    .replace(/\[([^\]\n]{0,500})\]\(<?data:[^()\s]*\)/gi, "$1")
    .replace(/^ {0,3}\[[^\]\n]{1,500}\]:[ \t]{0,5}<?data:.*$/gim, "")
    .replace(HTML_TAG, "")
    .replace(/\0(\d+)\0/g, (_, index: string) => spans[Number(index)] ?? "");
}

/** The text without comments, and with a number between NUL characters for each code span. What has no end stays. */
function withoutCodeSpans(text: string): { rest: string; spans: string[] } {
  const marks = [...text.matchAll(/<!--|-->|`+/g)];
  const ends = new Array<number | undefined>(marks.length);
  const next = new Map<string, number>();
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index]![0];
    ends[index] = mark === "-->" ? undefined : next.get(mark === "<!--" ? "-->" : mark);
    next.set(mark, index);
  }
  const spans: string[] = [];
  let rest = "";
  let from = 0;
  for (let index = 0; index < marks.length; index += 1) {
    const end = ends[index];
    if (end === undefined) continue;
    const { index: start, 0: mark } = marks[index]!;
    const after = marks[end]!.index + marks[end]![0].length;
    rest += text.slice(from, start);
    if (mark !== "<!--") rest += `\0${spans.push(text.slice(start, after)) - 1}\0`;
    from = after;
    index = end;
  }
  return { rest: rest + text.slice(from), spans };
}

/** A heading's text without the optional closing marks and attributes. */
function withoutClosingMarks(marked: string): string {
  const heading = marked.replace(HEADING_ATTRIBUTES, "").trimEnd();
  let end = heading.length;
  while (end > 0 && heading[end - 1] === "#") end -= 1;
  const closed = end < heading.length && (end === 0 || /[ \t]/.test(heading[end - 1] ?? ""));
  return (closed ? heading.slice(0, end) : heading).trim();
}
