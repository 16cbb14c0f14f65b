/**
 * Excel's binary workbooks (.xlsb): packages as .xlsx is one, whose parts are records in place of elements. Format: MS-XLSB 2.1.4 and 2.4.
 */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { CellNotes } from "./cell-notes.ts";
import { errorText, smallNumber } from "./cell-values.ts";
import type { MergedRange } from "./merged-cells.ts";
import { numberFormatter } from "./number-format.ts";
import { mainPart, related, relationsOf } from "../office/office-relations.ts";
import { oneLine } from "../../clean-text.ts";
import { CellBudget, SheetWriter, type ShownCell } from "./sheet-writer.ts";
import type { DocumentPackage } from "../office/document-package.ts";

const Type = {
  row: 0,
  small: 2,
  lastCell: 11,
  lastShortCell: 18,
  stringItem: 19,
  format: 44,
  cellFormat: 47,
  properties: 153,
  sheet: 156,
  merged: 176,
  beginCellFormats: 617,
  endCellFormats: 618,
  author: 632,
  comment: 635,
  commentText: 637,
} as const;

/** Texts of cells, and what they show of a value of each type; formulas follow their results. */
type CellReader = (data: Buffer, format: number) => string;

interface XlsbRecord {
  readonly type: number;
  readonly data: Buffer;
}

/** The records of a part; one that is cut off is left out. */
function* recordsOf(part: Uint8Array | null): Generator<XlsbRecord> {
  const bytes = Buffer.from(part ?? []);
  for (let at = 0; at + 2 <= bytes.length; ) {
    let type = bytes[at++]!;
    if (type >= 0x80) type = (type & 0x7f) | ((bytes[at++] ?? 0) << 7);
    let length = 0;
    for (let shift = 0; shift < 28 && at < bytes.length; shift += 7) {
      const byte = bytes[at++]!;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (at + length > bytes.length) return;
    yield { type, data: bytes.subarray(at, at + length) };
    at += length;
  }
}

/** Characters behind their number, which is at the place. */
function wideString(data: Buffer, at: number): string {
  return data.toString("utf16le", at + 4, at + 4 + data.readUInt32LE(at) * 2);
}

/** Writes all sheets of a binary workbook. */
export async function writeXlsb(parts: DocumentPackage, content: Content, blocks: BlockCollector): Promise<void> {
  const main = mainPart(parts, "xl/workbook.bin");
  const relations = relationsOf(parts, main);
  const records = [...recordsOf(parts.read(main))];
  const properties = records.find(({ type }) => type === Type.properties)?.data;
  const [strings] = related(relations, "sharedStrings");
  const [styles] = related(relations, "styles");
  const readers = await cellReaders(
    strings === undefined ? [] : stringsOf(parts.read(strings)),
    styles === undefined ? [] : formatsOf(parts.read(styles)),
    ((properties?.[0] ?? 0) & 1) === 1,
  );
  const budget = new CellBudget(content);
  for (const { type, data } of records) {
    if (type !== Type.sheet) continue;
    const id = wideString(data, 8);
    const part = relations.get(id)?.target;
    const name = wideString(data, 12 + id.length * 2);
    const bytes = part === undefined ? null : parts.read(part);
    if (part === undefined || bytes === null) continue;
    const sheet = { name, isHidden: data.readUInt32LE(0) !== 0, merged: mergedIn(bytes), notes: notesOf(parts, part) };
    writeRows(bytes, readers, new SheetWriter(content, blocks, sheet, budget));
  }
}

function writeRows(part: Uint8Array, readers: ReadonlyMap<number, CellReader>, writer: SheetWriter): void {
  let row = 0;
  let column = -1;
  let shown: ShownCell[] = [];
  for (const { type, data } of recordsOf(part)) {
    if (type === Type.row) {
      if (row > 0) writer.write(row, shown);
      row = data.readUInt32LE(0) + 1;
      shown = [];
      column = -1;
    } else if (type <= Type.lastShortCell && data.length >= 4) {
      // A short cell follows on the one before and does not say its column.
      const isShort = type > Type.lastCell;
      const cell = isShort ? Buffer.concat([Buffer.alloc(4), data]) : data;
      if (cell.length < 8) continue;
      column = isShort ? column + 1 : Math.max(column + 1, data.readUInt32LE(0));
      const read = readers.get(isShort ? type - Type.lastCell : type);
      const text = read?.(cell, cell.readUInt32LE(4) & 0xffffff) ?? "";
      if (text !== "") shown.push({ column, text });
    }
  }
  if (row > 0) writer.write(row, shown);
  writer.finish();
}

async function cellReaders(
  strings: readonly string[],
  formats: readonly (string | number)[],
  from1904: boolean,
): Promise<Map<number, CellReader>> {
  const show = await numberFormatter(from1904);
  const number = (value: number, format: number) => show(value, formats[format] ?? 0);
  const error: CellReader = (data) => errorText(data[8]);
  const truth: CellReader = (data) => (data[8] === 1 ? "TRUE" : "FALSE");
  const real: CellReader = (data, format) => number(data.readDoubleLE(8), format);
  const text: CellReader = (data) => wideString(data, 8);
  return new Map<number, CellReader>([
    [Type.small, (data, format) => number(smallNumber(data.readUInt32LE(8)), format)],
    [3, error],
    [4, truth],
    [5, real],
    [6, text],
    [7, (data) => strings[data.readUInt32LE(8)] ?? ""],
    [8, text],
    [9, real],
    [10, truth],
    [Type.lastCell, error],
  ]);
}

function stringsOf(part: Uint8Array | null): string[] {
  const strings: string[] = [];
  for (const { type, data } of recordsOf(part))
    if (type === Type.stringItem) strings.push(oneLine(wideString(data, 1)));
  return strings;
}

function formatsOf(part: Uint8Array | null): (string | number)[] {
  const own = new Map<number, string>();
  const formats: (string | number)[] = [];
  let isCell = false;
  for (const { type, data } of recordsOf(part)) {
    if (type === Type.format) own.set(data.readUInt16LE(0), wideString(data, 2));
    else if (type === Type.beginCellFormats) isCell = true;
    else if (type === Type.endCellFormats) isCell = false;
    else if (type === Type.cellFormat && isCell) formats.push(own.get(data.readUInt16LE(2)) ?? data.readUInt16LE(2));
  }
  return formats;
}

function mergedIn(part: Uint8Array): MergedRange[] {
  const ranges: MergedRange[] = [];
  for (const { type, data } of recordsOf(part))
    if (type === Type.merged)
      ranges.push({
        top: data.readUInt32LE(0) + 1,
        bottom: data.readUInt32LE(4) + 1,
        left: data.readUInt32LE(8),
        right: data.readUInt32LE(12),
      });
  return ranges;
}

function notesOf(parts: DocumentPackage, sheet: string): CellNotes["byRow"] {
  const notes = new CellNotes();
  for (const part of related(relationsOf(parts, sheet), "comments")) {
    const authors: string[] = [];
    let cell = { row: 1, column: 0 };
    let author = "";
    for (const { type, data } of recordsOf(parts.read(part))) {
      if (type === Type.author) authors.push(wideString(data, 0));
      else if (type === Type.comment) {
        author = authors[data.readUInt32LE(0)] ?? "";
        cell = { row: data.readUInt32LE(4) + 1, column: data.readUInt32LE(12) };
      } else if (type === Type.commentText) notes.add(cell, author, wideString(data, 1));
    }
  }
  return notes.byRow;
}
