/** The texts of a slide of a PowerPoint 97-2003 file: what its shapes say, in their order, tables row by row. Format: MS-PPT 2.5 and 2.9, MS-ODRAW 2.2. */
import { type PptRecord, recordsOf } from "./ppt-records.ts";

export const RecordType = {
  slideAtom: 0x03ef,
  slide: 0x03ee,
  notesAtom: 0x03f1,
  slidePersist: 0x03f3,
  slideInfo: 0x03f9,
  slideList: 0x0ff0,
  textHeader: 0x0f9f,
  outlineReference: 0x0f9e,
  characters: 0x0fa0,
  bytes: 0x0fa8,
  string: 0x0fba,
  placeholder: 0x0bc3,
  drawing: 0x040c,
  comment: 0x2ee0,
  group: 0xf003,
  shape: 0xf004,
  textBox: 0xf00d,
  childAnchor: 0xf00f,
  moreProperties: 0xf122,
} as const;

/** What a text is there for. */
export const TextKind = {
  title: 0,
  body: 1,
  notes: 2,
  other: 4,
  centredBody: 5,
  centredTitle: 6,
  half: 7,
  quarter: 8,
} as const;

/** Placeholders of a date, a slide's number, a footer and a header. */
const FURNITURE: ReadonlySet<number> = new Set([7, 8, 9, 10]);
const TABLE_PROPERTY = 0x039f;
const PROPERTY_BYTES = 6;

export interface PptText {
  readonly kind: number;
  readonly text: string;
}

/** A table of the slide, or a text. */
export type PptContent = PptText | { readonly rows: readonly (readonly string[])[] };

/** Texts as they follow one another in a list: each begins with its kind. */
export function textsIn(records: Iterable<PptRecord>): PptText[] {
  const texts: { kind: number; text: string }[] = [];
  for (const { type, data } of records) {
    if (type === RecordType.textHeader)
      texts.push({ kind: data.length < 4 ? TextKind.other : data.readUInt32LE(0), text: "" });
    else if (type !== RecordType.characters && type !== RecordType.bytes) continue;
    else {
      if (texts.length === 0) texts.push({ kind: TextKind.other, text: "" });
      texts.at(-1)!.text += type === RecordType.characters ? data.toString("utf16le") : data.toString("latin1");
    }
  }
  return texts;
}

/** What the shapes in a drawing say. `outline` are the texts of the slide that stand elsewhere, to which shapes refer. */
export function contentsOf(drawing: Buffer, outline: readonly PptText[], depth: number): PptContent[] {
  if (depth === 0) return [];
  const contents: PptContent[] = [];
  for (const { type, isContainer, data } of recordsOf(drawing)) {
    if (type === RecordType.shape) contents.push(...shapeTexts(data, outline));
    else if (type === RecordType.group && isTable(data)) contents.push({ rows: rowsOf(data, outline) });
    else if (isContainer) contents.push(...contentsOf(data, outline, depth - 1));
  }
  return contents;
}

function shapeTexts(shape: Buffer, outline: readonly PptText[]): PptText[] {
  const texts: PptText[] = [];
  for (const { type, isContainer, data } of recordsOf(shape)) {
    if (type === RecordType.textBox) texts.push(...boxTexts(data, outline));
    else if (isContainer)
      for (const record of recordsOf(data))
        if (record.type === RecordType.placeholder && FURNITURE.has(record.data[4] ?? 0)) return [];
  }
  return texts;
}

function boxTexts(box: Buffer, outline: readonly PptText[]): PptText[] {
  const records = [...recordsOf(box)];
  const reference = records.find(({ type }) => type === RecordType.outlineReference);
  const referred =
    reference !== undefined && reference.data.length >= 4 ? outline[reference.data.readUInt32LE(0)] : undefined;
  return referred === undefined ? textsIn(records) : [referred];
}

/** A group's first shape says what holds for the group. */
function isTable(group: Buffer): boolean {
  const first: PptRecord | undefined = recordsOf(group).next().value;
  if (first?.type !== RecordType.shape) return false;
  for (const { type, instance, data } of recordsOf(first.data))
    if (type === RecordType.moreProperties)
      for (let at = 0; at + PROPERTY_BYTES <= data.length && at < instance * PROPERTY_BYTES; at += PROPERTY_BYTES)
        if ((data.readUInt16LE(at) & 0x3fff) === TABLE_PROPERTY) return (data.readUInt32LE(at + 2) & 1) === 1;
  return false;
}

/** Cells that begin at the same height are a row. */
function rowsOf(group: Buffer, outline: readonly PptText[]): string[][] {
  const rows = new Map<number, { left: number; text: string }[]>();
  for (const { type, data } of recordsOf(group)) {
    if (type !== RecordType.shape) continue;
    const records = [...recordsOf(data)];
    const anchor = records.find((record) => record.type === RecordType.childAnchor)?.data;
    // Lines between cells have no text box.
    if (anchor === undefined || anchor.length < 16 || records.every((record) => record.type !== RecordType.textBox))
      continue;
    const text = shapeTexts(data, outline)
      .map((said) => said.text)
      .join("\n");
    const top = anchor.readInt32LE(4);
    const row = rows.get(top) ?? [];
    rows.set(top, row);
    row.push({ left: anchor.readInt32LE(0), text });
  }
  return [...rows.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, cells]) => cells.sort((a, b) => a.left - b.left).map(({ text }) => text));
}
