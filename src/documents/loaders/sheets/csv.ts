/** Tables of delimited text. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { delimitedShape, hasNumbers, isSpaced, namedDelimiter } from "./delimited-rows.ts";
import { namedFormat } from "../loader.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { RowWriter } from "./row-writer.ts";

const csv: Format = { mimeType: "text/csv", extensions: ["csv"] };
const tsv: Format = { mimeType: "text/tab-separated-values", extensions: ["tsv", "tab"] };
/** Rows that must agree before text is taken for a table without being called one. */
const LEAST_ROWS = 4;

export const csvLoader: Loader = { id: "csv", formats: [csv, tsv], recognise, load };

function recognise(content: Content): Recognition | null {
  if (content.decoded === null) return null;
  const named = namedFormat(csvLoader, content);
  if (named !== undefined) return { certainty: "possible", format: named };
  const shape = delimitedShape(content.decoded.text);
  if (shape === null || shape.agreement < 1 || shape.rows < LEAST_ROWS) return null;
  const { delimiter, columns } = shape;
  if (delimiter === "\t") return { certainty: "likely", format: tsv };
  // Lists and verses have commas and semicolons too, now and then as many in each line.
  const { text } = content.decoded;
  const isClear =
    columns >= 3 ? hasNumbers(text, delimiter) || !isSpaced(text, delimiter) : hasNumbers(text, delimiter);
  const isTable = isClear && (delimiter === ";" || (delimiter === "," && columns >= 3));
  return isTable ? { certainty: "likely", format: csv } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const whole = content.decoded?.text ?? "";
  const named = namedDelimiter(whole);
  const text = whole.slice(named?.length ?? 0);
  const delimiter = named?.delimiter ?? delimitedShape(text)?.delimiter ?? ",";
  const before = blocks.blocks.length;
  try {
    await writeRows(text, delimiter, '"', content, blocks, named === null ? 0 : 1);
  } catch (error) {
    // A stray quotation mark swallows the rest of the file: then quotation marks are nothing special in it.
    if (!hasCode(error, "CSV_QUOTE_NOT_CLOSED", "CSV_MAX_RECORD_SIZE")) throw error;
    blocks.cut(before);
    await writeUnquoted(text, delimiter, content, blocks, named === null ? 0 : 1);
  }
}

async function writeUnquoted(
  ...[text, delimiter, content, blocks, linesBefore]: [string, string, Content, BlockCollector, number]
): Promise<void> {
  try {
    await writeRows(text, delimiter, null, content, blocks, linesBefore);
  } catch (error) {
    if (!hasCode(error, "CSV_MAX_RECORD_SIZE")) throw error;
    throw content.unreadable(`it has a row of more than ${content.limits.maxRowBytes} bytes`, error);
  }
}

/** Rows are written as they are read and not kept. They are numbered as a spreadsheet shows them: blank lines count. */
async function writeRows(
  text: string,
  delimiter: string,
  quote: string | null,
  content: Content,
  blocks: BlockCollector,
  linesBefore: number,
): Promise<void> {
  const { parse } = await import("csv-parse/sync");
  const writer = new RowWriter(content, blocks);
  parse(text, {
    delimiter,
    quote,
    relaxColumnCount: true,
    relaxQuotes: true,
    skipEmptyLines: true,
    maxRecordSize: content.limits.maxRowBytes,
    onRecord(cells: string[], { records, empty_lines }) {
      writer.write({ number: linesBefore + records + empty_lines, cells });
      return null;
    },
  });
  writer.finish();
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
