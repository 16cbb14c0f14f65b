/**
 * What gives a passage meaning that begins in the middle of a section or a table: the headings above it and the columns' names, as far as
 * they fit into a part of a chunk.
 */
import { oneLine } from "./clean-text.ts";
import { HEADING_SEPARATOR } from "../foundation/place.ts";
import type { Block, JoinedText } from "./blocks.ts";
import type { Outline } from "./outline.ts";
import type { TokenCounterLike } from "./types.ts";

/** UTF-16 units of a heading that are shown elsewhere than in its place. */
const LONGEST_SHOWN = 200;
/** Headings inside one another; a document of more is not one with sections. */
const MOST_LEVELS = 8;
const USUAL_LEVEL = 2;
/** A context may take this share of a chunk. */
const MOST_OF_CHUNK = 0.25;

interface Context {
  readonly text: string;
  readonly tokens: number;
}

const NONE: Context = { text: "", tokens: 0 };

/** The sections of one joined text. */
export class Sections {
  /** For each block, the headings under which it stands, itself included where it is one. */
  private readonly paths: readonly (readonly string[])[];

  private constructor(
    private readonly outline: Outline,
    private readonly blocks: readonly Block[],
    /** Tokens that contexts may have. */
    private readonly room: number,
    /** Of each heading and each table's names. */
    private readonly costs: ReadonlyMap<string, number>,
  ) {
    this.paths = pathsOf(blocks);
  }

  static async of(
    { blocks }: JoinedText,
    outline: Outline,
    chunkSize: number,
    counter: TokenCounterLike,
  ): Promise<Sections> {
    const room = Math.floor(chunkSize * MOST_OF_CHUNK);
    const costs = new Map<string, number>();
    const shown = new Set<string>();
    for (const { kind, text, context } of blocks) {
      if (kind === "heading") shown.add(shortened(text));
      if (context !== undefined) shown.add(context);
    }
    for (const text of shown) costs.set(text, (await counter.offsets(text)).length + 1);
    return new Sections(outline, blocks, room, costs);
  }

  /** The headings under which the position stands, the highest first; a heading stands under itself. */
  pathAt(position: number): readonly string[] {
    return this.paths[this.outline.blockAt(position)] ?? [];
  }

  /** What a passage that begins there is to begin with; ends with a line break, or is empty. */
  contextAt(position: number): Context {
    const index = this.outline.blockAt(position);
    const block = this.blocks[index];
    if (block === undefined) return NONE;
    const columns = this.fitting(block.context === undefined ? [] : [block.context], this.room);
    const above = block.kind === "heading" ? (this.paths[index] ?? []).slice(0, -1) : (this.paths[index] ?? []);
    const path = this.fitting(above, this.room - columns.tokens);
    return {
      text: (path.text && `${path.text}\n\n`) + (columns.text && `${columns.text}\n`),
      tokens: path.tokens + columns.tokens,
    };
  }

  /** As many of the parts as there is room for, the last first. */
  private fitting(parts: readonly string[], room: number): Context {
    let tokens = 0;
    let first = parts.length;
    for (; first > 0; first -= 1) {
      const cost = this.costs.get(parts[first - 1]!) ?? 0;
      if (tokens + cost > room) break;
      tokens += cost;
    }
    return { text: parts.slice(first).join(HEADING_SEPARATOR), tokens };
  }
}

/** Blocks between two headings share one path. */
function pathsOf(blocks: readonly Block[]): readonly (readonly string[])[] {
  let open: readonly { level: number; text: string }[] = [];
  let path: readonly string[] = [];
  return blocks.map(({ kind, level = USUAL_LEVEL, text }) => {
    if (kind !== "heading") return path;
    open = [...open.filter((other) => other.level < level), { level, text: shortened(text) }].slice(-MOST_LEVELS);
    path = open.map((heading) => heading.text);
    return path;
  });
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN - 1).toWellFormed()}…`;
}
