/**
 * The body of an OpenDocument file → blocks, in one pass. What hangs on a paragraph (notes, comments, text boxes) follows it; endnotes stand
 * at the end. What was deleted, what is hidden and lists of contents, which say again what stands elsewhere, are left out.
 */
import type { BlockCollector } from "../../block-collector.ts";
import type { BlockKind } from "../../blocks.ts";
import type { Content } from "../../content.ts";
import { OdfForms } from "./odf-forms.ts";
import { OdfLists } from "./odf-lists.ts";
import { formulaText, isOdfHidden, LEFT_OUT_OF_ODF, type OdfObjects } from "./odf-parts.ts";
import type { OdfStyles } from "./odf-styles.ts";
import { TableWriter } from "../office/table-writer.ts";
import { qualified, type XmlAttributes, type XmlHandler } from "../office/xml.ts";
import { XmlTreeBuilder } from "../office/xml-tree.ts";

/** Within these, a title is a field of the text, not the description of a picture. */
const LINES: ReadonlySet<string | undefined> = new Set(["p", "h", "span", "a"]);
const MOST_SPACES = 100;
const DEEPEST_HEADING = 10;

interface Paragraph {
  readonly kind: BlockKind;
  readonly level: number | undefined;
  readonly texts: string[];
  isHidden: boolean;
}

/** What holds paragraphs: the document, a text box, a cell, a note or a comment. */
interface Container {
  readonly paragraphs: Paragraph[];
  /** The text of what is put together before it is written; null where it is written at once. */
  readonly lines: string[] | null;
  /** The list item whose first paragraph is still to come. */
  item: XmlAttributes | null;
  /** A note's mark, a comment's author. */
  label: string;
  readonly attributes: XmlAttributes;
}

interface Table {
  readonly writer: TableWriter;
  cells: string[];
  isHeader: boolean;
}

