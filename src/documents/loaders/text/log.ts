/** Logs: each entry is a row, with the lines that belong to it, e.g. the trace of an error. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { addLines, linesOf } from "./text-paragraphs.ts";

const format = { mimeType: "text/x-log", extensions: ["log", "out", "err"] };

const SAMPLE_LINES = 200;
/** Entries that a text must have to be a log without being called one, and the share of its lines that they are. */
const LEAST_ENTRIES = 5;
const LEAST_SHARE = 0.6;
/** Lines of one entry; what is longer is parted. */
const MOST_LINES = 200;
const DATE = String.raw`\d{4}[-/.]\d{2}[-/.]\d{2}|\d{2}[-/.](?:\d{2}|[A-Z][a-z]{2})[-/.]\d{2,4}|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? `;
const TIME = String.raw`\d{2}:\d{2}:\d{2}`;
const LEVEL = String.raw`(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|FATAL|CRITICAL)\b`;
const ENTRY = new RegExp(
  String.raw`^(?:[\w.-]{1,40} (?=\d{4}-))?[[(<"]{0,2}(?:${DATE}|${TIME}|${LEVEL}|\d{10}(?:\d{3})?[.,:\s\]]|[IWEF]\d{4} ${TIME}|<\d{1,3}>\d? ?|\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[)`,
);

export const logLoader: Loader = { id: "log", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (content.decoded === null) return null;
  const lines = content.decoded.text.split(/\r\n?|\n/, SAMPLE_LINES).filter((line) => line.trim() !== "");
  const entries = lines.filter((line) => ENTRY.test(line)).length;
  if (namedFormat(logLoader, content) !== undefined && entries > 0) return { certainty: "likely", format };
  const isLog = content.extension === "" && entries >= LEAST_ENTRIES && entries >= lines.length * LEAST_SHARE;
  return isLog ? { certainty: "likely", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const lines = linesOf(decoded?.text ?? "");
  let first = 0;
  for (let index = 1; index <= lines.length; index += 1) {
    if (index < lines.length && !ENTRY.test(lines[index]!) && index - first < MOST_LINES) continue;
    addLines(blocks, lines, first, index, "row");
    first = index;
  }
}
