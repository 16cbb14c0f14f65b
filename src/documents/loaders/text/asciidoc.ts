/** AsciiDoc: sections by their signs, listings letter for letter, tables row by row. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { LineBlocks } from "./line-blocks.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { linesOf } from "./text-paragraphs.ts";

const format = { mimeType: "text/asciidoc", extensions: ["adoc", "asciidoc", "asc"] };

/** Of a line without blanks at its end. */
const SECTION = /^(={1,6}|#{1,6})\s+(\S[^]*)$/;
const LISTING = /^(?:-{4,}|\.{4,}|`{3,}\w*|\+{4,})\s*$/;
const COMMENT_BLOCK = /^\/{4,}\s*$/;
const TABLE = /^[|,:!]={3,}\s*$/;
/** A setting with a value, which is one only in the header: elsewhere it may be what somebody says. */
const ATTRIBUTE = /^:!?[\w-]+!?:(?:\s|$)/;
/** Marks around other blocks, switches, and lines that are for the program. */
const MARK =
  /^(?:={4,}|\*{4,}|_{4,}|--|'{3,}|<{3,}|\+|:!?[\w-]+!?:|\[[^\]]*\]|\/\/.*|(?:include|ifdef|ifndef|endif|toc)::.*)\s*$/;
const LIST_ITEM = /^\s*(?:\*{1,5}|-|\.{1,5}|\d{1,9}\.)\s+\S/;

export const asciidocLoader: Loader = { id: "asciidoc", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  // Keys of OpenPGP have the same extension.
  const isText = content.decoded !== null && !content.decoded.text.startsWith("-----BEGIN ");
  return isText && namedFormat(asciidocLoader, content) !== undefined ? { certainty: "possible", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const lines = linesOf(decoded?.text ?? "");
  const out = new LineBlocks(blocks, readable);
  let isTable = false;
  let isHeader = true;
  let isTitled = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const [, signs, rest = ""] = SECTION.exec(line.trimEnd()) ?? [];
    if (LISTING.test(line) || COMMENT_BLOCK.test(line)) {
      const last = closing(lines, index);
      if (LISTING.test(line)) out.code(lines.slice(index + 1, last), index + 1);
      index = last;
    } else if (TABLE.test(line)) {
      out.end();
      isTable = !isTable;
    } else if (signs !== undefined) {
      const title = withoutClosingSigns(rest, signs);
      out.heading(title, signs.length, index);
      if (signs.length === 1) blocks.describe({ title });
      isTitled = true;
    } else if (line.trim() === "") {
      out.end();
      isHeader &&= !isTitled;
    } else if (MARK.test(line) || (isHeader && ATTRIBUTE.test(line))) out.end();
    else if (isTable && line.startsWith("|")) out.begin("row", cells(line), index);
    else if (/^\.\S/.test(line) && beginsBlock(lines[index + 1])) out.begin("paragraph", line.slice(1), index);
    else if (LIST_ITEM.test(line)) out.begin("list-item", line, index);
    else {
      out.add(line, index);
      // Under a title stand its authors, and settings after them.
      isHeader &&= isTitled;
    }
  }
  out.end();
}

/** The line that closes what a line opens, or where the text ends; blanks at the end of either do not count. */
function closing(lines: readonly string[], start: number): number {
  const mark = lines[start]!.trimEnd().replace(/^(`+)\w+$/, "$1");
  let end = start + 1;
  while (end < lines.length && lines[end]!.trimEnd() !== mark) end += 1;
  return end;
}

/** Whether a line shows that the one before it may be a block's title. Others may only begin with a full stop, as ".NET" does. */
function beginsBlock(line = ""): boolean {
  return [LISTING, TABLE, MARK, LIST_ITEM, /^image::/].some((mark) => mark.test(line));
}

function withoutClosingSigns(title: string, signs: string): string {
  const isClosed = title.endsWith(signs) && /\s/.test(title.at(-signs.length - 1) ?? "");
  return isClosed ? title.slice(0, -signs.length).trimEnd() : title;
}

function cells(line: string): string {
  return line
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(" | ");
}

/** Links become their descriptions; names of places go. */
function readable(text: string): string {
  return text
    .replace(/\[\[[^\]\n]{1,200}\]\]/g, "")
    .replace(/<<([^<>,\n]{1,200})(?:,\s*([^<>\n]{1,500}))?>>/g, (_, target: string, shown?: string) => shown ?? target)
    .replace(/(?:https?:\/\/|link:|xref:)[^\s[\]]{1,500}\[([^\]\n]{1,500})\]/g, "$1")
    .replace(/image::?[^\s[\]]{1,500}\[([^\]\n]{0,500})\]/g, "$1");
}
