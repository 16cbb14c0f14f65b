/** Takes the blocks that come of a Word document by way of HTML: its own numbers instead of HTML's, and tables under their columns' names. */
import type { BlockCollector } from "../../block-collector.ts";
import type { BlockKind } from "../../blocks.ts";
import { columnNames } from "../sheets/delimited-rows.ts";
import { NUMBER_MARK } from "./docx-rewriting.ts";
import type { BlockSink } from "../html/html-blocks.ts";

const SEPARATOR = " | ";
/** What HTML prints before an item that has a number of its own. */
const REPLACED = new RegExp(`^( *)(?:- |\\d+\\. )?${NUMBER_MARK}`);

export class DocxBlocks implements BlockSink {
  private inTable = false;

  constructor(private readonly blocks: BlockCollector) {}

  add(kind: BlockKind, text: string, level?: number): void {
    const shown = text.includes(NUMBER_MARK) ? text.replace(REPLACED, "$1").replaceAll(NUMBER_MARK, "") : text;
    if (kind !== "row" && this.inTable) this.under(null);
    this.blocks.add(kind, shown, level);
    if (kind !== "row") return;
    if (!this.inTable && columnNames(shown.split(SEPARATOR)) !== null) this.blocks.under(shown);
    this.inTable = true;
  }

  /** A table begins or ends, or its columns are named. */
  under(columns: string | null): void {
    this.inTable = columns !== null;
    this.blocks.under(columns);
  }
}
