/** One sheet of an Excel workbook (.xlsx), read row by row and never held whole. */
import { cellRange, cellReference } from "./cell-reference.ts";
import type { MergedRange } from "./merged-cells.ts";
import type { ShownCell } from "./sheet-writer.ts";
import type { XmlAttributes, XmlHandler } from "../office/xml.ts";
import { StringReader, unescaped, type XlsxWorkbook } from "./xlsx-workbook.ts";

/** Tells of each row of a sheet that holds anything, from the top. */
export class XlsxRows implements XmlHandler {
  private row = 0;
  private column = -1;
  private shown: ShownCell[] = [];
  private type = "n";
  private style = 0;
  private isValue = false;
  private value = "";
  private readonly string = new StringReader();

  constructor(
    private readonly workbook: XlsxWorkbook,
    private readonly write: (row: number, shown: readonly ShownCell[]) => void,
  ) {}

  open(name: string, attributes: XmlAttributes): void {
    if (name === "row") {
      this.row = rowNumber(attributes.r) ?? this.row + 1;
      this.column = -1;
      this.shown = [];
    } else if (name === "c") this.openCell(attributes);
    else if (name === "v") this.isValue = true;
    else this.string.open(name);
  }

  text(text: string): void {
    if (this.isValue) this.value += text;
    else this.string.text(text);
  }

  close(name: string): void {
    if (name === "v") this.isValue = false;
    else if (name === "c") this.closeCell();
    else if (name === "row") this.write(this.row, this.shown);
    else this.string.close(name);
  }

  private openCell({ r = "", t = "n", s = "0" }: XmlAttributes): void {
    // Cells without a reference, or to the left of the one before, follow on that.
    this.column = Math.max(cellReference(r)?.column ?? 0, this.column + 1);
    this.type = t;
    this.style = Number(s);
    this.value = "";
    this.string.begin();
  }

  private closeCell(): void {
    const text = this.shownText();
    if (text !== "") this.shown.push({ column: this.column, text });
  }

  private shownText(): string {
    const { type, value, workbook } = this;
    if (type === "inlineStr") return this.string.end();
    if (value === "") return "";
    if (type === "s") return workbook.strings[Number(value)] ?? "";
    if (type === "b") return value.trim() === "1" || value.trim() === "true" ? "TRUE" : "FALSE";
    const number = type === "n" ? Number(value) : Number.NaN;
    return Number.isNaN(number) ? unescaped(value) : workbook.format(number, workbook.formats[this.style] ?? 0);
  }
}

/** The merged cells of a sheet; they stand behind its rows. */
export function mergedRanges(sheet: string): MergedRange[] {
  const behind = sheet.slice(Math.max(0, sheet.lastIndexOf("sheetData")));
  const ranges = behind.matchAll(/<(?:\w{1,40}:)?mergeCell\s[^<>]*?\bref\s*=\s*["']([A-Z\d:$]{1,24})["']/g);
  return [...ranges].flatMap(([, ref]) => cellRange(ref!) ?? []);
}

function rowNumber(text: string | undefined): number | null {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
