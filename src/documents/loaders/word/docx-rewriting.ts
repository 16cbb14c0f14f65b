/**
 * Makes the text of a Word document say what mammoth does not read: printed numbers, equations, results of simple fields, comments, levels of
 * headings that only styles know. The XML is changed where it must be; all else stays letter for letter.
 */
import type { DocxNumbering } from "./docx-numbering.ts";
import type { DocxStyles } from "./docx-styles.ts";
import { docxLines } from "./docx-text.ts";
import { mathText } from "../office/office-math.ts";
import { qualified, type XmlAttributes, type XmlHandler, type XmlLimits, type XmlSpan } from "../office/xml.ts";
import { XmlTreeBuilder } from "../office/xml-tree.ts";

/** Stands before and after a printed number; no character, so that it is nowhere else. */
export const NUMBER_MARK = "\uFDD0";

/** Elements that hold text and are unknown to mammoth: their tags go, their content stays. */
const UNWRAPPED: ReadonlySet<string> = new Set(["fldSimple", "dir", "bdo"]);
const EQUATIONS: ReadonlySet<string> = new Set(["oMathPara", "oMath"]);
/** Levels of headings that HTML has. */
const LOWEST_HEADING = 6;
const BODY_LEVEL = 9;

interface Paragraph {
  readonly prefix: string;
  style: string;
  styleTag: XmlSpan | null;
  list: string | null;
  level: number | null;
  outlineLevel: number | null;
  /** Where its list is said. */
  numbering: { start: number; end: number } | null;
  /** Paragraphs to come after it: comments on it, text boxes in it. */
  readonly following: string[];
}

/** An element that is taken as a whole. */
interface Whole {
  readonly name: string;
  readonly builder: XmlTreeBuilder;
  readonly start: number;
  depth: number;
}

/** Two ways to draw the same, of which mammoth reads the older; where that is missing, the lines of the newer are taken. */
interface Alternatives {
  hasOlder: boolean;
  readonly lines: string[];
}

interface Edit extends XmlSpan {
  readonly text: string;
}

/** Is told what is in a part, and then makes the new one. */
export class DocxRewriting implements XmlHandler {
  private readonly edits: Edit[] = [];
  private readonly paragraphs: Paragraph[] = [];
  /** Open elements within a paragraph's properties, 0 outside; those of former properties are passed over. */
  private propertyDepth = 0;
  private formerDepth = 0;
  private cells = 0;
  private drawings = 0;
  private whole: Whole | null = null;
  private readonly alternatives: Alternatives[] = [];

  constructor(
    private readonly xml: string,
    private readonly limits: XmlLimits,
    private readonly styles: DocxStyles,
    private readonly numbering: DocxNumbering,
    /** By their ids; each is taken out where it is written. */
    private readonly comments: Map<string, string>,
  ) {}

  open(name: string, attributes: XmlAttributes, tag: XmlSpan): void {
    if (this.whole === null && (EQUATIONS.has(name) || (name === "txbxContent" && this.drawings > 0)))
      this.whole = { name, builder: new XmlTreeBuilder(this.limits), start: tag.start, depth: 0 };
    if (this.whole !== null) {
      this.whole.depth += 1;
      this.whole.builder.open(name, attributes);
    } else if (this.propertyDepth > 0) this.openProperty(name, attributes, tag);
    else if (name === "p") this.openParagraph(tag);
    else if (name === "pPr") this.propertyDepth = this.paragraphs.length > 0 ? 1 : 0;
    else if (name === "tc") this.cells += 1;
    else if (name === "drawing") this.drawings += 1;
    else if (name === "AlternateContent") this.alternatives.push({ hasOlder: false, lines: [] });
    else if (name === "Fallback") this.older();
    else if (name === "commentReference") this.comment(qualified(attributes, "id") ?? "");
    else if (UNWRAPPED.has(name)) this.edit(tag, "");
  }

  text(text: string): void {
    this.whole?.builder.text(text);
  }

  close(name: string, tag: XmlSpan): void {
    if (this.whole !== null) this.closeWhole(this.whole, tag);
    else if (this.propertyDepth > 0) this.closeProperty(name, tag);
    else if (name === "p") this.closeParagraph(tag);
    else if (name === "tc") this.cells -= 1;
    else if (name === "drawing") this.drawings -= 1;
    else if (name === "AlternateContent") this.closeAlternatives();
    else if (UNWRAPPED.has(name) && this.xml.startsWith("</", tag.start)) this.edit(tag, "");
  }

  /** The part with its changes. */
  get rewritten(): string {
    const parts: string[] = [];
    let at = 0;
    for (const { start, end, text } of this.edits.toSorted((a, b) => a.start - b.start)) {
      parts.push(this.xml.slice(at, Math.max(at, start)), text);
      at = Math.max(at, end);
    }
    return parts.join("") + this.xml.slice(at);
  }

