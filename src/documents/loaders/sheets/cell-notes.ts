/** Comments on cells, as they are written under the rows that they belong to. */
import { cellName, type CellReference } from "./cell-reference.ts";

/** UTF-16 units. */
const LONGEST_AUTHOR = 200;

export class CellNotes {
  readonly byRow = new Map<number, string[]>();

  /** Many programs begin a comment with its author's name. One author may be named by any number of comments. */
  add(cell: CellReference, named: string, text: string): void {
    const author = named.slice(0, LONGEST_AUTHOR);
    const words = text.trim();
    const said = author !== "" && words.startsWith(`${author}:`) ? words.slice(author.length + 1).trim() : words;
    if (said === "") return;
    const note = `Comment on ${cellName(cell)}${author === "" ? "" : ` by ${author}`}: ${said}`;
    const notes = this.byRow.get(cell.row);
    if (notes === undefined) this.byRow.set(cell.row, [note]);
    else notes.push(note);
  }
}
