/** Org mode: headlines by their stars, without what is for the program. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { LineBlocks } from "./line-blocks.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { linesOf } from "./text-paragraphs.ts";

const format = { mimeType: "text/org", extensions: ["org"] };

/** What follows is all of the rest, which no blanks in it can make slow. */
const HEADLINE = /^(\*{1,20})\s+(?:(?:TODO|DONE|NEXT|WAITING|CANCELLED)\s+)?(?:\[#\w\]\s*)?([^]*)$/;
const TAGS = /\s:[\w@#%:]+:$/;
const KEYWORD = /^\s*#\+(\w+):\s*([^]*)$/;
const CODE_BEGIN = /^\s*#\+begin_(src|example|export)\b/i;
const BLOCK_MARK = /^\s*#\+(?:begin|end)_\w+/i;
const CODE_END = /^\s*#\+end_(?:src|example|export)\b/i;
const DRAWER_MARK = /^\s*:[\w-]+:\s*$/;
/** Drawers of the program; what lies in others is text. */
const SETTINGS_DRAWER = /^\s*:(?:PROPERTIES|LOGBOOK):\s*$/i;
const DRAWER_END = /^\s*:END:\s*$/i;
const PLANNING = /^\s*(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):/;
const RULE = /^\s*\|[-+|]+\s*$/;

export const orgLoader: Loader = { id: "org", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const isNamed = content.decoded !== null && namedFormat(orgLoader, content) !== undefined;
  return isNamed ? { certainty: "possible", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const lines = linesOf(decoded?.text ?? "");
  const out = new LineBlocks(blocks, readable);
  const codeEnd = endsIn(lines, CODE_END);
  const drawerEnd = endsIn(lines, DRAWER_END);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const [, stars, headline] = HEADLINE.exec(line) ?? [];
    const [, key = "", value = ""] = KEYWORD.exec(line) ?? [];
    if (stars !== undefined) out.heading(withoutTags(headline ?? ""), stars.length, index);
    else if (CODE_BEGIN.test(line)) {
      const end = codeEnd(index);
      out.code(lines.slice(index + 1, end), index + 1);
      index = end;
    } else if (key !== "") keyword(key.toLowerCase(), value, index, out, blocks);
    else if (SETTINGS_DRAWER.test(line)) index = drawerEnd(index);
    else if (DRAWER_MARK.test(line)) out.end();
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

function withoutTags(headline: string): string {
  return headline.trimEnd().replace(TAGS, "").trimEnd();
}

/**
 * Finds the line that ends what begins at another; where none does, the beginning is all there is. Asked for lines in their order, it
 * looks at each only once: what has been searched in vain is not searched again for the next beginning.
 */
function endsIn(lines: readonly string[], end: RegExp): (start: number) => number {
  let searched = 0;
  return (start) => {
    let index = Math.max(start + 1, searched);
    for (; index < lines.length && !/^\*+\s/.test(lines[index]!); index += 1) if (end.test(lines[index]!)) return index;
    searched = index;
    return start;
  };
}

/** Links become their descriptions. */
function readable(text: string): string {
  return text.replace(
    /\[\[([^\][]{1,1000})\](?:\[([^\][]{1,1000})\])?\]/g,
    (_, target: string, shown?: string) => shown ?? target,
  );
}
