/** Excel workbooks (.xlsx and its kin). */
import type { BlockCollector } from "../../block-collector.ts";
import { holdsStream, isCompoundFile } from "../../compound-file.ts";
import type { Content } from "../../content.ts";
import { CellNotes } from "./cell-notes.ts";
import { cellReference } from "./cell-reference.ts";
import { dublinCore } from "../office/dublin-core.ts";
import { namedFormat } from "../loader.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { related, relationsOf } from "../office/office-relations.ts";
import { CellBudget, SheetWriter } from "./sheet-writer.ts";
import { writeXlsb } from "./xlsb.ts";
import { mergedRanges, XlsxRows } from "./xlsx-sheet.ts";
import { openWorkbook, unescaped, type XlsxWorkbook } from "./xlsx-workbook.ts";
import { readXml, XmlRefusal } from "../office/xml.ts";
import { descendants, elementAt, elementsOf, textIn } from "../office/xml-tree.ts";
import type { DocumentPackage } from "../office/document-package.ts";
import { openPackage, recognisePackage } from "../office/open-package.ts";

const format: Format = {
  mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  extensions: ["xlsx", "xlsm", "xltx", "xltm"],
};

const binary: Format = { mimeType: "application/vnd.ms-excel.sheet.binary.macroenabled.12", extensions: ["xlsb"] };

export const xlsxLoader: Loader = {
  id: "xlsx",
  formats: [format, binary],
  recognise,
  load,
};

function recognise(content: Content): Recognition | null {
  if (isCompoundFile(content.bytes)) {
    const isNamed = namedFormat(xlsxLoader, content) !== undefined;
    return isNamed && holdsStream(content.bytes, "EncryptedPackage") ? { certainty: "possible", format } : null;
  }
  return recognisePackage(xlsxLoader, content, ({ names }) => {
    const main = names.find((name) => /^xl\/workbook\d*\.(?:xml|bin)$/.test(name));
    return main === undefined ? null : main.endsWith(".bin") ? binary : format;
  });
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  if (isCompoundFile(content.bytes)) throw content.unreadable("it is protected with a password");
  const parts = openPackage(content);
  blocks.describe(dublinCore(parts.tree("docProps/core.xml")));
  if (parts.has("xl/workbook.bin")) return writeXlsb(parts, content, blocks);
  const workbook = await openWorkbook(content, parts);
  const budget = new CellBudget(content);
  for (const { name, isHidden, part } of workbook.sheets) {
    const xml = parts.text(part);
    if (xml === null) continue;
    const notes = cellNotes(parts, part, workbook);
    const writer = new SheetWriter(content, blocks, { name, isHidden, merged: mergedRanges(xml), notes }, budget);
    readRows(xml, new XlsxRows(workbook, (row, shown) => writer.write(row, shown)), content);
    writer.finish(drawnText(parts, part));
  }
}

function readRows(xml: string, rows: XlsxRows, content: Content): void {
  try {
    readXml(xml, rows, content.limits);
  } catch (error) {
    if (error instanceof XmlRefusal) throw content.unreadable(error.message, error);
    throw error;
  }
}

/** Comments. Where programs keep conversations apart, the older form only says that there is one. */
function cellNotes(parts: DocumentPackage, sheet: string, { people }: XlsxWorkbook): CellNotes["byRow"] {
  const relations = relationsOf(parts, sheet);
  const notes = new CellNotes();
  const threaded = new Set<string>();
  for (const part of related(relations, "threadedComment"))
    for (const comment of elementsOf(parts.tree(part), "threadedComment")) {
      const { ref = "", personId = "" } = comment.attributes;
      const cell = cellReference(ref);
      threaded.add(ref);
      if (cell !== null) notes.add(cell, people.get(personId) ?? "", textIn(elementAt(comment, "text")));
    }
  for (const part of related(relations, "comments")) {
    const root = parts.tree(part);
    const authors = elementsOf(elementAt(root, "authors"), "author").map(textIn);
    for (const comment of elementsOf(elementAt(root, "commentList"), "comment")) {
      const { ref = "", authorId = "" } = comment.attributes;
      const cell = cellReference(ref);
      const text = descendants(elementAt(comment, "text"), "t", "rPh").map((run) =>
        run.name === "t" ? textIn(run) : "",
      );
      if (cell !== null && !threaded.has(ref))
        notes.add(cell, authors[Number(authorId)] ?? "", unescaped(text.join("")));
    }
  }
  return notes.byRow;
}

/** The paragraphs of text boxes, and the titles of charts. */
function drawnText(parts: DocumentPackage, sheet: string): string[] {
  const lines: string[] = [];
  for (const drawing of related(relationsOf(parts, sheet), "drawing"))
    for (const part of [drawing, ...related(relationsOf(parts, drawing), "chart")])
      for (const paragraph of descendants(parts.tree(part), "p"))
        lines.push(descendants(paragraph, "t").map(textIn).join(""));
  return lines;
}
