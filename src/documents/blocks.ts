/** The common form every loader produces: a document as a list of blocks in reading order, and as one text. */
import type { Place } from "../foundation/place.ts";

export type BlockKind = "heading" | "paragraph" | "list-item" | "row" | "code";

export interface Block {
  kind: BlockKind;
  /** 1 is the highest; headings only. */
  level?: number;
  /** Lines may be separated by "\n". */
  text: string;
  /** Where it begins. Headings are known from the blocks themselves. */
  place?: Readonly<Place>;
  /** What gives it meaning where it stands apart from what comes before: a table's column names. */
  context?: string;
}

/** Blocks joined into one text, with the place of each. */
export interface JoinedText {
  text: string;
  /** Where each block begins, ascending. */
  starts: Uint32Array;
  kinds: BlockKind[];
  /** The block of each, in the list that was joined. */
  blocks: readonly Block[];
}

/** Kinds whose neighbours of the same kind belong together, on lines of their own without a blank one between. */
const TIGHT_KINDS: ReadonlySet<BlockKind> = new Set(["list-item", "row"]);

/** Joins blocks with a blank line, or with a line break inside lists and tables. Blank blocks are left out. */
export function joinBlocks(blocks: readonly Block[]): JoinedText {
  const parts: string[] = [];
  const starts: number[] = [];
  const kinds: BlockKind[] = [];
  const joined: Block[] = [];
  let length = 0;
  for (const block of blocks) {
    const { kind, text } = block;
    if (text.trim() === "") continue;
    const previous = kinds.at(-1);
    if (previous !== undefined) {
      const separator = previous === kind && TIGHT_KINDS.has(kind) ? "\n" : "\n\n";
      parts.push(separator);
      length += separator.length;
    }
    starts.push(length);
    kinds.push(kind);
    joined.push(block);
    parts.push(text);
    length += text.length;
  }
  return { text: parts.join(""), starts: Uint32Array.from(starts), kinds, blocks: joined };
}
