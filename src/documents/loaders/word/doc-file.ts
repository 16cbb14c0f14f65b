/**
 * A Word 97-2003 document as it lies in its streams: where its stories are and what their characters are.
 * Format: MS-DOC 2.5 (the file information block) and 2.8.35 (the piece table).
 */
import type { Content } from "../../content.ts";
import type { CompoundStreams } from "../office/compound-streams.ts";

const IDENTIFIER = 0xa5ec;
/** Word 97 is the first version whose text is described as here. */
const FIRST_VERSION = 0xc1;
const ENCRYPTED = 0x0100;
const TABLE_1 = 0x0200;
const PIECES = 33;
const PIECE_BYTES = 8;
const EIGHT_BIT = 0x40000000;
const FORMATTING = 1;
const PIECE_TABLE = 2;

/** Text that lies together in the file. Positions count characters; offsets count bytes. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly characterBytes: 1 | 2;
}

/** Where a story begins and ends, in characters. */
export interface Story {
  readonly start: number;
  readonly end: number;
}

export type StoryName = "body" | "footnotes" | "headers" | "comments" | "endnotes" | "textBoxes" | "headerTextBoxes";

/** Offsets of the stories' lengths in the file information block, in the order in which they follow one another. */
const STORY_LENGTHS: readonly (readonly [StoryName | null, number])[] = [
  ["body", 0x4c],
  ["footnotes", 0x50],
  ["headers", 0x54],
  [null, 0x58],
  ["comments", 0x5c],
  ["endnotes", 0x60],
  ["textBoxes", 0x64],
  ["headerTextBoxes", 0x68],
];

export class DocFile {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly stories: Readonly<Record<StoryName, Story>>;

  private constructor(
    content: Content,
    readonly main: Buffer,
    private readonly table: Buffer,
  ) {
    this.pieces = piecesOf(this.structure(PIECES));
    const { maxTextCharacters } = content.limits;
    if ((this.pieces.at(-1)?.end ?? 0) > maxTextCharacters)
      throw content.overLimit(`it holds more than ${maxTextCharacters} characters of text`);
    this.text = this.pieces.map((piece) => textOf(main, piece)).join("");
    this.stories = storiesOf(main, this.text.length);
  }

  /** Throws UNREADABLE_FILE for versions that are not read, and for encrypted documents. */
  static open(content: Content, streams: CompoundStreams): DocFile {
    const main = streams.get("worddocument") ?? Buffer.alloc(0);
    const isOther = main.readUInt16LE(0) !== IDENTIFIER || main.readUInt16LE(2) < FIRST_VERSION;
    if (isOther) throw content.unreadable("it was made by Word 95 or older; open it in Word and save it as .docx");
    const flags = main.readUInt16LE(0x0a);
    if ((flags & ENCRYPTED) !== 0) throw content.unreadable("it is protected with a password");
    const table = streams.get((flags & TABLE_1) === 0 ? "0table" : "1table");
    if (table === undefined) throw content.unreadable("a part of it is missing");
    return new DocFile(content, main, table);
  }

  /** One of the structures that the file information block points to, by its number there; empty where there is none. */
  structure(number: number): Buffer {
    const at = 0x9a + number * 8;
    const start = this.main.readUInt32LE(at);
    return this.table.subarray(start, start + this.main.readUInt32LE(at + 4));
  }

  /** A structure with all that lies behind it, where parts of it do not count towards its size; empty where there is none. */
  structureAndRest(number: number): Buffer {
    const at = 0x9a + number * 8;
    return this.main.readUInt32LE(at + 4) === 0 ? Buffer.alloc(0) : this.table.subarray(this.main.readUInt32LE(at));
  }

  /** Positions and what is said at each, where a structure lists them: one position more than there are entries. */
  static positions(structure: Buffer, entryBytes: number): number[] {
    const count = Math.floor((structure.length - 4) / (4 + entryBytes));
    return Array.from({ length: Math.max(0, count + 1) }, (_, index) => structure.readUInt32LE(index * 4));
  }
}

function piecesOf(structure: Buffer): Piece[] {
  let at = 0;
  while (structure[at] === FORMATTING) at += 3 + structure.readUInt16LE(at + 1);
  if (structure[at] !== PIECE_TABLE) throw new Error("the piece table is missing");
  const table = structure.subarray(at + 5, at + 5 + structure.readUInt32LE(at + 1));
  const positions = DocFile.positions(table, PIECE_BYTES);
  const pieces: Piece[] = [];
  let end = 0;
  for (let index = 0; index + 1 < positions.length; index += 1) {
    const length = positions[index + 1]! - positions[index]!;
    if (positions[index] !== end || length < 0) throw new Error("the piece table is damaged");
    const packed = table.readUInt32LE(positions.length * 4 + index * PIECE_BYTES + 2);
    const isEightBit = (packed & EIGHT_BIT) !== 0;
    const offset = packed & ~(EIGHT_BIT | 0x80000000);
    pieces.push({
      start: end,
      end: end + length,
      offset: isEightBit ? offset >>> 1 : offset,
      characterBytes: isEightBit ? 1 : 2,
    });
    end += length;
  }
  return pieces;
}

function textOf(main: Buffer, { start, end, offset, characterBytes }: Piece): string {
  const bytes = main.subarray(offset, offset + (end - start) * characterBytes);
  if (bytes.length !== (end - start) * characterBytes) throw new Error("a piece of the text is missing");
  return characterBytes === 2 ? bytes.toString("utf16le") : new TextDecoder("windows-1252").decode(bytes);
}

function storiesOf(main: Buffer, length: number): Record<StoryName, Story> {
  const stories: Partial<Record<StoryName, Story>> = {};
  let start = 0;
  for (const [name, at] of STORY_LENGTHS) {
    const end = Math.min(length, start + main.readUInt32LE(at));
    if (name !== null) stories[name] = { start, end };
    start = end;
  }
  return stories as Record<StoryName, Story>;
}
