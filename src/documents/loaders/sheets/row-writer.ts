/**
 * Tables of sheets and of delimited text, row by row. Each row becomes "column: value; …", so that a chunk explains itself wherever it is cut; what
 * stands above and between the tables of a sheet becomes lines of its own.
 */
import { oneLine } from "../../clean-text.ts";
import type { Place } from "../../../foundation/place.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { tableHead, type TableRow } from "./table-head.ts";

/** Rows that are looked at before the first is written. */
const HEAD_ROWS = 30;

export class RowWriter {
  /** Rows that wait until it is known what their columns are called. */
  private head: TableRow[] = [];
  private isDecided = false;
  private names: readonly string[] | null = null;
  private lastNumber = 0;
  private rows = 0;
  /** UTF-16 units of the rows that wait. */
  private waiting = 0;

  /** `place` is where the table stands; rows add their number to it. */
  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector,
    private readonly place: Readonly<Place> = {},
  ) {}

  /** Takes rows in order. Where a row is blank or left out, what follows may be another table. Throws UNREADABLE_FILE beyond the limits. */
  write(given: TableRow): void {
    const { maxColumns, maxRows, maxTextCharacters } = this.content.limits;
    // Cells may stand for many of the same text.
    this.waiting += given.cells.reduce((sum, { length }) => sum + length, 0);
    if (this.waiting > maxTextCharacters) throw this.content.tooMuchText();
    if (this.isDecided) this.waiting = 0;
    const row = { ...given, cells: given.cells.map(oneLine), spread: given.spread?.map(oneLine) };
    const filled = filledCells(row).length;
    if (filled === 0 && row.notes === undefined) return;
    this.rows += 1;
    if (this.rows > maxRows) throw this.content.unreadable(`it has more than ${maxRows} rows`);
    if (filled > maxColumns) throw this.content.unreadable(`it has more than ${maxColumns} columns`);
    if (row.number > this.lastNumber + 1) this.finish();
    this.lastNumber = row.number;
    if (this.isDecided) return this.add(row);
    this.head.push(row);
    if (this.head.length >= HEAD_ROWS) this.decide();
  }

  /** Whether it matters for a row of this number what its columns may be called. */
  looksForNames(number: number): boolean {
    return !this.isDecided || number > this.lastNumber + 1;
  }

  /** Writes what still waits. */
  finish(): void {
    this.decide();
    this.isDecided = false;
  }

  /** Finds the columns' names among the rows that wait, and writes those. */
  private decide(): void {
    this.isDecided = true;
    const rows = this.head;
    this.head = [];
    this.waiting = 0;
    const { above, height, names } = tableHead(rows, this.names);
    // Remarks under a table belong to none of its columns.
    const lines = rows.every((row) => filledCells(row).length < 2) ? rows.length : above;
    rows.forEach((row, index) => {
      if (index === above && names !== null) this.names = names;
      if (index >= above && index < above + height)
        this.put("row", row, index === above ? namesAlone(names ?? [], rows.slice(above + height)) : "");
      else if (index < lines) this.put(this.names === null ? "row" : "paragraph", row, joined(filledCells(row)));
      else this.add(row);
    });
  }

  private add(row: TableRow): void {
    const { names } = this;
    if (names === null) return this.put("row", row, joined(filledCells(row)));
    const cells = row.cells.flatMap((value, column) => {
      const name = names[column]?.replace(/\s*:$/, "") ?? "";
      if (value === "") return [];
      return name === "" ? value : `${name}: ${value}`;
    });
    this.put("row", row, cells.join("; "));
  }

  private put(kind: "row" | "paragraph", { number, notes = [] }: TableRow, text: string): void {
    this.blocks.at({ ...this.place, row: number });
    this.blocks.add(kind, text);
    for (const note of notes) this.blocks.add("paragraph", note);
  }
}

/** Names that nothing stands under; the others stand with their values. */
function namesAlone(names: readonly string[], under: readonly TableRow[]): string {
  const alone = names.filter((name, column) => name !== "" && under.every(({ cells }) => !cells[column]));
  return joined([...new Set(alone)]);
}

function filledCells({ cells }: TableRow): string[] {
  return cells.filter((cell) => cell !== "");
}

/** A label is parted from what it labels by its colon. */
function joined(cells: readonly string[]): string {
  return cells.reduce((text, cell) => text + (text === "" ? "" : text.endsWith(":") ? " " : "; ") + cell, "");
}
