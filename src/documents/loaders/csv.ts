/** Tables of delimited text. Each row becomes "column: value; …", so that a chunk explains itself wherever it is cut. */
import type { BlockCollector } from "../block-collector.ts";
import type { Content } from "../content.ts";
import { columnNames, delimitedShape } from "./delimited-rows.ts";
import { namedFormat } from "./loader.ts";
import type { Format, Loader, Recognition } from "./loader.ts";

const csv: Format = { mimeType: "text/csv", extensions: ["csv"] };
const tsv: Format = { mimeType: "text/tab-separated-values", extensions: ["tsv", "tab"] };
/** Rows that must agree before text is taken for a table without being called one. */
const LEAST_ROWS = 4;

export const csvLoader: Loader = { id: "csv", name: "CSV and TSV", formats: [csv, tsv], recognise, load };

function recognise(content: Content): Recognition | null {
  if (content.decoded === null) return null;
  const named = namedFormat(csvLoader, content);
  if (named !== undefined) return { certainty: "possible", format: named };
  const shape = delimitedShape(content.decoded.text);
  if (shape === null || shape.agreement < 1 || shape.rows < LEAST_ROWS) return null;
  const clear = shape.delimiter === "\t" || shape.delimiter === ";" || (shape.delimiter === "," && shape.columns >= 3);
  return clear ? { certainty: "likely", format: shape.delimiter === "\t" ? tsv : csv } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const text = content.decoded?.text ?? "";
  const { parse } = await import("csv-parse/sync");
  const writer = new RowWriter(content, blocks);
  const options = {
    delimiter: delimitedShape(text)?.delimiter ?? ",",
    relaxColumnCount: true,
    relaxQuotes: true,
    skipEmptyLines: true,
    maxRecordSize: content.limits.maxRowBytes,
    // Rows are written as they are read and not kept.
    onRecord: (row: string[]) => writer.write(row),
  };
  try {
    parse(text, options);
  } catch (error) {
    // A stray quotation mark swallows the rest of the file: then quotation marks are nothing special in it.
    if (!hasCode(error, "CSV_QUOTE_NOT_CLOSED", "CSV_MAX_RECORD_SIZE")) throw error;
    writer.restart();
    parseUnquoted(() => parse(text, { ...options, quote: null }), content);
  }
  writer.finish();
}

function parseUnquoted(parse: () => unknown, content: Content): void {
  try {
    parse();
  } catch (error) {
    if (hasCode(error, "CSV_MAX_RECORD_SIZE"))
      throw content.unreadable(`it has a row of more than ${content.limits.maxRowBytes} bytes`, error);
    throw error;
  }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

class RowWriter {
  private first: string[] | null = null;
  private names: string[] | null = null;
  private count = 0;

  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector,
  ) {}

  /** Takes a row and gives csv-parse null, so that it does not collect it. */
  write(row: string[]): null {
    const { maxRows, maxColumns } = this.content.limits;
    this.count += 1;
    if (this.count > maxRows) throw this.content.unreadable(`it has more than ${maxRows} rows`);
    if (row.length > maxColumns) throw this.content.unreadable(`it has more than ${maxColumns} columns`);
    if (this.first === null) {
      this.first = row;
      this.names = columnNames(row);
    }
    if (this.count > 1 || this.names === null) this.blocks.add("row", this.line(row));
    return null;
  }

  restart(): void {
    this.first = null;
    this.count = 0;
    this.blocks.clear();
  }

  finish(): void {
    if (this.count === 1 && this.names !== null) this.blocks.add("row", this.names.join("; "));
  }

  private line(row: readonly string[]): string {
    const cells: string[] = [];
    row.forEach((raw, index) => {
      const value = raw.replace(/\s+/g, " ").trim();
      if (value === "") return;
      const name = this.names === null || this.names.length === 1 ? undefined : this.names[index];
      cells.push(name === undefined ? value : `${name}: ${value}`);
    });
    return cells.join("; ");
  }
}
