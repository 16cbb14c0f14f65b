/**
 * The numbers of a Word 97-2003 document's lists and headings as they are printed.
 * Format: MS-DOC 2.9.150 (lists), 2.9.147 (levels), 2.9.131 to 2.9.133 (what paragraphs refer to, and where those begin anew).
 */
import type { NumberStyle } from "../office/list-numbers.ts";
import {
  LIST_LEVELS,
  ListCounter,
  type ListLevel,
  LONGEST_LEVEL_TEXT,
  type NumberedList,
} from "../office/numbered-lists.ts";
import type { DocFile } from "./doc-file.ts";

const LISTS = 73;
const REFERENCES = 74;
const LIST_BYTES = 28;
const LEVEL_BYTES = 28;
const REFERENCE_BYTES = 16;
const OVERRIDE_BYTES = 8;
/** Word writes no more. */
const MOST_REFERENCES = 0x7fe;
const NO_STYLE = 0xfff;
const Flag = { simpleList: 1, legal: 4, noRestart: 8, begins: 0x10, hasOwnLevel: 0x20 } as const;
const BULLET = 23;
const NO_NUMBER = 255;
const NUMBER_STYLES: ReadonlyMap<number, NumberStyle> = new Map([
  [1, "ROMAN"],
  [2, "roman"],
  [3, "LETTER"],
  [4, "letter"],
  [22, "padded"],
]);

/** A list that is described: its levels, and the style whose paragraphs are of each. */
interface Described {
  readonly levels: ReadonlyMap<number, ListLevel>;
  readonly styles: readonly number[];
}

interface Referred extends NumberedList {
  readonly styles: readonly number[];
}

export class DocLists {
  private readonly counter = new ListCounter();
  private readonly lists: readonly (Referred | undefined)[];

  constructor(file: DocFile) {
    this.lists = referredLists(file.structure(REFERENCES), describedLists(file.structureAndRest(LISTS)));
  }

  /**
   * What stands before the next paragraph: "" for a bullet, null where its list is not described. Lists count from 1; a level that
   * is not said is that of the paragraph's style.
   */
  next(list: number, level: number | undefined, style: number): string | null {
    const found = this.lists[list - 1];
    if (found === undefined) return null;
    return this.counter.next(found, level ?? Math.max(0, found.styles.indexOf(style)));
  }
}

/** The lists by their identities. Their levels follow all of them. What is cut off is left out. */
function describedLists(bytes: Buffer): Map<number, Described> {
  const lists = new Map<number, Described>();
  if (bytes.length < 2) return lists;
  const count = Math.min(bytes.readUInt16LE(0), Math.floor((bytes.length - 2) / LIST_BYTES));
  let at = 2 + count * LIST_BYTES;
  for (let index = 0; index < count; index += 1) {
    const list = bytes.subarray(2 + index * LIST_BYTES, 2 + (index + 1) * LIST_BYTES);
    const levels = new Map<number, ListLevel>();
    const expected = (list[26]! & Flag.simpleList) === 0 ? LIST_LEVELS : 1;
    for (let number = 0; number < expected; number += 1) {
      const read = levelAt(bytes, at);
      if (read === null) return lists;
      levels.set(number, read.level);
      at = read.end;
    }
    const styles = Array.from({ length: LIST_LEVELS }, (_, number) => list.readUInt16LE(8 + number * 2));
    lists.set(list.readUInt32LE(0), { levels, styles: styles.map((style) => (style === NO_STYLE ? -1 : style)) });
  }
  return lists;
}

/** What paragraphs refer to, in order; what is said of where each begins anew follows all of them. */
function referredLists(bytes: Buffer, described: ReadonlyMap<number, Described>): (Referred | undefined)[] {
  if (bytes.length < 4) return [];
  const count = Math.min(bytes.readUInt32LE(0), MOST_REFERENCES, Math.floor((bytes.length - 4) / REFERENCE_BYTES));
  const lists: (Referred | undefined)[] = [];
  let at: number | null = 4 + count * REFERENCE_BYTES;
  for (let index = 0; index < count; index += 1) {
    const reference = bytes.subarray(4 + index * REFERENCE_BYTES);
    const id = reference.readUInt32LE(0);
    const list = described.get(id);
    const levels = new Map(list?.levels);
    const starts = new Map<number, number>();
    if (at !== null) at = readOverrides(bytes, at + 4, reference[12]!, levels, starts);
    lists.push(list === undefined ? undefined : { kind: String(id), levels, styles: list.styles, starts });
  }
  return lists;
}

/** Where what follows begins; null where it is cut off. */
function readOverrides(
  bytes: Buffer,
  from: number,
  count: number,
  levels: Map<number, ListLevel>,
  starts: Map<number, number>,
): number | null {
  let at = from;
  for (let index = 0; index < count; index += 1) {
    if (at + OVERRIDE_BYTES > bytes.length) return null;
    const start = bytes.readInt32LE(at);
    const flags = bytes[at + 4]!;
    const number = flags & 0xf;
    at += OVERRIDE_BYTES;
    if ((flags & Flag.hasOwnLevel) === 0) {
      if ((flags & Flag.begins) !== 0) starts.set(number, start);
      continue;
    }
    const read = levelAt(bytes, at);
    if (read === null) return null;
    levels.set(number, read.level);
    if ((flags & Flag.begins) !== 0) starts.set(number, read.level.start);
    at = read.end;
  }
  return at;
}

function levelAt(bytes: Buffer, at: number): { level: ListLevel; end: number } | null {
  if (at + LEVEL_BYTES > bytes.length) return null;
  const textAt = at + LEVEL_BYTES + bytes[at + 24]! + bytes[at + 25]!;
  if (textAt + 2 > bytes.length) return null;
  const end = textAt + 2 + bytes.readUInt16LE(textAt) * 2;
  if (end > bytes.length) return null;
  const format = bytes[at + 4]!;
  const flags = bytes[at + 5]!;
  const text = bytes.toString("utf16le", textAt + 2, Math.min(end, textAt + 2 + LONGEST_LEVEL_TEXT * 2));
  return {
    level: {
      start: bytes.readInt32LE(at),
      style: format === BULLET ? null : (NUMBER_STYLES.get(format) ?? "decimal"),
      text: marked(text, format === NO_NUMBER),
      isLegal: (flags & Flag.legal) !== 0,
      restarts: (flags & Flag.noRestart) === 0 || bytes[at + 26]! > 0,
    },
    end,
  };
}

/** Characters that stand for the numbers of levels, as signs. */
function marked(text: string, isWithoutNumber: boolean): string {
  return Array.from(text, (character) => {
    if (character >= "\t") return character;
    return isWithoutNumber ? "" : `%${character.charCodeAt(0) + 1}`;
  }).join("");
}
