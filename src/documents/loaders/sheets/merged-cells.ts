/** Cells of a sheet that are merged over others: what stands in one of them is said of all the rows, and names all the columns, that it covers. */

/** Rows count from 1, columns from 0; the ends belong to it. */
export interface MergedRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** What is longer is written once. */
const LONGEST_REPEATED = 200;
/** Columns to the right of all that a row holds. */
const MOST_BEYOND = 256;
/** Ranges that cover one row. */
const MOST_OPEN = 512;

interface OpenRange extends MergedRange {
  readonly text: string;
}

/** The merged ranges of one sheet, asked row by row, downwards. */
export class MergedCells {
  /** The uppermost last. */
  private readonly coming: MergedRange[];
  private open: OpenRange[] = [];

  constructor(ranges: readonly MergedRange[]) {
    this.coming = ranges.filter(isSeveral).toSorted((a, b) => b.top - a.top);
  }

  /** Puts what is merged downwards into the row's cells. Ranges that begin in the row may become known with it. */
  over(row: number, cells: string[], begun: readonly MergedRange[] = []): void {
    this.open = this.open.filter(({ bottom }) => bottom >= row);
    for (const { left, text } of this.open) if (left < cells.length) cells[left] ||= text;
    for (const range of begun) if (isSeveral(range)) this.coming.push(range);
    for (let next = this.coming.at(-1); next !== undefined && next.top <= row; next = this.coming.at(-1)) {
      this.coming.pop();
      const text = next.top === row ? (cells[next.left] ?? "") : "";
      if (text !== "" && text.length <= LONGEST_REPEATED && this.hasRoomFor(next)) this.open.push({ ...next, text });
    }
  }

  /** The cells of the row that was given last with what is merged to the right in each column; undefined where nothing is. */
  spread(cells: readonly string[]): readonly string[] | undefined {
    let spread: string[] | undefined;
    for (const { left, right, text } of this.open) {
      if (right === left) continue;
      spread ??= [...cells];
      for (let column = left + 1; column <= Math.min(right, cells.length + MOST_BEYOND); column += 1)
        spread[column] ||= text;
    }
    return spread && Array.from(spread, (text) => text ?? "");
  }

  /** Ranges that lie over others are of damaged files, or of such as are to take long. */
  private hasRoomFor({ left, right }: MergedRange): boolean {
    return this.open.length < MOST_OPEN && !this.open.some((other) => left <= other.right && other.left <= right);
  }
}

function isSeveral({ top, bottom, left, right }: MergedRange): boolean {
  return bottom > top || right > left;
}
