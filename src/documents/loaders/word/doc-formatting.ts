/**
 * What of a Word 97-2003 document's formatting matters to its text: which paragraphs are headings, list items or in tables, and which characters are
 * deleted or hidden. Format: MS-DOC 2.9.36 and 2.9.175 (formatted pages).
 */
import { DocFile, type Piece } from "./doc-file.ts";
import { Modifier, modifiersOf } from "./doc-modifiers.ts";
import { type DocStyle, headingLevel, listOf, stylesOf } from "./doc-styles.ts";

const PAGE_BYTES = 512;
const STYLES = 1;
const CHARACTER_PAGES = 12;
const PARAGRAPH_PAGES = 13;
const PARAGRAPH_ENTRY_BYTES = 13;

export interface ParagraphFormat {
  /** 1 to 9; 0: no heading. */
  readonly level: number;
  /** Of the document's lists, from 1 on; 0: none. */
  readonly list: number;
  /** In its list, from 0 on; undefined where its style says it. */
  readonly listLevel: number | undefined;
  readonly style: number;
  readonly isInTable: boolean;
  /** Its mark ends a row. */
  readonly isRowEnd: boolean;
}

const PLAIN: ParagraphFormat = {
  level: 0,
  list: 0,
  listLevel: undefined,
  style: 0,
  isInTable: false,
  isRowEnd: false,
};

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
    const styles = stylesOf(file.structure(STYLES));
    this.paragraphs = runsOf(file, PARAGRAPH_PAGES, PARAGRAPH_ENTRY_BYTES, (page, at) =>
      paragraphFormat(page, at, styles),
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

function paragraphFormat(page: Buffer, at: number, styles: readonly DocStyle[]): ParagraphFormat {
  if (at === 0) return PLAIN;
  const size = page[at] ?? 0;
  const [start, length] = size === 0 ? [at + 2, (page[at + 1] ?? 0) * 2] : [at + 1, size * 2 - 1];
  const bytes = page.subarray(start, start + length);
  if (bytes.length < 2) return PLAIN;
  const style = bytes.readUInt16LE(0);
  const format = { ...PLAIN, ...styles[style], style };
  for (const { modifier, value } of modifiersOf(bytes.subarray(2))) {
    if (modifier === Modifier.style) Object.assign(format, styles[value], { style: value });
    else if (modifier === Modifier.outlineLevel) format.level = headingLevel(value);
    else if (modifier === Modifier.list) format.list = listOf(value);
    else if (modifier === Modifier.listLevel) format.listLevel = value;
    else if (modifier === Modifier.inTable) format.isInTable = value === 1;
    else if (modifier === Modifier.rowEnd || modifier === Modifier.innerRowEnd) format.isRowEnd ||= value === 1;
  }
  return format;
}
