/** The rows of a page → what a reader sees on it, in order: paragraphs, items of lists, programs, and rows of tables. */
import { partsOf } from "./layout.ts";
import { lineOf } from "./lines.ts";
import { continued, paragraphsOf } from "./paragraphs.ts";
import type { Paragraph } from "./paragraphs.ts";
import type { PageRows } from "./running-heads.ts";
import type { Row } from "./run.ts";
import { tablePartsOf } from "./tables.ts";

/** A page's rows, and what is written on it beside its text: comments. */
export interface PageText extends PageRows {
  /** What was recognised in its images. */
  readonly recognised: readonly PagePart[];
  readonly notes: readonly string[];
}

export interface PagePart extends Paragraph {
  /** Its number. */
  readonly page: number;
  /** The names of a table's columns, for its rows. */
  readonly columns: string | null;
}

/** Between the cells of a row. */
const CELL_SEPARATOR = " | ";

/** `code`: letters that are all equally wide are those of a program, and not of the whole document. */
export function pageParts({ number, directions, recognised, notes }: PageText, code: boolean): PagePart[] {
  const found: PagePart[] = [];
  const add = (paragraph: Paragraph, columns: string | null = null) =>
    found.push({ ...paragraph, page: number, columns });
  const addText = (rows: readonly Row[], mayContinue: boolean) => {
    const paragraphs = paragraphsOf(rows.map(lineOf), code);
    const [first, ...others] = paragraphs;
    const last = found.at(-1);
    const whole = mayContinue && first !== undefined && last !== undefined ? continued(last, first) : null;
    if (whole !== null) found[found.length - 1] = { ...whole, page: number, columns: null };
    else if (first !== undefined) add(first);
    for (const paragraph of others) add(paragraph);
  };
  for (const rows of directions) {
    let before: "text" | "table" | null = null;
    for (const part of partsOf(rows)) {
      // Columns of letters that are all equally wide are those of a program.
      const program = code && part.rows.every(({ runs }) => runs.every(({ monospaced }) => monospaced));
      if (part.kind === "text" || program) addText(part.rows, before === "text");
      else addTable(part.rows, add, (alone) => addText(alone, false));
      before = part.kind;
    }
  }
  found.push(...recognised);
  for (const text of notes) add({ kind: "paragraph", text, height: 0, font: null, lines: 1 });
  return found;
}

function addTable(
  rows: readonly Row[],
  add: (paragraph: Paragraph, columns: string | null) => void,
  addText: (rows: readonly Row[]) => void,
): void {
  const { height, font } = lineOf(rows[0]!);
  for (const part of tablePartsOf(rows)) {
    if ("text" in part) addText(part.text);
    else {
      const text = part.cells.join(CELL_SEPARATOR);
      add({ kind: "row", text, height, font, lines: 1 }, part.names?.join(CELL_SEPARATOR) ?? null);
    }
  }
}
