/** What the styles of a Word 97-2003 document say of their paragraphs: headings, and the lists they are of. Format: MS-DOC 2.9.260 (styles), 2.9.271. */
import { Modifier, modifiersOf } from "./doc-modifiers.ts";

const TITLE_STYLE = 62;
const NO_STYLE = 0xfff;
const MOST_STYLES = 0xfff;
/** A style that derives from another is followed so far. */
const MOST_ANCESTORS = 12;
const PARAGRAPH_STYLE = 1;
const BODY_LEVEL = 9;
/** Paragraphs that were of a list, in a version of Word before this one. */
const LIST_LEFT = 0xf801;

export interface DocStyle {
  /** 1 to 9; 0: no heading. */
  readonly level: number;
  /** Of the document's lists, from 1 on; 0: none. */
  readonly list: number;
  readonly listLevel: number | undefined;
}

/** What one style says itself; undefined where it leaves that to the one it is based on. */
interface OwnStyle {
  readonly base: number;
  level: number | undefined;
  list: number | undefined;
  listLevel: number | undefined;
}

/** The styles by their numbers. Where they are based on one another in a circle, each has what it says itself and what they say. */
export function stylesOf(structure: Buffer): DocStyle[] {
  if (structure.length < 6) return [];
  const baseBytes = structure.readUInt16LE(4);
  const styles: OwnStyle[] = [];
  for (let at = 2 + structure.readUInt16LE(0); at + 2 <= structure.length && styles.length < MOST_STYLES; ) {
    const size = structure.readUInt16LE(at);
    styles.push(ownStyle(structure.subarray(at + 2, at + 2 + size), baseBytes));
    at += 2 + size + (size & 1);
  }
  return styles.map((style) => inherited(style, styles));
}

/** The heading level that an outline level stands for. */
export function headingLevel(outlineLevel: number): number {
  return outlineLevel < BODY_LEVEL ? outlineLevel + 1 : 0;
}

/** The list that a modifier names; one that is negated only has another indentation. */
export function listOf(value: number): number {
  if (value === LIST_LEFT) return 0;
  return value > 0x7fff ? 0x10000 - value : value;
}

function ownStyle(bytes: Buffer, baseBytes: number): OwnStyle {
  if (bytes.length < 4) return { base: NO_STYLE, level: undefined, list: undefined, listLevel: undefined };
  const id = bytes.readUInt16LE(0) & 0xfff;
  const kind = bytes.readUInt16LE(2);
  const level = id === TITLE_STYLE ? 1 : id >= 1 && id <= 9 ? id : undefined;
  const style: OwnStyle = { base: kind >>> 4, level, list: undefined, listLevel: undefined };
  if ((kind & 0xf) !== PARAGRAPH_STYLE) return style;
  for (const { modifier, value } of modifiersOf(paragraphModifiers(bytes, baseBytes))) {
    if (modifier === Modifier.list) style.list = listOf(value);
    else if (modifier === Modifier.listLevel) style.listLevel = value;
    else if (modifier === Modifier.outlineLevel) style.level ??= headingLevel(value);
  }
  return style;
}

/** What a style says of its paragraphs stands behind its name, and behind the style's own number. */
function paragraphModifiers(bytes: Buffer, baseBytes: number): Buffer {
  const none = Buffer.alloc(0);
  if (baseBytes + 2 > bytes.length) return none;
  const nameEnd = baseBytes + 2 + (bytes.readUInt16LE(baseBytes) + 1) * 2;
  const at = nameEnd + (nameEnd & 1);
  return at + 4 > bytes.length ? none : bytes.subarray(at + 4, at + 2 + bytes.readUInt16LE(at));
}

function inherited(style: OwnStyle, styles: readonly OwnStyle[]): DocStyle {
  let { level, list, listLevel } = style;
  let at = styles[style.base];
  for (let step = 0; at !== undefined && step < MOST_ANCESTORS; step += 1, at = styles[at.base]) {
    level ??= at.level;
    list ??= at.list;
    listLevel ??= at.listLevel;
  }
  return { level: level ?? 0, list: list ?? 0, listLevel };
}
