/** The pages of a PDF, one after the other: each is let go of before the next is read. */
import { commentsOf, fieldItems } from "./annotations.ts";
import type { Annotation } from "./annotations.ts";
import { legible } from "./garbled.ts";
import { pageParts } from "./page-parts.ts";
import type { PagePart, PageText } from "./page-parts.ts";
import { rowsOf } from "./rows.ts";
import type { TextItem } from "./run.ts";
import { RunningHeads } from "./running-heads.ts";
import { runsOf } from "./runs.ts";
import type { ScannedPages } from "./scanned-pages.ts";
import type { PDFDocumentProxy } from "./pdfjs.ts";

/** A document of which so many letters are equally wide is typed so, and is no program. */
const TYPEWRITTEN = 0.5;

/** What a reader sees, in order, without what only repeats on every page; with the annotations of each page, by its number. */
export async function* readParts(
  document: PDFDocumentProxy,
  annotations: ReadonlyMap<number, readonly Annotation[]>,
  scans: ScannedPages,
): AsyncGenerator<PagePart> {
  const heads = new RunningHeads<PageText>(document.numPages);
  const letters = { all: 0, monospaced: 0 };
  const partsOf = (page: PageText) => pageParts(page, letters.monospaced < letters.all * TYPEWRITTEN);
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await readPage(document, number, annotations.get(number) ?? [], scans);
    for (const { text, monospaced } of page.directions.flat().flatMap(({ runs }) => runs)) {
      letters.all += text.length;
      if (monospaced) letters.monospaced += text.length;
    }
    for (const ready of heads.take(page)) yield* partsOf(ready);
  }
  for (const ready of heads.end()) yield* partsOf(ready);
  scans.end();
}

async function readPage(
  document: PDFDocumentProxy,
  number: number,
  annotations: readonly Annotation[],
  scans: ScannedPages,
): Promise<PageText> {
  const page = await document.getPage(number);
  const { items, styles } = await page.getTextContent();
  const drawn = legible(items.filter((item): item is typeof item & TextItem => "str" in item));
  const letters = drawn.reduce((sum, { str }) => sum + str.replace(/\s/g, "").length, 0);
  const recognised = await scans.read(page, letters);
  page.cleanup();
  const directions = runsOf([...drawn, ...fieldItems(annotations)], styles).map(rowsOf);
  return { number, directions, recognised, notes: commentsOf(annotations) };
}
