/** The stories of a Word 97-2003 document as paragraphs: of fields their results, nothing that is deleted or hidden, tables row by row. */
import type { DocFile, Story } from "./doc-file.ts";
import type { DocFormatting, ParagraphFormat } from "./doc-formatting.ts";

const CELL_MARK = "\u0007";
const PARAGRAPH_MARKS = /[\r\u0007\f\u000e]/g;
const FIELD_CODE = "\u0013";
const FIELD_RESULT = "\u0014";
const FIELD_END = "\u0015";

/** Where a note is referred to by a number that Word counts, and where that stands before the note itself. */
export const NOTE_MARK = "\u0002";

/** Line breaks and hyphens that are characters of their own; pictures and what optional hyphens are have no text. */
const OWN_CHARACTERS: Readonly<Record<string, string>> = { "\u000b": "\n", "\u001e": "-", "\u001f": "" };

export interface DocParagraph extends ParagraphFormat {
  /** Where its mark stands. */
  readonly end: number;
  readonly text: string;
  /** Its mark ends a cell of a table, or a row. */
  readonly isCellEnd: boolean;
}

/** Fields inside one another: the code of each may be followed by its result. */
class OpenFields {
  private readonly areResults: boolean[] = [];
  private codes = 0;

  get isInCode(): boolean {
    return this.codes > 0;
  }

  begin(): void {
    this.areResults.push(false);
    this.codes += 1;
  }

  beginResult(): void {
    if (this.areResults.at(-1) !== false) return;
    this.areResults[this.areResults.length - 1] = true;
    this.codes -= 1;
  }

  end(): void {
    if (this.areResults.pop() === false) this.codes -= 1;
  }
}

/** Marks of notes by the positions at which they are printed. */
export type NoteMarks = ReadonlyMap<number, string>;

/** The paragraphs of a story, or of a part of one. */
export function* paragraphsOf(
  file: DocFile,
  formatting: DocFormatting,
  { start, end }: Story,
  marks: NoteMarks = new Map(),
): Generator<DocParagraph> {
  const fields = new OpenFields();
  let from = start;
  PARAGRAPH_MARKS.lastIndex = 0;
  const story = file.text.slice(start, end);
  for (const mark of [...story.matchAll(PARAGRAPH_MARKS), { 0: "", index: story.length }]) {
    const to = start + mark.index;
    const text = visibleText(file, formatting, { start: from, end: to }, fields, marks);
    if (mark[0] !== "" || text !== "")
      yield { ...formatting.paragraphAt(Math.min(to, end - 1)), end: to, text, isCellEnd: mark[0] === CELL_MARK };
    from = to + 1;
  }
}

function visibleText(
  file: DocFile,
  formatting: DocFormatting,
  { start, end }: Story,
  fields: OpenFields,
  marks: NoteMarks,
): string {
  let text = "";
  for (let at = start; at < end; at += 1) {
    const character = file.text[at]!;
    if (character === FIELD_CODE) fields.begin();
    else if (character === FIELD_RESULT) fields.beginResult();
    else if (character === FIELD_END) fields.end();
    else if (!fields.isInCode && !formatting.isUnseenAt(at))
      text += (character === NOTE_MARK ? marks.get(at) : OWN_CHARACTERS[character]) ?? shown(character);
  }
  return text;
}

function shown(character: string): string {
  return character >= " " || character === "\t" ? character : "";
}
