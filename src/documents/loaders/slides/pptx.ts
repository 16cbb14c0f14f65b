/** PowerPoint presentations (.pptx; ECMA-376, Part 1, 19): each slide's title, text, tables, charts and diagrams, then its notes and comments. */
import type { BlockCollector } from "../../block-collector.ts";
import { holdsStream, isCompoundFile } from "../../compound-file.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import { addChart } from "./drawing-chart.ts";
import { diagramTexts } from "./drawing-diagram.ts";
import { drawingLine, drawingParagraphs } from "./drawing-text.ts";
import { dublinCore } from "../office/dublin-core.ts";
import { namedFormat } from "../loader.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { readEmbedded } from "../office/office-embedded.ts";
import { mainPart, related, type Relation, relationsOf } from "../office/office-relations.ts";
import { type Shape, shapesOf } from "./slide-shapes.ts";
import { TableWriter } from "../office/table-writer.ts";
import { qualified } from "../office/xml.ts";
import { descendants, elementAt, elementsOf, textIn, type XmlElement } from "../office/xml-tree.ts";
import type { DocumentPackage } from "../office/document-package.ts";
import { flatOpcFormat, isFlatOpc } from "../office/flat-opc.ts";
import { openPackage, recognisePackage } from "../office/open-package.ts";

const TYPE = "application/vnd.openxmlformats-officedocument.presentationml";
const pptx: Format = { mimeType: `${TYPE}.presentation`, extensions: ["pptx", "pptm"] };
const ppsx: Format = { mimeType: `${TYPE}.slideshow`, extensions: ["ppsx", "ppsm"] };
const potx: Format = { mimeType: `${TYPE}.template`, extensions: ["potx", "potm"] };

const MAIN_PART = "ppt/presentation.xml";
const TITLES: ReadonlySet<string | undefined> = new Set(["title", "ctrTitle"]);
/** What only numbers the slides. */
const COUNTERS: ReadonlySet<string | undefined> = new Set(["sldNum", "sldImg"]);
/** What stands on all slides alike. */
const RUNNING: ReadonlySet<string | undefined> = new Set(["ftr", "hdr", "dt"]);
const OUTLINES: ReadonlySet<string | undefined> = new Set(["", "obj", "body"]);

export const pptxLoader: Loader = {
  id: "pptx",
  formats: [pptx, ppsx, potx],
  recognise,
  load,
};

function recognise(content: Content): Recognition | null {
  const named = namedFormat(pptxLoader, content);
  if (isCompoundFile(content.bytes)) {
    const isEncrypted = named !== undefined && holdsStream(content.bytes, "EncryptedPackage");
    return isEncrypted ? { certainty: "possible", format: named } : null;
  }
  return recognisePackage(pptxLoader, content, (parts) =>
    parts.has(MAIN_PART) ? (isFlatOpc(content) ? flatOpcFormat : (named ?? pptx)) : null,
  );
}

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  if (isCompoundFile(content.bytes)) throw content.unreadable("it is protected with a password");
  const parts = openPackage(content);
  blocks.describe(dublinCore(parts.tree("docProps/core.xml")));
  const main = mainPart(parts, MAIN_PART);
  const relations = relationsOf(parts, main);
  const reader = new SlideReader(content, blocks, readMember, parts, commentAuthors(parts, relations));
  const slides = elementsOf(elementAt(parts.tree(main), "sldIdLst"), "sldId");
  for (const [index, { attributes }] of slides.entries()) {
    const part = relations.get(qualified(attributes, "id") ?? "")?.target;
    if (part !== undefined) await reader.read(part, index + 1);
  }
}

function commentAuthors(parts: DocumentPackage, relations: ReadonlyMap<string, Relation>): ReadonlyMap<string, string> {
  const authors = new Map<string, string>();
  for (const part of [...related(relations, "commentAuthors"), ...related(relations, "authors")])
    for (const { attributes } of elementsOf(parts.tree(part))) authors.set(attributes.id ?? "", attributes.name ?? "");
  return authors;
}

