/** Blocks of texts whose markup is a matter of lines: gathered line by line, each in its place. */
import type { BlockCollector } from "../../block-collector.ts";
import type { BlockKind } from "../../blocks.ts";

export class LineBlocks {
  private gathered: string[] = [];
  private kind: BlockKind = "paragraph";
  private first = 0;

  constructor(
    private readonly blocks: BlockCollector,
    /** Takes the markup inside of lines away. */
    private readonly readable: (text: string) => string = (text) => text,
  ) {}

  /** Goes on with what was begun, or begins a paragraph. Lines are counted from 0 on. */
  add(line: string, index: number): void {
    if (this.gathered.length === 0) this.begin("paragraph", line, index);
    else this.gathered.push(line);
  }

  begin(kind: BlockKind, line: string, index: number): void {
    this.end();
    this.kind = kind;
    this.first = index;
    this.gathered.push(line);
  }

  /** The lines that were gathered, which are something else than they seemed. */
  take(): string[] {
    return this.gathered.splice(0);
  }

  end(): void {
    const text = this.gathered.splice(0).join("\n");
    this.blocks.at({ line: this.first + 1 });
    this.blocks.add(this.kind, this.readable(text));
  }

  heading(text: string, level: number, index: number): void {
    this.end();
    this.blocks.at({ line: index + 1 });
    this.blocks.add("heading", this.readable(text), Math.min(6, Math.max(1, level)));
  }

  /** Lines that stay letter for letter, without the indentation that all of them have. */
  code(lines: readonly string[], index: number): void {
    this.end();
    const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
    const indent = indents.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
    const blank = Math.max(
      0,
      lines.findIndex((line) => line.trim() !== ""),
    );
    this.blocks.at({ line: index + blank + 1 });
    this.blocks.add("code", lines.map((line) => line.slice(Math.min(indent, line.length))).join("\n"));
  }
}
