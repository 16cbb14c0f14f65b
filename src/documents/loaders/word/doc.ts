/** Word 97-2003 documents. */
import { oneLine } from "../../clean-text.ts";
import type { BlockCollector } from "../../block-collector.ts";
import { holdsStream, isCompoundFile } from "../../compound-file.ts";
import type { Content } from "../../content.ts";
import { compoundStreams, openCompound } from "../office/compound-streams.ts";
import { DocFile, type Story } from "./doc-file.ts";
import { DocFormatting } from "./doc-formatting.ts";
import { DocLists } from "./doc-lists.ts";
import { type DocParagraph, NOTE_MARK, type NoteMarks, paragraphsOf } from "./doc-text.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { listNumber } from "../office/list-numbers.ts";
import { summaryInformation } from "../office/summary-information.ts";
import { TableWriter } from "../office/table-writer.ts";

const format: Format = { mimeType: "application/msword", extensions: ["doc", "dot"] };

/**
 * Structures that say where notes are referred to, where their texts begin, and how many bytes stand with each reference; and how notes are
 * numbered unless the document has it otherwise.
 */
const NOTES = [
  { kind: "footnotes", references: 2, texts: 3, bytes: 2, numbers: "decimal" },
  { kind: "endnotes", references: 46, texts: 47, bytes: 2, numbers: "roman" },
  { kind: "comments", references: 4, texts: 5, bytes: 30, numbers: null },
] as const;
const AUTHORS = 36;
/** Where in what stands with a comment's reference its author's number is. */
const AUTHOR_OFFSET = 20;
const HEADERS = 11;
/** Stories of headers before the first section's: separators of notes. Each section has six then, and the second four of those are footers. */
const SEPARATORS = 6;
const FOOTERS: ReadonlySet<number> = new Set([2, 3, 5]);

const INDENT = "  ";
const DEEPEST_INDENT = 6;

export const docLoader: Loader = { id: "doc", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (!isCompoundFile(content.bytes)) return null;
  const streams = compoundStreams(content);
  const isWord = streams === null ? holdsStream(content.bytes, "WordDocument") : streams.has("worddocument");
  return isWord ? { certainty: "certain", format } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const streams = openCompound(content);
  const file = DocFile.open(content, streams);
  blocks.describe(await summaryInformation(streams));
  new DocReader(content, blocks, file).read();
}

/** A note and the position in the body where it is referred to. */
interface Note {
  readonly reference: number;
  readonly text: string;
  /** What is printed where it is referred to, and before it; "" where that is in the texts themselves. */
  readonly mark: string;
}

