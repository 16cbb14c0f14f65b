/** XML of books and articles (DocBook, TEI, DITA, FictionBook, SVG's words): its text in order, in headings, paragraphs, lists and rows. */
import { oneLine } from "../../clean-text.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { BlockKind } from "../../blocks.ts";
import type { XmlElement, XmlReader } from "./xml-events.ts";

/** The outermost elements of such documents. */
export const PROSE_ROOTS = new Set(
  "TEI TEI.2 teiCorpus book article chapter section part set refentry appendix preface topic concept task reference dita FictionBook svg text".split(
    " ",
  ),
);

const HEADINGS = new Set(["title", "head", "heading"]);
const SECTIONS =
  /^(?:section|sect[1-6]|refsect[1-3]|refsection|chapter|part|appendix|preface|div[1-7]?|topic|concept|task|reference|body|figure|table|example|note|sidebar|simplesect)$/;
/** Elements that are words of the line in which they stand. */
const INLINE = new Set(
  "emphasis i b u em strong code hi ref link ulink xref phrase quote q term firstterm literal filename command option persName surname forename name placeName orgName date num foreign abbr sub sup subscript superscript a tspan lb cite citetitle acronym email uri keyword ph uicontrol varname codeph apiname parameter function classname type wordasword trademark seg s w c pc settlement postCode country region street addrLine".split(
    " ",
  ),
);
const JOINED_BY_BLANKS = /[Nn]ame$|^(?:settlement|postCode|country|region|street|addrLine)$/;
const ITEMS = new Set(["listitem", "li", "item", "step", "varlistentry"]);
const ROWS = new Set(["row", "tr", "strow"]);
const CELLS = new Set(["entry", "cell", "td", "th", "stentry"]);
const CODE = new Set(["programlisting", "screen", "codeblock", "eg", "literallayout", "synopsis"]);
const NEVER_TEXT = new Set([
  "style",
  "script",
  "binary",
  "encodingDesc",
  "appInfo",
  "indexterm",
  "facsimile",
  "metadata",
]);
const DEEPEST_HEADING = 6;

export class ProseReader implements XmlReader {
  private buffer: string[] = [];
  private sections = 0;
  private items = 0;
  private code = 0;
  private heading = 0;
  /** The cells of a row, each in the pieces that were found of it. */
  private cells: string[][] | null = null;
  /** Elements open inside the outermost one that is left out; 0 when nothing is. */
  private skipped = 0;

  constructor(private readonly blocks: BlockCollector) {}

  open({ name, attributes }: XmlElement, path: readonly XmlElement[]): void {
    if (path.length === 1) this.blocks.describe({ language: attributes["xml:lang"] ?? "" });
    if (this.skipped > 0 || NEVER_TEXT.has(name)) {
      this.skipped += 1;
      return;
    }
    if (attributes.alt) this.buffer.push(` ${attributes.alt} `);
    if (INLINE.has(name)) return;
    if (this.heading === 0) this.flush();
    if (SECTIONS.test(name)) this.sections += 1;
    if (HEADINGS.has(name)) this.heading += 1;
    if (ITEMS.has(name)) this.items += 1;
    if (CODE.has(name)) this.code += 1;
    if (ROWS.has(name)) this.cells = [];
    if (CELLS.has(name)) this.cells?.push([]);
  }

  text(text: string): void {
    if (this.skipped === 0) this.buffer.push(this.code > 0 ? text : text.replace(/\s+/g, " "));
  }

  close({ name }: XmlElement): void {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (INLINE.has(name)) {
      // Names and the like often follow one another with nothing between.
      if (name === "lb" || JOINED_BY_BLANKS.test(name)) this.buffer.push(" ");
      return;
    }
    if (HEADINGS.has(name)) this.closeHeading();
    else if (this.heading === 0) this.flush();
    else this.buffer.push(" ");
    if (SECTIONS.test(name)) this.sections -= 1;
    if (ITEMS.has(name)) this.items -= 1;
    if (CODE.has(name)) this.code -= 1;
    if (ROWS.has(name)) this.closeRow();
  }

  end(): void {
    this.flush();
  }

  private closeHeading(): void {
    this.heading -= 1;
    const text = this.taken();
    if (this.heading > 0 || text === "") return;
    this.blocks.describe({ title: text });
    this.blocks.add("heading", text, Math.min(DEEPEST_HEADING, this.sections + 1));
  }

  private closeRow(): void {
    this.blocks.add("row", (this.cells ?? []).map((pieces) => pieces.join(" ")).join(" | "));
    this.cells = null;
  }

  private flush(): void {
    if (this.code > 0) {
      this.blocks.add("code", this.buffer.splice(0).join(""));
      return;
    }
    const text = this.taken();
    if (text === "") return;
    if (this.cells !== null) {
      if (this.cells.length === 0) this.cells.push([]);
      this.cells.at(-1)!.push(text);
      return;
    }
    const kind: BlockKind = this.items > 0 ? "list-item" : "paragraph";
    this.blocks.add(kind, kind === "list-item" ? `- ${text}` : text);
  }

  private taken(): string {
    return oneLine(this.buffer.splice(0).join(""));
  }
}
