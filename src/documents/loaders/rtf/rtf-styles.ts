/** Which of an RTF document's paragraph styles are headings, and of which level (RTF 1.9.1, Style Sheet). */

/** Programs that do not say a style's level name it. */
const HEADING_NAME = /^\s*(?:heading (\d)|title)\s*;/i;

export class RtfStyles {
  private readonly levels = new Map<number, number>();
  /** The style that is being described. */
  private number = 0;
  private name = "";

  begin(number: number): void {
    this.number = number;
  }

  addName(text: string): void {
    this.name += text;
  }

  setLevel(level: number): void {
    this.levels.set(this.number, level);
  }

  end(): void {
    const named = HEADING_NAME.exec(this.name);
    if (named !== null) this.setLevel(Number(named[1] ?? 1));
    this.name = "";
    this.number = 0;
  }

  /** The level of headings of this style, from 1 on; null for text. */
  levelOf(number: number): number | null {
    return this.levels.get(number) ?? null;
  }
}
