/** What stands in the place of a page's images: their descriptions, unless they only name a file, were given before, or a caption says it. */
import { oneLine } from "../../clean-text.ts";

const FILE_NAME = /^[!-~]*$|\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?)$/i;

export class ImageTexts {
  private readonly seen = new Set<string>();
  /** Descriptions of the images of the figure that is open. */
  private figure: string[] | null = null;
  private hasCaption = false;

  /** The text to be put where an image stands; "" for none. */
  textOf(description = ""): string {
    const text = oneLine(description);
    if (FILE_NAME.test(text) || this.seen.has(text)) return "";
    this.seen.add(text);
    if (this.figure === null) return ` ${text} `;
    this.figure.push(text);
    return "";
  }

  openFigure(): void {
    this.figure = [];
    this.hasCaption = false;
  }

  caption(): void {
    this.hasCaption = true;
  }

  /** The text to be put at the end of the figure; "" where its caption says it. */
  closeFigure(): string {
    const texts = this.hasCaption ? [] : (this.figure ?? []);
    this.figure = null;
    return texts.map((text) => `\n${text}`).join("");
  }
}
