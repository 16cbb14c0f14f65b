/** Rows of a table in running text, "a | b | c"; the names of its columns are what gives the others meaning. */
import { oneLine } from "../../clean-text.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { columnNames } from "../sheets/delimited-rows.ts";

const SEPARATOR = " | ";

export class TableWriter {
  private rows = 0;

  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector,
  ) {}

  /** Writes a row. The first one names the columns where it is said to, or looks like it. Blank rows are left out. */
  row(cells: readonly string[], isHeader = false): void {
    const { maxColumns, maxTextCharacters } = this.content.limits;
    if (cells.length > maxColumns) throw this.content.unreadable(`it has a table of more than ${maxColumns} columns`);
    // A cell may stand for many of the same text.
    if (cells.reduce((sum, { length }) => sum + length, 0) > maxTextCharacters)
      throw this.content.overLimit(`it holds more than ${maxTextCharacters} characters of text`);
    const texts: string[] = [];
    for (const [column, cell] of cells.entries())
      texts.push(column > 0 && cell === cells[column - 1] ? texts[column - 1]! : oneLine(cell));
    while (texts.at(-1) === "") texts.pop();
    if (texts.length === 0) return;
    this.rows += 1;
    // A table of one column does not relate anything; it lays out a page.
    if (cells.length === 1) {
      for (const line of (cells[0] ?? "").split("\n")) this.blocks.add("paragraph", line.trim());
      return;
    }
    const line = texts.join(SEPARATOR);
    this.blocks.add("row", line);
    const names = this.rows === 1 && (isHeader || (texts.length === cells.length && columnNames(texts) !== null));
    if (names) this.blocks.under(line);
  }

  /** What comes next is not of this table. */
  end(): void {
    this.blocks.under(null);
  }
}
