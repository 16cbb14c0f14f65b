/** A table of a page, row by row: cells that reach over several rows stand in each of them, and the header row names the columns. */

/** Rows that one cell reaches over at most, and cells of a row that do. */
const LONGEST_SPAN = 1000;
const MOST_HANGING = 20;

export interface TableRow {
  readonly cells: readonly string[];
  readonly isHeader: boolean;
}

export class HtmlTable {
  /** The header row, as it is shown. */
  columns: string | null = null;
  private cells: string[] = [];
  private headers = 0;
  private own = 0;
  /** Of each column, the cell of a row above that reaches down to this row. */
  private hanging = new Map<number, { text: string; rows: number }>();

  /** Adds the next cell of the row. */
  addCell(text: string, isHeader: boolean, rowspan: number): void {
    this.takeHanging();
    if (rowspan > 1 && this.hanging.size < MOST_HANGING)
      this.hanging.set(this.cells.length, { text, rows: Math.min(rowspan, LONGEST_SPAN) });
    this.cells.push(text);
    this.own += 1;
    if (isHeader) this.headers += 1;
  }

  /** Ends the row; null when there is nothing in it. */
  endRow(): TableRow | null {
    this.takeHanging();
    const { cells, own, headers } = this;
    for (const [column, cell] of this.hanging) {
      cell.rows -= 1;
      if (cell.rows <= 0) this.hanging.delete(column);
    }
    this.cells = [];
    this.own = this.headers = 0;
    if (own === 0 || cells.every((cell) => cell === "")) return null;
    return { cells, isHeader: headers === own };
  }

  private takeHanging(): void {
    for (let cell = this.hanging.get(this.cells.length); cell !== undefined; cell = this.hanging.get(this.cells.length))
      this.cells.push(cell.text);
  }
}