class DocReader {
  private readonly formatting: DocFormatting;
  private readonly lists: DocLists;
  private readonly notes: Note[];
  private marks: NoteMarks = new Map();
  /** Texts of headers and footers, which are mostly the same in all sections. */
  private readonly repeated = new Set<string>();

  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector,
    private readonly file: DocFile,
  ) {
    this.formatting = new DocFormatting(file);
    this.lists = new DocLists(file);
    this.notes = NOTES.flatMap((kind) => this.notesOf(kind)).sort((a, b) => b.reference - a.reference);
    this.marks = new Map(this.notes.filter(({ mark }) => mark !== "").map(({ reference, mark }) => [reference, mark]));
  }

  read(): void {
    const { body, textBoxes, headerTextBoxes } = this.file.stories;
    this.headers((story) => !FOOTERS.has(story));
    this.story(body);
    this.notesUpTo(Number.POSITIVE_INFINITY);
    this.story(textBoxes);
    this.once(headerTextBoxes);
    this.headers((story) => FOOTERS.has(story));
  }

  private story(story: Story): void {
    const table = new TableWriter(this.content, this.blocks);
    let cells: string[] = [];
    let cell: string[] = [];
    let isInTable = false;
    const endTable = () => {
      table.row([...cells, ...cell]);
      table.end();
      [cells, cell, isInTable] = [[], [], false];
    };
    for (const paragraph of this.paragraphs(story)) {
      if (!paragraph.isInTable && !paragraph.isCellEnd) {
        if (isInTable) endTable();
        this.add(paragraph);
        continue;
      }
      isInTable = true;
      if (paragraph.isRowEnd) {
        table.row(cells);
        [cells, cell] = [[], []];
        this.notesUpTo(paragraph.end);
      } else {
        cell.push(this.numbered(paragraph).trim());
        if (!paragraph.isCellEnd) continue;
        cells.push(cell.join("\n"));
        cell = [];
      }
    }
    if (isInTable) endTable();
  }

  private add(paragraph: DocParagraph): void {
    const { level, list, end } = paragraph;
    if (level > 0) this.blocks.add("heading", this.numbered(paragraph), level);
    else this.blocks.add(list > 0 ? "list-item" : "paragraph", this.numbered(paragraph));
    this.notesUpTo(end);
  }

  /** A paragraph with what is printed before it. What is blank has no number. */
  private numbered({ text, level, list, listLevel, style }: DocParagraph): string {
    if (list === 0 || text.trim() === "") return text;
    const label = this.lists.next(list, listLevel, style);
    if (label === null) return text;
    const printed = label.trim();
    if (level > 0) return `${printed} ${text}`.trim();
    return `${INDENT.repeat(Math.min(listLevel ?? 0, DEEPEST_INDENT))}${printed || "-"} ${text}`;
  }

  /** Notes follow the paragraph that refers to them. */
  private notesUpTo(position: number): void {
    for (let next = this.notes.at(-1); next !== undefined && next.reference <= position; next = this.notes.at(-1)) {
      this.notes.pop();
      this.blocks.add("paragraph", next.text === "" ? "" : `${next.mark} ${next.text}`.trim());
    }
  }

  private notesOf({ kind, references, texts, bytes, numbers }: (typeof NOTES)[number]): Note[] {
    const story = this.file.stories[kind];
    const structure = this.file.structure(references);
    const positions = DocFile.positions(structure, bytes).slice(0, -1);
    const starts = rising(DocFile.positions(this.file.structure(texts), 0));
    const authors = kind === "comments" ? names(this.file.structure(AUTHORS)) : [];
    let counted = 0;
    return positions.map((reference, index) => {
      const text = this.textOf(partOf(story, starts[index], starts[index + 1]));
      const isCounted = numbers !== null && this.file.text[reference] === NOTE_MARK;
      if (isCounted) counted += 1;
      const mark = isCounted ? `[${listNumber(counted, numbers)}]` : "";
      if (kind !== "comments" || text === "") return { reference, text, mark };
      const at = (positions.length + 1) * 4 + index * bytes + AUTHOR_OFFSET;
      const author = authors[structure.readUInt16LE(at)] ?? "";
      return { reference, text: `${author === "" ? "Comment" : `Comment by ${author}`}: ${text}`, mark };
    });
  }

  private headers(isWanted: (story: number) => boolean): void {
    const starts = rising(DocFile.positions(this.file.structure(HEADERS), 0));
    for (let index = SEPARATORS; index + 1 < starts.length; index += 1)
      if (isWanted((index - SEPARATORS) % 6))
        this.once(partOf(this.file.stories.headers, starts[index], starts[index + 1]));
  }

  private once(story: Story): void {
    for (const { text } of this.paragraphs(story)) {
      const words = oneLine(text);
      if (this.repeated.has(words)) continue;
      this.repeated.add(words);
      this.blocks.add("paragraph", words);
    }
  }

  private textOf(story: Story): string {
    return [...this.paragraphs(story)]
      .map(({ text }) => text.trim())
      .filter((text) => text !== "")
      .join("\n");
  }

  private paragraphs(story: Story): Generator<DocParagraph> {
    return paragraphsOf(this.file, this.formatting, story, this.marks);
  }
}

/** A part of a story, positions counted from its beginning; nothing where they are none of it. */
function partOf({ start, end }: Story, from = 0, to = 0): Story {
  return { start: Math.min(end, start + from), end: Math.min(end, start + Math.max(from, to)) };
}

/** Texts one after another, each with its length before it. */
function names(structure: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at + 2 <= structure.length; ) {
    const end = at + 2 + structure.readUInt16LE(at) * 2;
    found.push(structure.toString("utf16le", at + 2, Math.min(end, structure.length)));
    at = end;
  }
  return found;
}

/** Each position, but never one before another: parts that overlapped could together be many times the text. */
function rising(positions: readonly number[]): number[] {
  let furthest = 0;
  return positions.map((position) => (furthest = Math.max(furthest, position)));
}
