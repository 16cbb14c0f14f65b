/** The sheets of an OpenDocument spreadsheet (.ods), read row by row and never held whole. */
import { CellNotes } from "./cell-notes.ts";
import type { MergedRange } from "./merged-cells.ts";
import { oneLine } from "../../clean-text.ts";
import type { SheetWriter, ShownCell } from "./sheet-writer.ts";
import type { XmlAttributes, XmlHandler } from "../office/xml.ts";

/** Rows and cells that are the same say nothing more when they are repeated more often; programs fill sheets up to their end so. */
const MOST_REPEATED = 100;
/** What holds text that is not shown. */
const UNSEEN: ReadonlySet<string> = new Set([
  "tracked-changes",
  "table-source",
  "scenario",
  "event-listeners",
  "desc",
  "title",
  // Pictures and charts that lie within a flat file.
  "binary-data",
  "object",
]);
const BREAKS: ReadonlySet<string> = new Set(["p", "h", "s", "tab", "line-break"]);

/** Begins a sheet: `style` is its style's name. */
export type BeginSheet = (name: string, style: string, notes: CellNotes) => SheetWriter;

interface Cell {
  readonly column: number;
  readonly repeated: number;
  readonly value: string;
  isCovered: boolean;
  text: string;
}

export class OdsSheets implements XmlHandler {
  private sheet: SheetWriter | null = null;
  private notes = new CellNotes();
  private row = 0;
  private rowRepeated = 1;
  private column = 0;
  private shown: ShownCell[] = [];
  private merged: MergedRange[] = [];
  private cell: Cell | null = null;
  /** The comment that is open, and which part of it. */
  private note: { author: string; text: string } | null = null;
  private part = "";
  /** Text of shapes that lie on the sheet. */
  private lines: string[] = [];
  private shapes = 0;
  private unseen = 0;

  constructor(private readonly begin: BeginSheet) {}

  open(name: string, attributes: XmlAttributes): void {
    if (UNSEEN.has(name)) this.unseen += 1;
    else if (this.unseen > 0) return;
    else if (name === "table" && this.sheet === null) this.openSheet(attributes);
    else if (name === "table-row") this.openRow(attributes);
    else if (name === "table-cell" || name === "covered-table-cell") this.openCell(name, attributes);
    else if (name === "annotation") this.note = { author: "", text: "" };
    else if (name === "shapes" || name === "frame" || name === "custom-shape") this.openShape();
    else if (BREAKS.has(name)) this.text(name === "p" || name === "h" ? "\n" : " ");
    this.part = name;
  }

  text(text: string): void {
    if (this.unseen > 0 || this.sheet === null) return;
    if (this.note !== null) {
      if (this.part === "creator") this.note.author += text;
      else if (this.part !== "date" && this.part !== "date-string") this.note.text += text;
    } else if (this.shapes > 0) this.lines[this.lines.length - 1] += text;
    else if (this.cell !== null) this.cell.text += text;
  }

  close(name: string): void {
    this.part = "";
    if (UNSEEN.has(name)) this.unseen -= 1;
    else if (this.unseen > 0) return;
    else if (name === "annotation") this.closeNote();
    else if (name === "shapes" || name === "frame" || name === "custom-shape") this.shapes -= 1;
    else if (name === "table-cell" || name === "covered-table-cell") this.closeCell();
    else if (name === "table-row") this.closeRow();
    else if (name === "table" && this.shapes === 0) this.closeSheet();
  }

  private openSheet(attributes: XmlAttributes): void {
    this.notes = new CellNotes();
    this.row = 1;
    this.lines = [];
    this.sheet = this.begin(attributes["table:name"] ?? "", attributes["table:style-name"] ?? "", this.notes);
  }

  private closeSheet(): void {
    this.sheet?.finish(this.lines.flatMap((line) => line.split("\n")));
    this.sheet = null;
  }

  private openRow(attributes: XmlAttributes): void {
    this.rowRepeated = count(attributes["table:number-rows-repeated"]);
    this.column = 0;
    this.shown = [];
    this.merged = [];
  }

  private closeRow(): void {
    const times = this.shown.length > 0 && this.rowRepeated <= MOST_REPEATED ? this.rowRepeated : 1;
    for (let time = 0; time < times; time += 1) this.sheet?.write(this.row + time, this.shown, this.merged);
    this.row += this.rowRepeated;
  }

  private openCell(name: string, attributes: XmlAttributes): void {
    const columns = count(attributes["table:number-columns-spanned"]);
    const rows = count(attributes["table:number-rows-spanned"]);
    const { row, column } = this;
    if (columns > 1 || rows > 1)
      this.merged.push({ top: row, bottom: row + rows - 1, left: column, right: column + columns - 1 });
    this.cell = {
      column,
      repeated: count(attributes["table:number-columns-repeated"]),
      value: attributes["office:string-value"] ?? attributes["office:date-value"] ?? attributes["office:value"] ?? "",
      isCovered: name === "covered-table-cell",
      text: "",
    };
  }

  private closeCell(): void {
    const { cell } = this;
    this.cell = null;
    if (cell === null) return;
    const text = oneLine(cell.text) || oneLine(cell.value);
    const times = cell.repeated <= MOST_REPEATED ? cell.repeated : 1;
    if (text !== "" && !cell.isCovered)
      for (let time = 0; time < times; time += 1) this.shown.push({ column: cell.column + time, text });
    this.column = cell.column + cell.repeated;
  }

  private closeNote(): void {
    const { row, column, note } = this;
    this.note = null;
    if (note !== null) this.notes.add({ row, column }, note.author, note.text);
  }

  private openShape(): void {
    this.shapes += 1;
    this.lines.push("");
  }
}

function count(text: string | undefined): number {
  const number = Number(text ?? 1);
  return Number.isSafeInteger(number) && number > 0 ? number : 1;
}
