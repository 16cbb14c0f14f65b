/** Sheets of workbooks of any format: a heading with the sheet's name, its tables row by row, and what is noted on its cells. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { MOST_COLUMNS } from "./cell-reference.ts";
import { MergedCells, type MergedRange } from "./merged-cells.ts";
import { RowWriter } from "./row-writer.ts";

export interface SheetDescription {
  readonly name: string;
  readonly isHidden: boolean;
  readonly merged: readonly MergedRange[];
  /** Comments on cells, by their rows. More may be added until the row is written. */
  readonly notes: Map<number, string[]>;
}

/** What is shown in a cell. Columns count from 0. */
export interface ShownCell {
  readonly column: number;
  readonly text: string;
}

/** Places in the sheets of one workbook that were looked at; empty ones cost as much as others. */
export class CellBudget {
  private taken = 0;

  constructor(private readonly content: Content) {}

  /** Throws UNREADABLE_FILE when there are too many. */
  take(count: number): void {
    const { maxCells } = this.content.limits;
    this.taken += count;
    if (this.taken > maxCells) throw this.content.unreadable(`its sheets cover more than ${maxCells} cells`);
  }
}

/** Writes one sheet. A sheet in which nothing stands is not mentioned. */
export class SheetWriter {
  private readonly table: RowWriter;
  private readonly merged: MergedCells;
  private isNamed = false;

  constructor(
    content: Content,
    private readonly blocks: BlockCollector,
    private readonly sheet: SheetDescription,
    private readonly budget: CellBudget,
  ) {
    this.table = new RowWriter(content, blocks, { sheet: sheet.name });
    this.merged = new MergedCells(sheet.merged);
  }

  /** Takes rows from the top; `found` from the left, blank ones left out. Merged ranges may become known with the row in which they begin. */
  write(row: number, found: readonly ShownCell[], merged: readonly MergedRange[] = []): void {
    // What damaged files put beyond the last column is shown by no program.
    const shown = found.filter(({ column }) => column < MOST_COLUMNS);
    const width = (shown.at(-1)?.column ?? -1) + 1;
    this.budget.take(width);
    const cells: string[] = new Array(width).fill("");
    for (const { column, text } of shown) cells[column] = text;
    this.merged.over(row, cells, merged);
    const notes = this.sheet.notes.get(row);
    this.sheet.notes.delete(row);
    if (shown.length === 0 && notes === undefined) return;
    const spread = this.table.looksForNames(row) ? this.merged.spread(cells) : undefined;
    this.budget.take(spread?.length ?? 0);
    this.name();
    this.table.write({ number: row, cells, ...(spread && { spread }), ...(notes && { notes }) });
  }

  /** `lines` stand on the sheet outside its cells. */
  finish(lines: readonly string[] = []): void {
    for (const [row, notes] of this.sheet.notes) {
      this.name();
      this.table.write({ number: row, cells: [], notes });
    }
    this.table.finish();
    for (const line of lines) {
      if (line.trim() === "") continue;
      this.name();
      this.blocks.at({ sheet: this.sheet.name });
      this.blocks.add("paragraph", line);
    }
  }

  private name(): void {
    if (this.isNamed) return;
    this.isNamed = true;
    const { name, isHidden } = this.sheet;
    this.blocks.at({ sheet: name });
    this.blocks.add("heading", isHidden ? `${name} (hidden)` : name, 1);
  }
}