class SlideReader {
  private relations: ReadonlyMap<string, Relation> = new Map();
  private readonly runningTexts = new Set<string>();

  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector,
    private readonly readMember: ReadMember,
    private readonly parts: DocumentPackage,
    private readonly authors: ReadonlyMap<string, string>,
  ) {}

  async read(part: string, number: number): Promise<void> {
    const slide = this.parts.tree(part);
    this.relations = relationsOf(this.parts, part);
    this.blocks.at({ slide: number });
    const shapes = shapesOf(slide);
    const title = shapes.find(({ role, element }) => TITLES.has(role) && textOf(element) !== "");
    const isHidden = /^(?:0|false)$/.test(slide?.attributes.show ?? "");
    const before = this.blocks.blocks.length;
    // Without a heading of its own a slide would stand under the one before it.
    const heading = title === undefined ? `Slide ${number}` : textOf(title.element);
    const level = title?.role === "ctrTitle" ? 1 : 2;
    this.blocks.add("heading", isHidden ? `${heading} (hidden slide)` : heading, level);
    for (const shape of shapes) if (shape !== title) this.shape(shape);
    this.notes();
    this.comments();
    const isBlank = this.blocks.blocks.length === before + 1;
    if (title === undefined && isBlank) this.blocks.cut(before);
    await readEmbedded(this.content, this.parts, this.relations, this.readMember);
  }

  private shape({ element, role, description }: Shape): void {
    if (COUNTERS.has(role)) return;
    if (RUNNING.has(role)) {
      // A field's date is the day on which someone last looked at it.
      if (role !== "dt" || descendants(element, "fld").length === 0) this.running(textOf(element));
      return;
    }
    for (const { kind, text } of drawingParagraphs(elementAt(element, "txBody"), OUTLINES.has(role)))
      this.blocks.add(kind, text);
    for (const object of element.name === "graphicFrame" ? descendants(element, "tbl", "chart", "relIds") : [])
      this.object(object);
    this.blocks.add("paragraph", description);
  }

  /** Once in the presentation. */
  private running(text: string): void {
    if (!this.runningTexts.has(text)) this.blocks.add("paragraph", text);
    this.runningTexts.add(text);
  }

  private object(object: XmlElement): void {
    if (object.name === "tbl") return this.table(object);
    const target = this.relations.get(
      qualified(object.attributes, object.name === "chart" ? "id" : "dm") ?? "",
    )?.target;
    const part = target === undefined ? null : this.parts.tree(target);
    if (object.name === "chart") addChart(this.content, this.blocks, part);
    else for (const text of diagramTexts(part)) this.blocks.add("list-item", text);
  }

  private table(table: XmlElement): void {
    const writer = new TableWriter(this.content, this.blocks);
    const hasHeader = /^(?:1|true)$/.test(elementAt(table, "tblPr")?.attributes.firstRow ?? "");
    for (const row of elementsOf(table, "tr"))
      writer.row(
        elementsOf(row, "tc").map((cell) => textOf(cell)),
        hasHeader,
      );
    writer.end();
  }

  private notes(): void {
    for (const part of related(this.relations, "notesSlide")) {
      const shapes = shapesOf(this.parts.tree(part)).filter(({ role }) => role === "body" || role === undefined);
      const notes = shapes.flatMap(({ element }) => drawingParagraphs(elementAt(element, "txBody")));
      if (notes.length > 0) this.blocks.add("heading", "Notes", 3);
      for (const { kind, text } of notes) this.blocks.add(kind, text);
    }
  }

  private comments(): void {
    for (const part of related(this.relations, "comments"))
      for (const comment of descendants(this.parts.tree(part), "cm"))
        for (const said of [comment, ...descendants(elementAt(comment, "replyLst"), "reply")]) this.comment(said);
  }

  private comment(comment: XmlElement): void {
    const text = textIn(elementAt(comment, "text")) || textOf(comment);
    const author = this.authors.get(comment.attributes.authorId ?? "") ?? "";
    if (text.trim() !== "") this.blocks.add("paragraph", `${author ? `Comment by ${author}` : "Comment"}: ${text}`);
  }
}

function textOf(shape: XmlElement): string {
  return drawingLine(elementAt(shape, "txBody"));
}
