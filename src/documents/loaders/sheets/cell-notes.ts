/** Comments on cells, as they are written under the rows that they belong to. */
import { cellName, type CellReference } from "./cell-reference.ts";

export class CellNotes {
  readonly byRow = new Map<number, string[]>();

  /** Many programs begin a comment with its author's name. */
  add(cell: CellReference, author: string, text: string): void {
    const words = text.trim();
    const said = author !== "" && words.startsWith(`${author}:`) ? words.slice(author.length + 1).trim() : words;
    if (said === "") return;
    const note = `Comment on ${cellName(cell)}${author === "" ? "" : ` by ${author}`}: ${said}`;
    const notes = this.byRow.get(cell.row);
    if (notes === undefined) this.byRow.set(cell.row, [note]);
    else notes.push(note);
  }
}
