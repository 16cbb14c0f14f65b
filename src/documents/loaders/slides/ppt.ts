/** PowerPoint 97-2003 presentations: each slide's title, text and tables, then its notes and comments. */
import type { BlockCollector } from "../../block-collector.ts";
import { holdsStream, isCompoundFile } from "../../compound-file.ts";
import type { Content } from "../../content.ts";
import { compoundStreams, openCompound } from "../office/compound-streams.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { allRecords, PptFile, type PptRecord, recordsOf } from "./ppt-records.ts";
import { contentsOf, type PptContent, type PptText, RecordType, TextKind, textsIn } from "./ppt-text.ts";
import { summaryInformation } from "../office/summary-information.ts";
import { TableWriter } from "../office/table-writer.ts";

const format: Format = { mimeType: "application/vnd.ms-powerpoint", extensions: ["ppt", "pps", "pot"] };
/** Streams by which presentations are known; the second is that of PowerPoint 95. */
const STREAMS = ["PowerPoint Document", "PP40"];
/** Which list of slides a list is. */
const SLIDES = 0;
const NOTES = 2;
const HIDDEN = 0x0004;
const TITLE_LEVEL = 2;
/** Of titles on a slide of their own. */
const CENTRED_LEVEL = 1;
const NOTES_LEVEL = 3;
const TITLES: ReadonlySet<number> = new Set([TextKind.title, TextKind.centredTitle]);
const BODIES: ReadonlySet<number> = new Set([TextKind.body, TextKind.half, TextKind.quarter]);

export const pptLoader: Loader = { id: "ppt", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (!isCompoundFile(content.bytes)) return null;
  const streams = compoundStreams(content);
  const isPresentation = STREAMS.some((name) =>
    streams === null ? holdsStream(content.bytes, name) : streams.has(name.toLowerCase()),
  );
  return isPresentation ? { certainty: "certain", format } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const streams = openCompound(content);
  const file = PptFile.open(content, streams);
  blocks.describe(await summaryInformation(streams));
  new PptReader(content, blocks, file).read();
}

/** A slide, or the notes of one, as a list of the document has it. */
interface ListedSlide {
  readonly record: PptRecord;
  readonly id: number;
  /** Texts that shapes on it refer to. */
  readonly outline: readonly PptText[];
}

class PptReader {
  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector,
    private readonly file: PptFile,
  ) {}

  read(): void {
    const document = this.file.document;
    if (document === undefined) throw new Error("the document is missing");
    const notes = new Map(this.listed(document, NOTES).map((slide) => [notesOwner(slide.record), slide]));
    this.listed(document, SLIDES).forEach((slide, index) => this.slide(slide, index + 1, notes.get(slide.id)));
  }

  private listed(document: PptRecord, list: number): ListedSlide[] {
    const slides: { number: number; id: number; texts: PptRecord[] }[] = [];
    for (const { type, instance, data } of recordsOf(document.data)) {
      if (type !== RecordType.slideList || instance !== list) continue;
      for (const record of recordsOf(data)) {
        if (record.type !== RecordType.slidePersist) slides.at(-1)?.texts.push(record);
        else if (record.data.length >= 16)
          slides.push({ number: record.data.readUInt32LE(0), id: record.data.readUInt32LE(12), texts: [] });
      }
    }
    const { maxPages } = this.content.limits;
    if (slides.length > maxPages) throw this.content.unreadable(`it has more than ${maxPages} slides`);
    const seen = new Set<number>();
    return slides.flatMap(({ number, id, texts }) => {
      const record = this.file.object(number);
      // No slide is listed twice, but in a file that is to take long.
      if (record === undefined || seen.has(record.data.byteOffset)) return [];
      seen.add(record.data.byteOffset);
      return { record, id, outline: textsIn(texts) };
    });
  }

  private slide(slide: ListedSlide, number: number, notes: ListedSlide | undefined): void {
    this.blocks.at({ slide: number });
    const contents = this.contents(slide);
    const title = contents.find(
      (said): said is PptText => "kind" in said && TITLES.has(said.kind) && said.text.trim() !== "",
    );
    const others = contents.filter((said) => said !== title && ("rows" in said || said.text.trim() !== ""));
    const comments = this.comments(slide.record);
    const said = notes === undefined ? [] : this.contents(notes).flatMap((part) => ("kind" in part ? part : []));
    const noted = said.filter(({ kind, text }) => kind === TextKind.notes && text.trim() !== "");
    if (title === undefined && others.length + comments.length + noted.length === 0) return;
    const heading = title === undefined ? `Slide ${number}` : title.text.replace(/[\s\u000b]+/g, " ").trim();
    const level = title?.kind === TextKind.centredTitle ? CENTRED_LEVEL : TITLE_LEVEL;
    this.blocks.add("heading", isHidden(slide.record) ? `${heading} (hidden slide)` : heading, level);
    for (const other of others) this.part(other);
    if (noted.length > 0) this.blocks.add("heading", "Notes", NOTES_LEVEL);
    for (const { text } of noted) for (const line of linesOf(text)) this.blocks.add("paragraph", line);
    for (const comment of comments) this.blocks.add("paragraph", comment);
  }

  private part(said: PptContent): void {
    if ("rows" in said) {
      const table = new TableWriter(this.content, this.blocks);
      for (const row of said.rows) table.row(row);
      table.end();
    } else
      for (const line of linesOf(said.text)) this.blocks.add(BODIES.has(said.kind) ? "list-item" : "paragraph", line);
  }

  private contents({ record, outline }: ListedSlide): PptContent[] {
    const { maxNesting } = this.content.limits;
    return [...recordsOf(record.data)].flatMap(({ type, data }) =>
      type === RecordType.drawing ? contentsOf(data, outline, maxNesting) : [],
    );
  }

  private comments(slide: PptRecord): string[] {
    const comments: string[] = [];
    for (const record of allRecords(slide.data, this.content.limits.maxNesting)) {
      if (record.type !== RecordType.comment) continue;
      const strings = [...recordsOf(record.data)].filter(({ type }) => type === RecordType.string);
      const string = (instance: number) =>
        strings.find((other) => other.instance === instance)?.data.toString("utf16le") ?? "";
      const [author, text] = [string(0), linesOf(string(1)).join("\n")];
      if (text !== "") comments.push(`${author === "" ? "Comment" : `Comment by ${author}`}: ${text}`);
    }
    return comments;
  }
}

function isHidden(slide: PptRecord): boolean {
  const info = [...recordsOf(slide.data)].find(({ type }) => type === RecordType.slideInfo)?.data;
  return info !== undefined && info.length >= 12 && (info.readUInt16LE(10) & HIDDEN) !== 0;
}

/** The slide to which notes belong. */
function notesOwner(notes: PptRecord): number {
  const atom = [...recordsOf(notes.data)].find(({ type }) => type === RecordType.notesAtom)?.data;
  return atom === undefined || atom.length < 4 ? -1 : atom.readUInt32LE(0);
}

/** The paragraphs of a text that are not blank. Lines within one are broken otherwise. */
function linesOf(text: string): string[] {
  const paragraphs = text.replaceAll("\u000b", "\n").split("\r");
  return paragraphs.map((line) => line.trim()).filter((line) => line !== "");
}
