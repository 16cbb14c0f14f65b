/** What the sheets of an Excel workbook (.xlsx) share: which there are, the texts and formats of their cells. */
import type { Content } from "../../content.ts";
import { type NumberFormatter, numberFormatter } from "./number-format.ts";
import { oneLine } from "../../clean-text.ts";
import { mainPart, type Relation, related, relationsOf } from "../office/office-relations.ts";
import { qualified } from "../office/xml.ts";
import { elementAt, elementsOf, type XmlElement } from "../office/xml-tree.ts";
import type { DocumentPackage } from "../office/document-package.ts";

export interface XlsxSheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The part that holds its cells. */
  readonly part: string;
}

export interface XlsxWorkbook {
  readonly sheets: readonly XlsxSheet[];
  /** Texts that cells refer to by number. */
  readonly strings: readonly string[];
  /** Number formats that cells refer to by number. */
  readonly formats: readonly (string | number)[];
  readonly format: NumberFormatter;
  /** Authors of comments by id. */
  readonly people: ReadonlyMap<string, string>;
}

export async function openWorkbook(content: Content, parts: DocumentPackage): Promise<XlsxWorkbook> {
  const main = mainPart(parts, "xl/workbook.xml");
  const relations = relationsOf(parts, main);
  const root = parts.tree(main);
  if (root === null) throw content.unreadable("its workbook is missing");
  const date1904 = elementAt(root, "workbookPr")?.attributes.date1904;
  const [strings] = related(relations, "sharedStrings");
  const [styles] = related(relations, "styles");
  return {
    sheets: sheetsOf(relations, root),
    strings: strings === undefined ? [] : sharedStrings(parts, strings),
    formats: styles === undefined ? [] : cellFormats(parts.tree(styles)),
    format: await numberFormatter(date1904 === "1" || date1904 === "true"),
    people: names(parts, related(relations, "person")),
  };
}

function sheetsOf(relations: ReadonlyMap<string, Relation>, root: XmlElement): XlsxSheet[] {
  return elementsOf(elementAt(root, "sheets"), "sheet").flatMap(({ attributes }) => {
    const part = relations.get(qualified(attributes, "id") ?? "")?.target;
    const isHidden = attributes.state === "hidden" || attributes.state === "veryHidden";
    return part === undefined ? [] : { name: attributes.name ?? "", isHidden, part };
  });
}

function sharedStrings(parts: DocumentPackage, part: string): string[] {
  const strings: string[] = [];
  const reader = new StringReader();
  parts.walk(part, {
    open(name) {
      if (name === "si") reader.begin();
      else reader.open(name);
    },
    text: (text) => reader.text(text),
    close(name) {
      if (name === "si") strings.push(oneLine(reader.end()));
      else reader.close(name);
    },
  });
  return strings;
}

/** Collects the text of a string: its runs, without readings that stand beside them. */
export class StringReader {
  private parts: string[] = [];
  private isText = false;
  private isReading = false;

  begin(): void {
    this.parts = [];
  }

  open(name: string): void {
    if (name === "rPh") this.isReading = true;
    this.isText = name === "t" && !this.isReading;
  }

  text(text: string): void {
    if (this.isText) this.parts.push(text);
  }

  close(name: string): void {
    this.isText = false;
    if (name === "rPh") this.isReading = false;
  }

  end(): string {
    return unescaped(this.parts.join(""));
  }
}

/** Characters that XML cannot hold are written as _xHHHH_. */
export function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

function cellFormats(styles: XmlElement | null): (string | number)[] {
  const own = new Map(
    elementsOf(elementAt(styles, "numFmts")).map(({ attributes }) => [attributes.numFmtId, attributes.formatCode]),
  );
  return elementsOf(elementAt(styles, "cellXfs")).map(
    ({ attributes: { numFmtId } }) => own.get(numFmtId) ?? Number(numFmtId ?? 0),
  );
}

function names(parts: DocumentPackage, people: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of people)
    for (const { attributes } of elementsOf(parts.tree(part)))
      found.set(attributes.id ?? "", attributes.displayName ?? "");
  return found;
}
