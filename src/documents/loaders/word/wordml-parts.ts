/**
 * The XML of Word 2003 (WordprocessingML 2003) → the parts of an Office Open XML document that say the same, as far as they are read: most elements
 * have their names still; lists are described in another way, and notes, comments and heads stand in the text and not in parts of their own.
 */
import type { FlatPart } from "../office/flat-package.ts";
import { qualified, type XmlAttributes, type XmlHandler } from "../office/xml.ts";

const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Elements that are written under a name; all others are passed through, what is in them is looked at. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ...asTheyAre(
    "p pPr pStyle r rPr t tab br cr sym fldChar noBreakHyphen softHyphen tbl tr trPr tblHeader tc tcPr gridSpan pict txbxContent outlineLvl ilvl",
  ),
  ["listPr", "numPr"],
  ["ilfo", "numId"],
  ["vmerge", "vMerge"],
]);
/** The same where styles and lists are described. */
const DESCRIBING: ReadonlyMap<string, string> = new Map([
  ...asTheyAre("style name basedOn lvl start lvlText lvlRestart isLgl lvlOverride startOverride"),
  ["listDef", "abstractNum"],
  ["list", "num"],
  ["ilst", "abstractNumId"],
  ["nfc", "numFmt"],
]);
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ...asTheyAre("val type styleId ilvl fldCharType font char"),
  ["listDefId", "abstractNumId"],
  ["ilfo", "numId"],
]);
/** Elements without text of the document, with all that is in them. */
const SKIPPED: ReadonlySet<string> = new Set(
  "tabs binData docOleData ocx fonts docPr docSuppData shapeDefaults bgPict listPicBullet DocumentProperties CustomDocumentProperties".split(
    " ",
  ),
);
/** Changes that are there as long as they are not accepted: what was before them. */
const FORMER: ReadonlySet<string | undefined> = new Set(["Word.Deletion", "Word.Formatting", "Word.Numbering"]);
const COMMENT = "Word.Comment";
const RUN_END = "</w:r>";
/** How a list's numbers are written, where that has a name of its own. */
const NUMBER_FORMATS: ReadonlyMap<string | undefined, string> = new Map([
  ["0", "decimal"],
  ["1", "upperRoman"],
  ["2", "lowerRoman"],
  ["3", "upperLetter"],
  ["4", "lowerLetter"],
  ["22", "decimalZero"],
  ["23", "bullet"],
  ["255", "none"],
]);

/** A part: its name, its outermost element and the last word of the type of its relation. */
interface PartKind {
  readonly name: string;
  readonly root: string;
  readonly relation: string;
}

const PARTS = {
  styles: { name: "styles", root: "styles", relation: "styles" },
  lists: { name: "numbering", root: "numbering", relation: "numbering" },
  footnote: { name: "footnotes", root: "footnotes", relation: "footnotes" },
  endnote: { name: "endnotes", root: "endnotes", relation: "endnotes" },
  comment: { name: "comments", root: "comments", relation: "comments" },
  hdr: { name: "header1", root: "hdr", relation: "header" },
  ftr: { name: "footer1", root: "ftr", relation: "footer" },
} as const satisfies Record<string, PartKind>;

interface Opened {
  /** What is written at its end. */
  readonly end: string;
  /** Where what follows it is written. */
  readonly output: string[];
}

/** Is told what is in the file, and then has the parts. */
export class WordMlParts implements XmlHandler {
  private readonly body: string[] = [];
  /** What is written into parts of their own; each note has a list for itself, since others may begin within it. */
  private readonly aside = new Map<PartKind, string[][]>();
  private output = this.body;
  private readonly opened: Opened[] = [];
  /** Open elements inside the outermost one that is skipped; 0 when nothing is. */
  private skipped = 0;
  private isText = false;
  private isList = false;
  private isDescribing = false;
  private marks = 0;

  open(name: string, attributes: XmlAttributes): void {
    if (this.skipped > 0 || this.isSkipped(name, attributes)) {
      this.skipped += 1;
      return;
    }
    this.isText = name === "t";
    const { output } = this;
    const isComment = name === "annotation" && qualified(attributes, "type") === COMMENT;
    this.opened.push({ end: isComment ? this.openComment(attributes) : this.opening(name, attributes), output });
    if (name === "listPr") this.isList = true;
  }

