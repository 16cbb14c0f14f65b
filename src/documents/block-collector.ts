/** Where loaders put what they find: text is cleaned, blanks are dropped, and the whole stays within its limit. */
import { cleanText } from "./blocks.ts";
import type { Block, BlockKind } from "./blocks.ts";
import type { Content } from "./content.ts";

export class BlockCollector {
  readonly blocks: Block[] = [];
  private characters = 0;

  constructor(private readonly content: Content) {}

  /** Forgets what was added, for a loader that must begin again. */
  clear(): void {
    this.blocks.length = 0;
    this.characters = 0;
  }

  /** Adds a block; a blank one is ignored. Throws UNREADABLE_FILE when the document becomes longer than the limit. */
  add(kind: BlockKind, text: string, level?: number): void {
    const clean = cleanText(text)
      .trimEnd()
      .replace(/^(?:[^\S\n]*\n)+/, "");
    if (clean.trim() === "") return;
    this.characters += clean.length;
    const { maxTextCharacters } = this.content.limits;
    if (this.characters > maxTextCharacters) {
      throw this.content.unreadable(`it holds more than ${maxTextCharacters} characters of text`);
    }
    this.blocks.push(level === undefined ? { kind, text: clean } : { kind, level, text: clean });
  }
}