export class OdfText implements XmlHandler {
  private readonly containers: Container[] = [];
  private readonly tables: Table[] = [];
  private readonly lists: OdfLists;
  private readonly names: string[] = [];
  /** Open elements inside the outermost one that is left out; 0 when nothing is. */
  private skipped = 0;
  private readonly forms = new OdfForms();
  /** What is told instead of this what stands in an element, that element, and what is done at its end. */
  private aside: { readonly handler: XmlHandler; readonly name: string; readonly end?: () => void } | null = null;
  private inLabel = false;
  /** What is written after the paragraph, or row, that is still open. */
  private following: Array<() => void> = [];
  private readonly endnotes: string[] = [];
  /** UTF-16 units of all rows of tables that lie in cells, notes and comments. */
  private joined = 0;

  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector,
    private readonly styles: OdfStyles,
    private readonly objects: OdfObjects,
  ) {
    this.lists = new OdfLists(styles);
    this.enter(null, {});
  }

  open(name: string, attributes: XmlAttributes): void {
    const parent = this.names.at(-1);
    this.names.push(name);
    if (this.aside !== null) return this.aside.handler.open(name, attributes);
    if (this.skipped > 0 || this.isLeftOut(name, parent, attributes)) {
      this.skipped += 1;
      return;
    }
    if (name === "p" || name === "h" || this.isDescription(name, parent)) this.openParagraph(name, attributes);
    else if (name === "s")
      this.text(" ".repeat(Math.min(MOST_SPACES, Number(qualified(attributes, "c") ?? 1) || 1)), true);
    else if (name === "tab") this.text("\t", true);
    else if (name === "line-break") this.text("\n", true);
    else if (name === "list") this.openList(attributes);
    else if (name === "list-item") this.container.item = attributes;
    else if (name === "note" || name === "annotation" || name.endsWith("table-cell")) this.enter([], attributes);
    else if (name === "text-box") this.enter(null, attributes);
    else if (name === "note-citation" || (name === "creator" && parent === "annotation")) this.inLabel = true;
    else if (name === "automatic-styles") this.aside = { handler: this.styles, name };
    else if (name === "forms") this.aside = { handler: this.forms, name };
    else if (name === "control") this.control(qualified(attributes, "control") ?? "");
    else if (name === "table") this.openTable();
    else if (name === "table-header-rows") this.isHeader(true);
    else if (name === "math") this.openFormula();
    else if (name === "object") this.object(qualified(attributes, "href") ?? "");
    else if (name === "hidden-paragraph") this.hideParagraph();
  }

  text(text: string, asWritten = false): void {
    if (this.aside !== null) return this.aside.handler.text(text);
    if (this.skipped > 0) return;
    const line = asWritten ? text : text.replace(/[ \t\r\n]+/g, " ");
    if (this.inLabel) this.container.label += line.trim();
    else this.container.paragraphs.at(-1)?.texts.push(line);
  }

  close(name: string): void {
    this.names.pop();
    if (this.aside !== null && this.aside.name !== name) return this.aside.handler.close(name);
    if (this.aside !== null) {
      const { end } = this.aside;
      this.aside = null;
      end?.();
      return;
    }
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (name === "p" || name === "h" || this.isDescription(name, this.names.at(-1))) this.closeParagraph();
    else if (name === "list") this.lists.closeList();
    else if (name === "note-citation" || name === "creator") this.inLabel = false;
    else if (name === "note") this.closeNote();
    else if (name === "annotation") this.closeComment();
    else if (name === "text-box") this.leave();
    else if (name.endsWith("table-cell")) this.closeCell();
    else if (name === "table-row") this.closeRow();
    else if (name === "table-header-rows") this.isHeader(false);
    else if (name === "table") this.closeTable();
  }

  /** Writes what stands at the end of the document. */
  finish(): void {
    for (const note of this.endnotes.splice(0)) this.blocks.add("paragraph", note);
  }

  private get container(): Container {
    return this.containers.at(-1)!;
  }

  /** Whether something is still to be written before what comes next. */
  private get isOpen(): boolean {
    return this.containers.some(({ paragraphs, lines }) => paragraphs.length > 0 || lines !== null);
  }

  private isLeftOut(name: string, parent: string | undefined, attributes: XmlAttributes): boolean {
    if (LEFT_OUT_OF_ODF.has(name) || isOdfHidden(name, attributes)) return true;
    if (name === "date" && parent === "annotation") return true;
    // Of an object that lies within a flat file, e.g. a chart.
    if ((name === "meta" || name === "styles") && parent === "document") return true;
    return name === "span" && this.styles.isHidden(qualified(attributes, "style-name"));
  }

  private isDescription(name: string, parent: string | undefined): boolean {
    return (name === "title" || name === "desc") && !LINES.has(parent);
  }

  private enter(lines: string[] | null, attributes: XmlAttributes): void {
    this.containers.push({ paragraphs: [], lines, item: null, label: "", attributes });
    this.lists.enter();
  }

  private leave(): Container {
    this.lists.leave();
    return this.containers.length > 1 ? this.containers.pop()! : this.container;
  }

  private openList(attributes: XmlAttributes): void {
    // An item that holds nothing but a list is there for the list's level.
    this.container.item = null;
    this.lists.openList(attributes);
  }

  private openParagraph(name: string, attributes: XmlAttributes): void {
    const style = qualified(attributes, "style-name");
    const { item } = this.container;
    const label = item === null ? "" : this.lists.item(item);
    this.container.item = null;
    const isTitle = this.styles.isTitle(style);
    const isHidden = this.styles.isHidden(style);
    if (name === "h" || isTitle) {
      const level = isTitle
        ? 1
        : Math.max(1, Math.min(DEEPEST_HEADING, Number(qualified(attributes, "outline-level")) || 1));
      const number =
        item === null && !isTitle ? this.lists.heading(level, attributes) : label.replace(/^ *(?:- )?/, "");
      this.container.paragraphs.push({ kind: "heading", level, texts: [number], isHidden });
    } else {
      const kind = this.lists.isInside ? "list-item" : "paragraph";
      this.container.paragraphs.push({ kind, level: undefined, texts: [label], isHidden });
    }
  }

  private closeParagraph(): void {
    const paragraph = this.container.paragraphs.pop();
    if (paragraph === undefined) return;
    const { kind, level, texts, isHidden } = paragraph;
    const isBlank = isHidden || texts.slice(1).join("").trim() === "";
    const text = texts.join("").trimEnd();
    if (isBlank) this.settle();
    else if (this.container.lines !== null) this.container.lines.push(text.trim());
    else this.put(() => this.blocks.add(kind, kind === "heading" ? text.replaceAll("\n", " ") : text, level));
  }

  private hideParagraph(): void {
    const paragraph = this.container.paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.isHidden = true;
  }

  private closeNote(): void {
    const { lines, label, attributes } = this.leave();
    const mark = label === "" ? "" : `[${label}]`;
    this.text(mark, true);
    const note = `${mark} ${(lines ?? []).join("\n")}`.trim();
    if (qualified(attributes, "note-class") === "endnote") this.endnotes.push(note);
    else this.put(() => this.blocks.add("paragraph", note));
  }

  private closeComment(): void {
    const { lines, label } = this.leave();
    const text = (lines ?? []).join("\n");
    const comment = `${label === "" ? "Comment" : `Comment by ${label}`}: ${text}`;
    if (text !== "") this.put(() => this.blocks.add("paragraph", comment));
  }

  private openTable(): void {
    this.tables.push({ writer: new TableWriter(this.content, this.blocks), cells: [], isHeader: false });
  }

  private isHeader(isHeader: boolean): void {
    const table = this.tables.at(-1);
    if (table !== undefined) table.isHeader = isHeader;
  }

  private closeCell(): void {
    const { lines, attributes } = this.leave();
    const { maxColumns } = this.content.limits;
    const cells = this.tables.at(-1)?.cells ?? [];
    const text = (lines ?? []).join("\n");
    // Many columns without text are there for the look of it; as many with text are refused.
    const room = text === "" ? maxColumns - cells.length : maxColumns + 1;
    const repeated = Number(qualified(attributes, "number-columns-repeated") ?? 1) || 1;
    for (let count = Math.min(repeated, room); count > 0; count -= 1) cells.push(text);
  }

  private closeRow(): void {
    const table = this.tables.at(-1);
    if (table === undefined) return;
    const { writer, cells, isHeader } = table;
    table.cells = [];
    if (this.container.lines === null) this.put(() => writer.row(cells, isHeader));
    else {
      // A cell may stand for many of the same text, which the cell around it repeats.
      this.joined += cells.reduce((sum, { length }) => sum + length, 0);
      if (this.joined > this.content.limits.maxTextCharacters) throw this.content.tooMuchText();
      this.container.lines.push(cells.filter((cell) => cell !== "").join(", "));
    }
  }

  private closeTable(): void {
    const table = this.tables.pop();
    if (table !== undefined) this.put(() => table.writer.end());
  }

  private control(id: string): void {
    this.inLine(this.forms.textOf(id));
  }

  /** A formula that lies in the text itself, as it does in flat files. */
  private openFormula(): void {
    const tree = new XmlTreeBuilder(this.content.limits);
    tree.open("math", {});
    this.aside = {
      handler: tree,
      name: "math",
      end: () => this.inLine(tree.root === null ? "" : formulaText(tree.root)),
    };
  }

  private object(reference: string): void {
    const formula = this.objects.formula(reference);
    if (formula === null) this.put(() => this.objects.write(reference, this));
    else this.inLine(formula);
  }

  /** Writes into the line where there is one, else as a paragraph. */
  private inLine(text: string): void {
    if (this.container.paragraphs.length > 0) this.text(text, true);
    else this.put(() => this.blocks.add("paragraph", text));
  }

  /** Writes at once, or after what is still open. */
  private put(write: () => void): void {
    if (this.isOpen) this.following.push(write);
    else write();
    this.settle();
  }

  private settle(): void {
    while (!this.isOpen && this.following.length > 0) for (const write of this.following.splice(0)) write();
  }
}