  text(text: string): void {
    if (this.isText && this.skipped === 0) this.output.push(escaped(text));
  }

  close(name: string): void {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    this.isText = false;
    if (name === "listPr") this.isList = false;
    if (name === "styles" || name === "lists") this.isDescribing = false;
    const opened = this.opened.pop();
    if (opened === undefined) return;
    this.output.push(opened.end);
    this.output = opened.output;
  }

  get parts(): FlatPart[] {
    const kinds = [...this.aside.keys()];
    const relations = kinds.map(({ name, relation }, index) => related(index, relation, `${name}.xml`));
    return [
      part(
        "_rels/.rels",
        `<Relationships xmlns="${RELATIONS}">${related(0, "officeDocument", "word/document.xml")}</Relationships>`,
      ),
      part("word/_rels/document.xml.rels", `<Relationships xmlns="${RELATIONS}">${relations.join("")}</Relationships>`),
      part("word/document.xml", rooted("document", `<w:body>${this.body.join("")}</w:body>`)),
      ...[...this.aside].map(([{ name, root }, outputs]) =>
        part(`word/${name}.xml`, rooted(root, outputs.map((output) => output.join("")).join(""))),
      ),
    ];
  }

  private isSkipped(name: string, attributes: XmlAttributes): boolean {
    // What is printed before an item stands beside its list, in elements that are called as others are.
    if (this.isList && name !== "ilvl" && name !== "ilfo") return true;
    return SKIPPED.has(name) || (name === "annotation" && FORMER.has(qualified(attributes, "type")));
  }

  /** Writes what an element begins with; gives what it ends with. */
  private opening(name: string, attributes: XmlAttributes): string {
    if (name === "footnote" || name === "endnote") return this.openNote(name);
    if (name === "styles" || name === "lists" || name === "hdr" || name === "ftr") {
      this.divert(PARTS[name]);
      this.isDescribing = name === "styles" || name === "lists";
      return "";
    }
    // Links and reading aids hold runs within runs.
    if (name === "r" && this.opened.findLast(({ end }) => end !== "")?.end === RUN_END) return "";
    const written = WRITTEN.get(name) ?? (this.isDescribing ? DESCRIBING.get(name) : undefined);
    if (written === undefined) return "";
    this.output.push(`<w:${written}${name === "t" ? ' xml:space="preserve"' : ""}${attributesOf(name, attributes)}>`);
    return `</w:${written}>`;
  }

  private openNote(name: "footnote" | "endnote"): string {
    this.marks += 1;
    this.output.push(`<w:${name}Reference w:id="${this.marks}"/>`);
    this.divert(PARTS[name]);
    this.output.push(`<w:${name} w:id="${this.marks}">`);
    return `</w:${name}>`;
  }

  private openComment(attributes: XmlAttributes): string {
    this.marks += 1;
    this.output.push(`<w:commentReference w:id="${this.marks}"/>`);
    this.divert(PARTS.comment);
    const author = escaped(qualified(attributes, "author") ?? "");
    this.output.push(`<w:comment w:id="${this.marks}" w:author="${author}">`);
    return "</w:comment>";
  }

  /** What comes next, up to the end of the element, is written into a part of its own. */
  private divert(kind: PartKind): void {
    this.output = [];
    const outputs = this.aside.get(kind);
    if (outputs === undefined) this.aside.set(kind, [this.output]);
    else outputs.push(this.output);
  }
}

function asTheyAre(names: string): Array<readonly [string, string]> {
  return names.split(" ").map((name) => [name, name]);
}

function attributesOf(name: string, attributes: XmlAttributes): string {
  let written = "";
  for (const [attribute, as] of ATTRIBUTES) {
    const value = qualified(attributes, attribute);
    if (value !== undefined)
      written += ` w:${as}="${escaped(name === "nfc" ? (NUMBER_FORMATS.get(value) ?? "decimal") : value)}"`;
  }
  return written;
}

function rooted(root: string, content: string): string {
  return `<w:${root} xmlns:w="${MAIN}">${content}</w:${root}>`;
}

function related(index: number, type: string, target: string): string {
  return `<Relationship Id="r${index}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function part(name: string, text: string): FlatPart {
  return { name, text, isBase64: false };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
