/** References to cells as spreadsheets write them: letters for the column, digits for the row, e.g. "B3" and "B3:D7". */
import type { MergedRange } from "./merged-cells.ts";

/** Columns of a sheet at most, in any format. */
export const MOST_COLUMNS = 16_384;
const REFERENCE = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/;

export interface CellReference {
  /** From 1 on. */
  readonly row: number;
  /** From 0 on. */
  readonly column: number;
}

/** Null when it is none. */
export function cellReference(text: string): CellReference | null {
  const found = REFERENCE.exec(text);
  if (found === null) return null;
  let column = 0;
  for (const letter of found[1]!) column = column * 26 + letter.charCodeAt(0) - 64;
  return column > MOST_COLUMNS ? null : { row: Number(found[2]), column: column - 1 };
}

export function cellRange(text: string): MergedRange | null {
  const [first, last] = text.split(":").map(cellReference);
  if (!first || !last) return null;
  return { top: first.row, left: first.column, bottom: last.row, right: last.column };
}

export function cellName({ row, column }: CellReference): string {
  let letters = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return `${letters}${row}`;
}
