/** One sheet of an Excel 97-2003 workbook: its cells by rows, merged ranges, comments and the texts of its shapes. Format: MS-XLS 2.1.7.20.5. */
import { BiffReader, type BiffRecord, biffRecords } from "./biff-records.ts";
import type { BiffWorkbook } from "./biff-workbook.ts";
import { CellNotes } from "./cell-notes.ts";
import { errorText, smallNumber } from "./cell-values.ts";
import type { MergedRange } from "./merged-cells.ts";
import type { ShownCell } from "./sheet-writer.ts";

const Type = {
  begin: 0x809,
  end: 0x0a,
  formula: 0x06,
  formulaText: 0x207,
  number: 0x203,
  label: 0x204,
  richLabel: 0xd6,
  truth: 0x205,
  small: 0x27e,
  smalls: 0xbd,
  sharedLabel: 0xfd,
  merged: 0xe5,
  note: 0x1c,
  object: 0x5d,
  shapeText: 0x1b6,
} as const;

const NOTE_OBJECT = 0x19;
const COLUMNS = 256;

export class BiffCells {
  readonly rows = new Map<number, ShownCell[]>();
  readonly merged: MergedRange[] = [];
  readonly notes = new CellNotes();
  /** Texts of shapes that are not comments. */
  readonly lines: string[] = [];
  /** How far into the stream it was read. */
  end = 0;
  /** Comments' texts by their objects' numbers. */
  private readonly noteTexts = new Map<number, string>();
  private object = { number: -1, isNote: false };
  /** The cell whose formula's text comes next. */
  private awaiting: { row: number; column: number } | null = null;

  private constructor(private readonly workbook: BiffWorkbook) {}

  static async read(workbook: BiffWorkbook, stream: Buffer, at: number): Promise<BiffCells> {
    const cells = new BiffCells(workbook);
    // Charts lie within a sheet as sheets do.
    let depth = 0;
    for (const record of biffRecords(stream, at)) {
      cells.end = record.at;
      if (record.type === Type.begin) depth += 1;
      else if (record.type === Type.end) depth -= 1;
      else if (depth === 1) await cells.take(record);
      if (depth === 0) break;
    }
    return cells;
  }

  private async take({ type, data, parts }: BiffRecord): Promise<void> {
    const cell = () => ({ row: data.readUInt16LE(0), column: data.readUInt16LE(2), format: data.readUInt16LE(4) });
    if (type === Type.number) this.addNumber(cell(), data.readDoubleLE(6));
    else if (type === Type.small) this.addNumber(cell(), smallNumber(data.readUInt32LE(6)));
    else if (type === Type.smalls) this.addNumbers(data);
    else if (type === Type.sharedLabel) this.add(cell(), this.workbook.strings[data.readUInt32LE(6)] ?? "");
    else if (type === Type.label || type === Type.richLabel) this.add(cell(), await this.workbook.text(data, 6, 2));
    else if (type === Type.truth) this.add(cell(), data[7] === 1 ? errorText(data[6]) : truthText(data[6]));
    else if (type === Type.formula) this.addResult(cell(), data);
    else if (type === Type.formulaText) await this.addFormulaText(data, parts);
    else if (type === Type.merged) this.addMerged(data);
    else if (type === Type.object && data.length >= 8)
      this.object = { number: data.readUInt16LE(6), isNote: data.readUInt16LE(4) === NOTE_OBJECT };
    else if (type === Type.shapeText) this.addShapeText(parts);
    else if (type === Type.note) await this.addNote(data);
  }

  private addNumber(cell: { row: number; column: number; format: number }, value: number): void {
    this.add(cell, this.workbook.shown(value, cell.format));
  }

  private addNumbers(data: Buffer): void {
    const row = data.readUInt16LE(0);
    let column = data.readUInt16LE(2);
    for (let at = 4; at + 6 < data.length; at += 6, column += 1)
      this.addNumber({ row, column, format: data.readUInt16LE(at) }, smallNumber(data.readUInt32LE(at + 2)));
  }

  /** What a formula gave: a number, or a mark of what else. */
  private addResult(cell: { row: number; column: number; format: number }, data: Buffer): void {
    if (data.readUInt16LE(12) !== 0xffff) return this.addNumber(cell, data.readDoubleLE(6));
    if (data[6] === 0) this.awaiting = cell;
    else if (data[6] === 1) this.add(cell, truthText(data[8]));
    else if (data[6] === 2) this.add(cell, errorText(data[8]));
  }

  private async addFormulaText(data: Buffer, parts: readonly Buffer[]): Promise<void> {
    if (this.awaiting === null) return;
    const { isUnicode } = this.workbook;
    const text = isUnicode
      ? new BiffReader(parts, 2).string(data.readUInt16LE(0))
      : await this.workbook.text(data, 0, 2);
    this.add(this.awaiting, text);
    this.awaiting = null;
  }

  private addMerged(data: Buffer): void {
    for (let at = 2; at + 8 <= data.length; at += 8)
      this.merged.push({
        top: data.readUInt16LE(at) + 1,
        bottom: data.readUInt16LE(at + 2) + 1,
        left: data.readUInt16LE(at + 4),
        right: data.readUInt16LE(at + 6),
      });
  }

  private addShapeText(parts: readonly Buffer[]): void {
    const length = parts[0]!.length < 12 ? 0 : parts[0]!.readUInt16LE(10);
    if (length === 0 || parts[1] === undefined) return;
    // The characters go on in records of their own, each with the mark of its width.
    const reader = new BiffReader(parts.slice(1), 1);
    const text = reader.characters(length, (parts[1][0] ?? 0) === 1).replaceAll("\r", "\n");
    if (this.object.isNote) this.noteTexts.set(this.object.number, text);
    else this.lines.push(text);
  }

  private async addNote(data: Buffer): Promise<void> {
    const cell = { row: data.readUInt16LE(0) + 1, column: data.readUInt16LE(2) };
    if (!this.workbook.isUnicode) {
      const bytes = Buffer.concat([data.subarray(4, 6), data.subarray(6)]);
      return this.notes.add(cell, "", await this.workbook.text(bytes, 0, 2));
    }
    const author = await this.workbook.text(data, 8, 2);
    this.notes.add(cell, author, this.noteTexts.get(data.readUInt16LE(6)) ?? "");
  }

  private add({ row, column }: { row: number; column: number }, text: string): void {
    if (text === "" || column >= COLUMNS) return;
    const cells = this.rows.get(row + 1);
    if (cells === undefined) this.rows.set(row + 1, [{ column, text }]);
    else cells.push({ column, text });
  }
}

function truthText(value: number | undefined): string {
  return value === 1 ? "TRUE" : "FALSE";
}
