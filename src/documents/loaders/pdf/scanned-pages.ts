/** Pages of a PDF that hold pictures in place of text: their text is recognised. */
import type { Content } from "../../content.ts";
import { isLackOfLanguage } from "../../ocr/language-choice.ts";
import { TextRecogniser } from "../../ocr/recogniser.ts";
import type { PagePart } from "./page-parts.ts";
import type { PDFPageProxy } from "./pdfjs.ts";
import { scanOn } from "./scan-on-page.ts";

/** A page with more letters is read by them: fewer may be a stamp, or a number, on a scan. */
const FEW_LETTERS = 60;
/** Of a document's pages so many may be in languages that are not here; with more of them it is refused. */
const FEW_PAGES = 0.1;

export class ScannedPages {
  private recogniser: TextRecogniser | undefined;
  private lacking: { readonly error: unknown; pages: number } | undefined;
  private hasText = false;

  constructor(
    private readonly content: Content,
    private readonly pages: number,
  ) {}

  /** The text that is recognised on a page of so many letters; none where they are its text. */
  async read(page: PDFPageProxy, letters: number): Promise<PagePart[]> {
    if (letters > FEW_LETTERS) this.hasText = true;
    const parts = letters > FEW_LETTERS ? [] : await this.recognise(page);
    // A document of text alone is to be read as quickly as any other.
    if (this.recogniser !== undefined) this.content.recognition.progress(page.pageNumber / this.pages);
    return parts;
  }

  /** Call it after the last page. Throws NO_OCR_LANGUAGE where too much is in a language that is not here. */
  end(): void {
    if (this.lacking === undefined) return;
    if (!this.hasText || this.lacking.pages > this.pages * FEW_PAGES) throw this.lacking.error;
  }

  private async recognise(page: PDFPageProxy): Promise<PagePart[]> {
    const picture = await scanOn(page);
    // Its images are large, and are needed no more.
    page.cleanup();
    if (picture === null) return [];
    this.recogniser ??= await TextRecogniser.for(this.content);
    try {
      const { paragraphs } = await this.recogniser.read(picture);
      if (paragraphs.length > 0) this.hasText = true;
      return paragraphs.map((text) => ({
        kind: "paragraph",
        text,
        height: 0,
        font: null,
        lines: 1,
        page: page.pageNumber,
        columns: null,
      }));
    } catch (error) {
      if (!isLackOfLanguage(error)) throw error;
      this.lacking = { error, pages: (this.lacking?.pages ?? 0) + 1 };
      return [];
    }
  }
}
