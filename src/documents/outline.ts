/** Where a document's blocks and headings begin, asked by position. */
import type { BlockKind, JoinedText } from "./blocks.ts";

export class Outline {
  private readonly starts: Uint32Array;
  private readonly kinds: readonly BlockKind[];
  /** For each block, the first and the one after the last of the headings in a row to which it belongs; else itself. */
  private readonly rowFirst: Uint32Array;
  private readonly rowEnd: Uint32Array;

  constructor(joined: JoinedText) {
    const count = joined.starts.length;
    this.starts = joined.starts;
    this.kinds = joined.kinds;
    this.rowFirst = new Uint32Array(count);
    this.rowEnd = new Uint32Array(count);
    for (let index = 0; index < count; index += 1) {
      const continues = index > 0 && this.isHeading(index) && this.isHeading(index - 1);
      this.rowFirst[index] = continues ? (this.rowFirst[index - 1] ?? 0) : index;
    }
    for (let index = count - 1; index >= 0; index -= 1) {
      const continues = this.isHeading(index) && this.isHeading(index + 1);
      this.rowEnd[index] = continues ? (this.rowEnd[index + 1] ?? count) : index + 1;
    }
  }

  /** The best start of a block in (after, to]: the last heading, else the last block that does not follow a heading. */
  lastBreak(after: number, to: number): number | undefined {
    let paragraph: number | undefined;
    for (let index = this.blockAt(to); index > 0; index -= 1) {
      const start = this.starts[index] ?? 0;
      if (start <= after) break;
      if (this.isHeading(index - 1)) continue;
      if (this.isHeading(index)) return start;
      paragraph ??= start;
    }
    return paragraph;
  }

  /**
   * A cut that would leave a heading, or a part of one, at the end of a chunk is moved before the heading (before all of
   * several in a row), unless that is not after `from`. `textEnd` is where the text before the cut ends, but for blanks.
   */
  keepHeading(cut: number, textEnd: number, from: number): number {
    const index = this.blockAt(textEnd - 1);
    if (!this.isHeading(index)) return cut;
    const start = this.starts[this.rowFirst[index] ?? 0] ?? 0;
    return start > from ? start : cut;
  }

  /** Whether a heading begins there. */
  isHeadingStart(position: number): boolean {
    const index = this.blockAt(position);
    return this.isHeading(index) && this.starts[index] === position;
  }

  /** Where the text under the heading begins in which the position lies; undefined when it lies in none. */
  contentAfterHeading(position: number): number | undefined {
    const index = this.blockAt(position);
    return this.isHeading(index) ? this.starts[this.rowEnd[index] ?? 0] : undefined;
  }

  /** Whether lines mean more than sentences there. */
  isCode(position: number): boolean {
    return this.kinds[this.blockAt(position)] === "code";
  }

  /** The block in which the position lies, or the one before a gap. */
  blockAt(position: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.starts[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  private isHeading(index: number): boolean {
    return this.kinds[index] === "heading";
  }
}
