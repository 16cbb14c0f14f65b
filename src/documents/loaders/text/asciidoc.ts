/** AsciiDoc: sections by their signs, listings letter for letter, tables row by row. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { LineBlocks } from "./line-blocks.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { linesOf } from "./text-paragraphs.ts";

const format = { mimeType: "text/asciidoc", extensions: ["adoc", "asciidoc", "asc"] };

const SECTION = /^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?\s*$/;
const LISTING = /^(?:-{4,}|\.{4,}|`{3,}\w*|\+{4,})\s*$/;
const COMMENT_BLOCK = /^\/{4,}\s*$/;
const TABLE = /^[|,:!]={3,}\s*$/;
/** Marks around other blocks, settings, and lines that are for the program. */
const MARK =
  /^(?:={4,}|\*{4,}|_{4,}|--|'{3,}|<{3,}|\+|:!?[\w-]+!?:.*|\[[^\]]*\]|\/\/.*|(?:include|ifdef|ifndef|endif|toc)::.*)\s*$/;
const LIST_ITEM = /^\s*(?:\*{1,5}|-|\.{1,5}|\d{1,9}\.)\s+\S/;

export const asciidocLoader: Loader = { id: "asciidoc", name: "AsciiDoc", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  // Keys of OpenPGP have the same extension.
  const isText = content.decoded !== null && !content.decoded.text.startsWith("-----BEGIN ");
  return isText && namedFormat(asciidocLoader, content) !== undefined ? { certainty: "possible", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const lines = linesOf(decoded?.text ?? "");
  const out = new LineBlocks(blocks, readable);
  let isTable = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const [, signs, title] = SECTION.exec(line) ?? [];
    if (LISTING.test(line) || COMMENT_BLOCK.test(line)) {
      const end = lines.indexOf(line, index + 1);
      const last = end < 0 ? lines.length : end;
      if (LISTING.test(line)) out.code(lines.slice(index + 1, last), index + 1);
      index = last;
    } else if (TABLE.test(line)) {
      out.end();
      isTable = !isTable;
    } else if (signs !== undefined) {
      out.heading(title ?? "", signs.length, index);
      if (signs.length === 1) blocks.describe({ title: title ?? "" });
    } else if (line.trim() === "" || MARK.test(line)) out.end();
    else if (isTable && line.startsWith("|")) out.begin("row", cells(line), index);
    else if (/^\.\S/.test(line)) out.begin("paragraph", line.slice(1), index);
    else if (LIST_ITEM.test(line)) out.begin("list-item", line, index);
    else out.add(line, index);
  }
  out.end();
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
