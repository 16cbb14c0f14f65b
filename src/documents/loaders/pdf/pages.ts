/** The pages of a PDF, one after the other: each is let go of before the next is read. */
import { commentsOf, fieldItems } from "./annotations.ts";
import type { Annotation } from "./annotations.ts";
import { drawnBoxes } from "./drawn-boxes.ts";
import { legible } from "./garbled.ts";
import { readAsMarked, type Mark } from "./marked-content.ts";
import { pageParts } from "./page-parts.ts";
import type { PagePart, PageText } from "./page-parts.ts";
import { rowsOf } from "./rows.ts";
import type { TextItem } from "./run.ts";
import { RunningHeads } from "./running-heads.ts";
import { runsOf } from "./runs.ts";
import type { ScannedPages } from "./scanned-pages.ts";
import { structureTexts } from "./structure-texts.ts";
import type { PDFDocumentProxy, PDFPageProxy } from "./pdfjs.ts";

/** A document of which so many letters are equally wide is typed so, and is no program. */
const TYPEWRITTEN = 0.5;

/** What is known of a document before its pages are read. */
export interface Known {
  /** Of each page, by its number. */
  readonly annotations: ReadonlyMap<number, readonly Annotation[]>;
  /** Whether its structure gives texts to what is drawn. */
  readonly givesTexts: boolean;
}

/** What a reader sees, in order, without what only repeats on every page. */
export async function* readParts(
  document: PDFDocumentProxy,
  known: Known,
  scans: ScannedPages,
): AsyncGenerator<PagePart> {
  const heads = new RunningHeads<PageText>(document.numPages);
  const letters = { all: 0, monospaced: 0 };
  const partsOf = (page: PageText) => pageParts(page, letters.monospaced < letters.all * TYPEWRITTEN);
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await readPage(document, number, known, scans);
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
  known: Known,
  scans: ScannedPages,
): Promise<PageText> {
  const page = await document.getPage(number);
  const { items, styles } = await page.getTextContent({ includeMarkedContent: true });
  const drawn = legible(await asRead(page, items as readonly (TextItem | Mark)[], known));
  const letters = drawn.reduce((sum, { str }) => sum + str.replace(/\s/g, "").length, 0);
  const recognised = await scans.read(page, letters);
  page.cleanup();
  const annotations = known.annotations.get(number) ?? [];
  const directions = runsOf([...drawn, ...fieldItems(annotations)], styles).map(rowsOf);
  return { number, directions, recognised, notes: commentsOf(annotations) };
}

/** The page's text, given or drawn. */
async function asRead(
  page: PDFPageProxy,
  items: readonly (TextItem | Mark)[],
  { givesTexts }: Known,
): Promise<readonly TextItem[]> {
  const structure = givesTexts ? await structureTexts(page) : new Map<number, string>();
  return readAsMarked(items, structure, () => drawnBoxes(page, structure));
}
