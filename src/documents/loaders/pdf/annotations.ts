/** What was written onto a page: values of form fields, which are read where they stand, and comments. */
import type { TextItem } from "./run.ts";
import type { PDFDocumentProxy } from "./pdfjs.ts";

/** The part of pdf.js's annotations that is used. */
export interface Annotation {
  readonly pageIndex?: number;
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly annotationFlags?: number;
  readonly contentsObj?: { readonly str?: string };
  readonly fieldType?: string | null;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly options?: readonly { readonly exportValue?: unknown; readonly displayValue?: unknown }[];
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly exportValue?: unknown;
  readonly buttonValue?: unknown;
  readonly fileId?: string;
  readonly file?: { readonly filename?: string };
}

/** Bits of an annotation's flags: not shown. */
const INVISIBLE = 1 | 2 | 32;
/** The numbers that pdf.js gives to all kinds but links, which lead elsewhere, and pop-ups, which repeat their comment. */
const KINDS: ReadonlySet<number> = new Set([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 20]);
/** The letters of a field take up this share of its height, and no more points than the second number. */
const LETTERS = 0.7;
const LARGEST = 11;
const LINE = 1.2;
const LETTER_WIDTH = 0.5;
const TICKED = "☒";

/** The annotations of each page, by its number. Looks at all pages at once, which takes a tenth of the time of asking page by page. */
export async function annotationsOf(document: PDFDocumentProxy): Promise<Map<number, Annotation[]>> {
  const pages = new Map<number, Annotation[]>();
  const all: Annotation[] = (await document.getAnnotationsByType(new Set(KINDS), new Set())) ?? [];
  for (const annotation of all) {
    const number = (annotation.pageIndex ?? 0) + 1;
    const page = pages.get(number);
    if (page === undefined) pages.set(number, [annotation]);
    else page.push(annotation);
  }
  return pages;
}

/** Texts of comments, as they follow one another. */
export function commentsOf(annotations: readonly Annotation[]): string[] {
  const shown = annotations.filter(
    ({ subtype, annotationFlags = 0 }) => subtype !== "Widget" && !(annotationFlags & INVISIBLE),
  );
  return [...new Set(shown.map(({ contentsObj }) => contentsObj?.str?.trim() ?? "").filter((text) => text !== ""))];
}

/** Values of form fields as text that was drawn in their place. */
export function fieldItems(annotations: readonly Annotation[]): TextItem[] {
  return annotations.flatMap((annotation) => {
    const { subtype, rect, annotationFlags = 0 } = annotation;
    if (subtype !== "Widget" || annotationFlags & INVISIBLE || rect?.length !== 4) return [];
    const lines = fieldText(annotation)
      .split(/[\r\n]+/)
      .filter((line) => line.trim() !== "");
    const [left = 0, bottom = 0, , top = 0] = rect;
    const height = Math.min(((top - bottom) / Math.max(lines.length, 1)) * LETTERS, LARGEST);
    const base = lines.length === 1 ? (top + bottom) / 2 - height / 3 : top - height;
    return lines.map((str, index) => ({
      str,
      transform: [height, 0, 0, height, left, base - index * height * LINE],
      width: str.length * height * LETTER_WIDTH,
      height,
      fontName: "",
    }));
  });
}

function fieldText(annotation: Annotation): string {
  const { fieldType, fieldValue, password, options = [] } = annotation;
  if (password === true) return "";
  if (fieldType === "Tx") return typeof fieldValue === "string" ? fieldValue : "";
  if (fieldType === "Ch") {
    const shown = (value: unknown) => options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value;
    return [fieldValue]
      .flat()
      .map(shown)
      .filter((value) => typeof value === "string")
      .join(", ");
  }
  return isTicked(annotation) ? TICKED : "";
}

function isTicked({ fieldType, fieldValue, checkBox, radioButton, exportValue, buttonValue }: Annotation): boolean {
  if (fieldType !== "Btn" || typeof fieldValue !== "string" || fieldValue === "Off") return false;
  return (checkBox === true && fieldValue === exportValue) || (radioButton === true && fieldValue === buttonValue);
}
