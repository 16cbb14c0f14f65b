/** The sheets of a workbook in SpreadsheetML, read row by row and never held whole. */
import { oneLine } from "../../clean-text.ts";
import { qualified, type XmlAttributes, type XmlHandler } from "../office/xml.ts";
import { CellNotes } from "./cell-notes.ts";
import type { MergedRange } from "./merged-cells.ts";
import type { NumberFormatter } from "./number-format.ts";
import type { SheetWriter, ShownCell } from "./sheet-writer.ts";

/** Formats that have names instead of signs; those of days and times are shown as anywhere. */
const NAMED_FORMATS: ReadonlyMap<string, string> = new Map([
  ["General Number", "General"],
  ["General Date", "yyyy-mm-dd hh:mm"],
  ["Short Date", "yyyy-mm-dd"],
  ["Medium Date", "yyyy-mm-dd"],
  ["Long Date", "yyyy-mm-dd"],
  ["Short Time", "hh:mm"],
  ["Medium Time", "hh:mm"],
  ["Long Time", "hh:mm:ss"],
  ["Currency", "#,##0.00"],
  ["Euro Currency", "#,##0.00 €"],
  ["Fixed", "0.00"],
  ["Standard", "#,##0.00"],
  ["Percent", "0.00%"],
  ["Scientific", "0.00E+00"],
  ["Yes/No", '"Yes";"Yes";"No"'],
  ["True/False", '"True";"True";"False"'],
  ["On/Off", '"On";"On";"Off"'],
]);
const GENERAL = "General";
/** The style of cells that name none. */
const DEFAULT_STYLE = "Default";
const MILLISECONDS_A_DAY = 86_400_000;
/** The number of 1 January 1970 among the days of spreadsheets. */
const DAY_OF_1970 = 25_569;
/** Before it days have the number before: spreadsheets count 29 February 1900, which never was. */
const FIRST_OF_MARCH_1900 = 61;

/** Begins a sheet. */
export type BeginSheet = (name: string, notes: CellNotes) => SheetWriter;

interface Cell {
  readonly style: string;
  type: string;
  value: string;
}

export class SpreadsheetMlSheets implements XmlHandler {
  /** Formats by the names of the styles that have them. */
  private readonly formats = new Map<string, string>();
  private style = "";
  private sheet: SheetWriter | null = null;
  private notes = new CellNotes();
  private row = 0;
  private rowStyle = "";
  /** Rows that are the same but hold nothing. */
  private span = 0;
  private column = -1;
  /** Columns over which the last cell is merged. */
  private across = 0;
  private shown: ShownCell[] = [];
  private merged: MergedRange[] = [];
  private cell: Cell | null = null;
  private comment: { readonly author: string; text: string } | null = null;
  private isData = false;

  constructor(
    private readonly format: NumberFormatter,
    private readonly begin: BeginSheet,
  ) {}

  open(name: string, attributes: XmlAttributes): void {
    if (name === "Style") this.style = qualified(attributes, "ID") ?? "";
    else if (name === "NumberFormat") this.formats.set(this.style, qualified(attributes, "Format") ?? "");
    else if (name === "Worksheet") this.openSheet(attributes);
    else if (name === "Row") this.openRow(attributes);
    else if (name === "Cell") this.openCell(attributes);
    else if (name === "Comment") this.comment = { author: qualified(attributes, "Author") ?? "", text: "" };
    else if (name === "Data") this.openData(attributes);
  }

  text(text: string): void {
    if (!this.isData) return;
    if (this.comment !== null) this.comment.text += text;
    else if (this.cell !== null) this.cell.value += text;
  }

  close(name: string): void {
    if (name === "Data") this.isData = false;
    else if (name === "Comment") this.closeComment();
    else if (name === "Cell") this.closeCell();
    else if (name === "Row") this.sheet?.write(this.row, this.shown, this.merged);
    else if (name === "Worksheet") this.closeSheet();
  }

  private openSheet(attributes: XmlAttributes): void {
    const name = qualified(attributes, "Name");
    if (name === undefined) return;
    this.closeSheet();
    this.notes = new CellNotes();
    this.row = this.span = 0;
    this.sheet = this.begin(name, this.notes);
  }

  private closeSheet(): void {
    this.sheet?.finish();
    this.sheet = null;
  }

  private openRow(attributes: XmlAttributes): void {
    // Rows that say where they are stand below the one before all the same.
    this.row = Math.max(number(attributes, "Index"), this.row + this.span + 1);
    this.span = number(attributes, "Span");
    this.rowStyle = qualified(attributes, "StyleID") ?? "";
    this.column = -1;
    this.across = 0;
    this.shown = [];
    this.merged = [];
  }

  private openCell(attributes: XmlAttributes): void {
    this.column = Math.max(number(attributes, "Index") - 1, this.column + this.across + 1);
    this.across = number(attributes, "MergeAcross");
    const { row, column, across } = this;
    const down = number(attributes, "MergeDown");
    if (across > 0 || down > 0)
      this.merged.push({ top: row, bottom: row + down, left: column, right: column + across });
    this.cell = { style: qualified(attributes, "StyleID") ?? this.rowStyle, type: "", value: "" };
  }

  private openData(attributes: XmlAttributes): void {
    this.isData = true;
    if (this.cell !== null && this.comment === null) this.cell.type = qualified(attributes, "Type") ?? "";
  }

  private closeCell(): void {
    const { cell, column } = this;
    this.cell = null;
    const text = cell === null ? "" : oneLine(this.shownText(cell));
    if (text !== "") this.shown.push({ column, text });
  }

  private closeComment(): void {
    const { comment, row, column } = this;
    this.comment = null;
    if (comment !== null && column >= 0) this.notes.add({ row, column }, comment.author, comment.text);
  }

  private shownText({ style, type, value }: Cell): string {
    if (value === "") return "";
    if (type === "Boolean") return value.trim() === "1" ? "TRUE" : "FALSE";
    const named = this.formats.get(style || DEFAULT_STYLE) || GENERAL;
    const format = NAMED_FORMATS.get(named) ?? named;
    if (type === "Number" && Number.isFinite(Number(value))) return this.format(Number(value), format);
    const day = type === "DateTime" ? dayNumber(value) : null;
    if (day === null) return value;
    return this.format(day, format === GENERAL ? habitual(day) : format);
  }
}

/** A moment as ISO 8601 has it, in the days of spreadsheets; null for what is none. */
function dayNumber(text: string): number | null {
  const days = Date.parse(`${text.trim().slice(0, 40)}Z`) / MILLISECONDS_A_DAY + DAY_OF_1970;
  if (Number.isNaN(days)) return null;
  return days < FIRST_OF_MARCH_1900 ? days - 1 : days;
}

function habitual(day: number): string {
  return Number.isInteger(day) ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm";
}

/** 0 where it is not said. */
function number(attributes: XmlAttributes, name: string): number {
  const value = Number(qualified(attributes, name));
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}
