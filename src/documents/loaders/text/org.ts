/** Org mode: headlines by their stars, without what is for the program. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { LineBlocks } from "./line-blocks.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { linesOf } from "./text-paragraphs.ts";

const format = { mimeType: "text/org", extensions: ["org"] };

const HEADLINE =
  /^(\*{1,20})\s+(?:(?:TODO|DONE|NEXT|WAITING|CANCELLED)\s+)?(?:\[#\w\]\s*)?(.*?)(?:\s+:[\w@#%:]+:)?\s*$/;
const KEYWORD = /^\s*#\+(\w+):\s*(.*)$/;
const CODE_BEGIN = /^\s*#\+begin_(src|example|export)\b/i;
const BLOCK_MARK = /^\s*#\+(?:begin|end)_\w+/i;
const DRAWER = /^\s*:[\w-]+:\s*$/;
const PLANNING = /^\s*(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):/;
const RULE = /^\s*\|[-+|]+\s*$/;

export const orgLoader: Loader = { id: "org", name: "Org", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const isNamed = content.decoded !== null && namedFormat(orgLoader, content) !== undefined;
  return isNamed ? { certainty: "possible", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const lines = linesOf(decoded?.text ?? "");
  const out = new LineBlocks(blocks, readable);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const [, stars, headline] = HEADLINE.exec(line) ?? [];
    const [, key = "", value = ""] = KEYWORD.exec(line) ?? [];
    if (stars !== undefined) out.heading(headline ?? "", stars.length, index);
    else if (CODE_BEGIN.test(line)) index = code(lines, index, out);
    else if (key !== "") keyword(key.toLowerCase(), value, index, out, blocks);
    else if (DRAWER.test(line)) index = endOf(lines, index, /^\s*:END:\s*$/i);
    else if (line.trim() === "" || BLOCK_MARK.test(line) || /^\s*#(?:\s|$)/.test(line) || PLANNING.test(line))
      out.end();
    else if (/^\s*\|/.test(line)) {
      if (!RULE.test(line)) out.begin("row", line.trim(), index);
    } else if (/^\s*(?:[-+]|\d{1,9}[.)])\s+\S/.test(line)) out.begin("list-item", line, index);
    else out.add(line, index);
  }
  out.end();
}

function keyword(key: string, value: string, index: number, out: LineBlocks, blocks: BlockCollector): void {
  if (key === "title") out.heading(value, 1, index);
  if (key === "title" || key === "author" || key === "date" || key === "language") blocks.describe({ [key]: value });
  if (key === "caption") out.add(value, index);
}

function code(lines: readonly string[], start: number, out: LineBlocks): number {
  const end = endOf(lines, start, /^\s*#\+end_(?:src|example|export)\b/i);
  out.code(lines.slice(start + 1, end), start + 1);
  return end;
}

/** The line that ends what begins there; where none does, the beginning is all there is. */
function endOf(lines: readonly string[], start: number, end: RegExp): number {
  for (let index = start + 1; index < lines.length && !/^\*+\s/.test(lines[index]!); index += 1)
    if (end.test(lines[index]!)) return index;
  return start;
}

/** Links become their descriptions. */
function readable(text: string): string {
  return text.replace(
    /\[\[([^\][]{1,1000})\](?:\[([^\][]{1,1000})\])?\]/g,
    (_, target: string, shown?: string) => shown ?? target,
  );
}
