/** A stream of an RTF document's text: the document itself, a note, a comment, a text box. Its paragraphs and table rows become blocks, or lines. */
import type { BlockKind } from "../../blocks.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { TableWriter } from "../office/table-writer.ts";

/** Of the paragraph that is being written. */
export interface RtfParagraph {
  /** Of a heading. */
  readonly level: number | null;
  readonly inTable: boolean;
  /** Of a list, from 0 on. */
  readonly listLevel: number;
}

const BULLETS = /^[•·▪o§\u25cf-]$/;
/** Mail programs part paragraphs by line breaks. */
const BLANK_LINES = /\n[^\S\n]*(?:\n[^\S\n]*)+/;
const DEEPEST_INDENT = 6;
const CELL_SEPARATOR = " | ";

export class RtfFlow {
  /** The paragraph so far, whether it is more than blanks, and the mark before it. */
  private text = "";
  private isVisible = false;
  private mark = "";
  /** The row so far, and its last cell. */
  private cells: string[] = [];
  private cell = "";
  private nestedCells: string[] = [];
  private isHeader = false;
  private table: TableWriter | null = null;
  private following: Array<() => void> = [];
  /** What was written, of a stream that is put together before it is shown. */
  readonly lines: string[] = [];

  /** `blocks`: where it is written to at once; null where its lines are collected. */
  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector | null,
  ) {}

  add(text: string): void {
    this.text += text;
    this.isVisible ||= /\S/.test(text);
  }

  /** What is printed before a list's item. */
  addMark(text: string): void {
    this.mark += text;
  }

  /** Does something after what is being written. */
  after(write: () => void): void {
    if (!this.isVisible && this.cells.length === 0 && this.cell === "") write();
    else this.following.push(write);
  }

  endParagraph({ level, inTable, listLevel }: RtfParagraph): void {
    const marked = this.takeParagraph(inTable ? 0 : listLevel);
    if (inTable) {
      this.cell += `${marked.text.trim()}\n`;
      return;
    }
    this.endTable();
    if (marked.text.trim() === "") return;
    if (level !== null) this.write("heading", marked.text.trim().replaceAll("\n", " "), level);
    else if (marked.isItem) this.write("list-item", marked.text);
    else for (const part of marked.text.split(BLANK_LINES)) this.write("paragraph", part);
    this.settle();
  }

  endCell(): void {
    this.cells.push((this.cell + this.takeParagraph(0).text).trim());
    this.cell = "";
    this.limit(this.cells);
  }

  endNestedCell(): void {
    this.nestedCells.push(this.takeParagraph(0).text.trim());
    this.limit(this.nestedCells);
  }

  endNestedRow(): void {
    this.cell += `${this.nestedCells.filter((cell) => cell !== "").join(", ")}\n`;
    this.nestedCells = [];
  }

  /** The row being written repeats on each page. */
  headRow(): void {
    this.isHeader = true;
  }

  endRow(): void {
    // Text after the last cell is none of the row's.
    const { cells, isHeader } = this;
    this.cells = [];
    this.isHeader = false;
    if (this.blocks === null) this.lines.push(cells.filter((cell) => cell !== "").join(CELL_SEPARATOR));
    else {
      this.table ??= new TableWriter(this.content, this.blocks);
      this.table.row(cells, isHeader);
    }
    this.settle();
  }

  /** Writes what is left. */
  end(paragraph: RtfParagraph): void {
    if (this.cells.length > 0 || this.cell !== "") {
      this.endCell();
      this.endRow();
    }
    this.endParagraph({ ...paragraph, inTable: false });
    this.settle();
  }

  private takeParagraph(listLevel: number): { text: string; isItem: boolean } {
    const mark = this.mark.trim();
    const text = this.text.trimEnd();
    this.mark = this.text = "";
    this.isVisible = false;
    if (mark === "" || text.trim() === "") return { text, isItem: false };
    const indent = "  ".repeat(Math.min(listLevel, DEEPEST_INDENT));
    return { text: `${indent}${BULLETS.test(mark) ? "-" : mark} ${text.trimStart()}`, isItem: true };
  }

  private write(kind: BlockKind, text: string, level?: number): void {
    if (this.blocks === null) this.lines.push(text.trim());
    else this.blocks.add(kind, text, level);
  }

  private endTable(): void {
    this.table?.end();
    this.table = null;
  }

  private settle(): void {
    for (const write of this.following.splice(0)) write();
  }

  private limit(cells: readonly string[]): void {
    const { maxColumns } = this.content.limits;
    if (cells.length > maxColumns) throw this.content.unreadable(`it has a table of more than ${maxColumns} columns`);
  }
}
