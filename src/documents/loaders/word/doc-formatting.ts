/**
 * What of a Word 97-2003 document's formatting matters to its text: which paragraphs are headings, list items or in tables, and which characters are
 * deleted or hidden. Format: MS-DOC 2.6 (property modifiers), 2.9.36 and 2.9.175 (formatted pages), 2.9.271 (styles).
 */
import { DocFile, type Piece } from "./doc-file.ts";

const PAGE_BYTES = 512;
const STYLES = 1;
const CHARACTER_PAGES = 12;
const PARAGRAPH_PAGES = 13;
const PARAGRAPH_ENTRY_BYTES = 13;
const NO_STYLE = 0xfff;
const TITLE_STYLE = 62;
const MOST_STYLES = 0xfff;
const BODY_LEVEL = 9;

const Modifier = {
  deleted: 0x0800,
  hidden: 0x083c,
  inTable: 0x2416,
  rowEnd: 0x2417,
  outlineLevel: 0x2640,
  list: 0x460b,
  innerRowEnd: 0x244c,
  style: 0x4600,
  tableDefinition: 0xd608,
  tabs: 0xc615,
} as const;

export interface ParagraphFormat {
  /** 1 to 9; 0: no heading. */
  readonly level: number;
  readonly isListItem: boolean;
  readonly isInTable: boolean;
  /** Its mark ends a row. */
  readonly isRowEnd: boolean;
}

const PLAIN: ParagraphFormat = { level: 0, isListItem: false, isInTable: false, isRowEnd: false };

/** A stretch of the file, in bytes, and what holds for its text. */
interface Run<T> {
  readonly start: number;
  readonly end: number;
  readonly format: T;
}

export class DocFormatting {
  private readonly paragraphs: readonly Run<ParagraphFormat>[];
  private readonly unseen: readonly Run<boolean>[];

  constructor(private readonly file: DocFile) {
    const levels = styleLevels(file.structure(STYLES));
    this.paragraphs = runsOf(file, PARAGRAPH_PAGES, PARAGRAPH_ENTRY_BYTES, (page, at) =>
      paragraphFormat(page, at, levels),
    );
    this.unseen = runsOf(file, CHARACTER_PAGES, 1, isUnseen);
  }

  /** Of the paragraph whose mark stands at the position. */
  paragraphAt(position: number): ParagraphFormat {
    return this.at(this.paragraphs, position) ?? PLAIN;
  }

  /** Whether the character is deleted or hidden. */
  isUnseenAt(position: number): boolean {
    return this.at(this.unseen, position) ?? false;
  }

  private at<T>(runs: readonly Run<T>[], position: number): T | undefined {
    const piece = this.file.pieces[lastIndex(this.file.pieces, position)];
    if (piece === undefined || position >= piece.end) return undefined;
    const offset = piece.offset + (position - piece.start) * piece.characterBytes;
    const run = runs[lastIndex(runs, offset)];
    return run !== undefined && offset < run.end ? run.format : undefined;
  }
}