  private openParagraph({ start }: XmlSpan): void {
    const prefix = /^<([^\s:>/]{1,40}:)?/.exec(this.xml.slice(start, start + 50))?.[1] ?? "";
    this.paragraphs.push({
      prefix,
      style: "",
      styleTag: null,
      list: null,
      level: null,
      outlineLevel: null,
      numbering: null,
      following: [],
    });
  }

  private openProperty(name: string, attributes: XmlAttributes, tag: XmlSpan): void {
    this.propertyDepth += 1;
    if (this.formerDepth > 0 || name === "pPrChange" || name === "rPr") {
      this.formerDepth += 1;
      return;
    }
    const paragraph = this.paragraphs.at(-1)!;
    const value = qualified(attributes, "val") ?? "";
    if (name === "pStyle") Object.assign(paragraph, { style: value, styleTag: tag });
    else if (name === "numPr") paragraph.numbering = { ...tag };
    else if (name === "numId") paragraph.list = value;
    else if (name === "ilvl") paragraph.level = Number(value) || 0;
    else if (name === "outlineLvl") paragraph.outlineLevel = Number(value);
  }

  private closeProperty(name: string, tag: XmlSpan): void {
    this.propertyDepth -= 1;
    const paragraph = this.paragraphs.at(-1)!;
    if (this.formerDepth > 0) this.formerDepth -= 1;
    else if (name === "numPr" && paragraph.numbering !== null) paragraph.numbering.end = tag.end;
    if (this.propertyDepth === 0) this.endProperties(paragraph, tag);
  }

  /** What is known of a paragraph before its text begins. */
  private endProperties(paragraph: Paragraph, { start, end }: XmlSpan): void {
    const { prefix, style, styleTag, list, level, numbering } = paragraph;
    const outlineLevel = paragraph.outlineLevel ?? this.styles.outlineLevel(style) ?? BODY_LEVEL;
    const isHeading = outlineLevel >= 0 && outlineLevel < BODY_LEVEL;
    if (isHeading) {
      const heading = `<${prefix}pStyle ${prefix}val="Heading${Math.min(outlineLevel + 1, LOWEST_HEADING)}"/>`;
      if (styleTag !== null) this.edit(styleTag, heading);
      else if (this.xml.startsWith("</", start)) this.edit({ start, end: start }, heading);
    }
    const label = this.numbering.next(list === null ? null : { list, level: level ?? 0 }, style);
    if (label === null) return;
    // Lists in cells would end the row.
    const inCell = this.cells > 0 && !isHeading;
    if (inCell && numbering !== null) this.edit(numbering, "");
    const number = label.trim() || (inCell ? "-" : "");
    if (number !== "") this.edit({ start: end, end }, run(prefix, `${NUMBER_MARK}${number} ${NUMBER_MARK}`));
  }

  private comment(id: string): void {
    const comment = this.comments.get(id);
    this.comments.delete(id);
    if (comment !== undefined) this.follow([comment]);
  }

  private closeParagraph({ end }: XmlSpan): void {
    const paragraph = this.paragraphs.pop();
    if (paragraph === undefined) return;
    const { prefix, following } = paragraph;
    for (const text of following) this.edit({ start: end, end }, `<${prefix}p>${run(prefix, text)}</${prefix}p>`);
  }

  private closeWhole(whole: Whole, { end }: XmlSpan): void {
    const { name, builder, start } = whole;
    whole.depth -= 1;
    builder.close();
    if (whole.depth > 0) return;
    this.whole = null;
    const { root } = builder;
    const paragraph = this.paragraphs.at(-1);
    if (name === "txbxContent") this.box(docxLines(root));
    else if (root !== null) this.edit({ start, end }, run(paragraph?.prefix ?? "w:", mathText(root)));
  }

  /** The lines of a text box that mammoth does not read, and needs not where it is drawn in another way. */
  private box(lines: readonly string[]): void {
    const alternatives = this.alternatives.at(-1);
    if (alternatives === undefined) this.follow(lines);
    else for (const line of lines) alternatives.lines.push(line);
  }

  private follow(lines: readonly string[]): void {
    for (const line of lines) this.paragraphs.at(-1)?.following.push(line);
  }

  private older(): void {
    const alternatives = this.alternatives.at(-1);
    if (alternatives !== undefined) alternatives.hasOlder = true;
  }

  private closeAlternatives(): void {
    const { hasOlder, lines } = this.alternatives.pop()!;
    if (!hasOlder) this.follow(lines);
  }

  private edit({ start, end }: XmlSpan, text: string): void {
    this.edits.push({ start, end, text });
  }
}

function run(prefix: string, text: string): string {
  const written = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<${prefix}r><${prefix}t xml:space="preserve">${written}</${prefix}t></${prefix}r>`;
}