/** The last of what begins at or before the place; -1 where there is none. */
function lastIndex(items: readonly Pick<Piece | Run<unknown>, "start">[], place: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (items[middle]!.start <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The runs of all formatted pages that a structure lists. `read` is given a page and where in it a run's format lies, 0 for the usual one. */
function runsOf<T>(
  file: DocFile,
  structure: number,
  entryBytes: number,
  read: (page: Buffer, at: number) => T,
): Run<T>[] {
  const table = file.structure(structure);
  const first = DocFile.positions(table, 4).length * 4;
  const runs: Run<T>[] = [];
  const seen = new Set<number>();
  for (let at = first; at + 4 <= table.length; at += 4) {
    const start = (table.readUInt32LE(at) & 0x3fffff) * PAGE_BYTES;
    const page = file.main.subarray(start, start + PAGE_BYTES);
    if (page.length < PAGE_BYTES || seen.has(start)) continue;
    seen.add(start);
    const count = page[PAGE_BYTES - 1]!;
    for (let index = 0; index < count && (count + 1) * 4 + index * entryBytes < PAGE_BYTES; index += 1)
      runs.push({
        start: page.readUInt32LE(index * 4),
        end: page.readUInt32LE(index * 4 + 4),
        format: read(page, page[(count + 1) * 4 + index * entryBytes]! * 2),
      });
  }
  return runs.sort((a, b) => a.start - b.start);
}

function isUnseen(page: Buffer, at: number): boolean {
  let unseen = false;
  if (at > 0)
    for (const { modifier, value } of modifiersOf(page.subarray(at + 1, at + 1 + (page[at] ?? 0))))
      if (modifier === Modifier.deleted || modifier === Modifier.hidden) unseen ||= (value & 1) === 1;
  return unseen;
}

function paragraphFormat(page: Buffer, at: number, levels: readonly number[]): ParagraphFormat {
  if (at === 0) return PLAIN;
  const size = page[at] ?? 0;
  const [start, length] = size === 0 ? [at + 2, (page[at + 1] ?? 0) * 2] : [at + 1, size * 2 - 1];
  const bytes = page.subarray(start, start + length);
  if (bytes.length < 2) return PLAIN;
  const format = { ...PLAIN, level: levels[bytes.readUInt16LE(0)] ?? 0 };
  for (const { modifier, value } of modifiersOf(bytes.subarray(2))) {
    if (modifier === Modifier.style) format.level = levels[value] ?? 0;
    else if (modifier === Modifier.outlineLevel) format.level = value < BODY_LEVEL ? value + 1 : 0;
    else if (modifier === Modifier.list) format.isListItem = value !== 0;
    else if (modifier === Modifier.inTable) format.isInTable = value === 1;
    else if (modifier === Modifier.rowEnd || modifier === Modifier.innerRowEnd) format.isRowEnd ||= value === 1;
  }
  return format;
}

/** Property modifiers with the first two bytes of their operands. */
function* modifiersOf(bytes: Buffer): Generator<{ modifier: number; value: number }> {
  for (let at = 0; at + 3 <= bytes.length; ) {
    const modifier = bytes.readUInt16LE(at);
    const size = operandBytes(modifier, bytes, at + 2);
    yield { modifier, value: size === 1 ? bytes[at + 2]! : bytes[at + 2]! + (bytes[at + 3] ?? 0) * 256 };
    at += 2 + size;
  }
}

function operandBytes(modifier: number, bytes: Buffer, at: number): number {
  const kind = modifier >>> 13;
  if (kind < 2) return 1;
  if (kind === 3) return 4;
  if (kind === 7) return 3;
  if (kind !== 6) return 2;
  if (modifier === Modifier.tableDefinition) return (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256 + 1;
  const size = bytes[at] ?? 0;
  // This one says its size only by what it holds; nothing that matters here follows it.
  return modifier === Modifier.tabs && size === 0xff ? bytes.length : size + 1;
}

/** The heading level of each style; 0 for those that are none. */
function styleLevels(structure: Buffer): number[] {
  if (structure.length < 4) return [];
  const styles: { level: number; base: number }[] = [];
  for (let at = 2 + structure.readUInt16LE(0); at + 2 <= structure.length && styles.length < MOST_STYLES; ) {
    const size = structure.readUInt16LE(at);
    const isThere = size >= 4 && at + 6 <= structure.length;
    const id = isThere ? structure.readUInt16LE(at + 2) & 0xfff : 0;
    const base = isThere ? structure.readUInt16LE(at + 4) >>> 4 : NO_STYLE;
    styles.push({ level: id === TITLE_STYLE ? 1 : id >= 1 && id <= 9 ? id : 0, base });
    at += 2 + size + (size & 1);
  }
  return styles.map((style) => {
    let at: typeof style | undefined = style;
    // A style is based on one of a higher kind; where they go in a circle, none of them is a heading.
    for (let step = 0; at !== undefined && step < 12; step += 1, at = styles[at.base])
      if (at.level > 0) return at.level;
    return 0;
  });
}
