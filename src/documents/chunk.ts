/**
 * Cuts a text into chunks of at most so many tokens, at the best place there is: before a heading, between paragraphs,
 * sentences, lines, words, and only when one word alone is larger than a chunk, between graphemes.
 *
 * Guarantees, for any text and any tokenizer:
 * - Every chunk is one stretch of the text, and every character that is not blank lies in some chunk.
 * - The tokens that begin inside a chunk, counted where the text stands, are at most `chunkSize` less what is kept free, plus one for a token cut at
 *   its front, which is counted too. Tokenised alone, a chunk cut between words counts the same for tokenizers that split at
 *   blanks first; where text without blanks is cut, the tokens at its two edges may fall differently.
 * - No surrogate pair is parted; no grapheme is, unless it alone is larger than a chunk; no word is, unless it alone is.
 * - A heading is not the end of a chunk when something follows it, unless the heading alone fills one. A chunk whose new text begins
 *   with a heading repeats nothing.
 * - At least a quarter of a chunk's capacity is left for text that is new (see MOST_OVERLAP), so output is linear in the text.
 * - Time is linear in the text plus the output; the same input gives the same chunks.
 */
import {
  codePointBoundary,
  firstAfterBlank,
  firstSentenceStart,
  firstWordBoundary,
  lastAfterBlank,
  lastGraphemeBoundary,
  lastLineStart,
  lastSentenceStart,
  lastWordBoundary,
  skipBlanks,
  trimBlanks,
} from "./boundaries.ts";
import type { Outline } from "./outline.ts";
import type { TokenMarks } from "./token-marks.ts";
import type { Chunking } from "./types.ts";

/** The overlap is at most this share of a chunk, whatever is asked for: text would be repeated without end otherwise. */
const MOST_OVERLAP = 0.75;
/** What is left for the last two chunks is shared between them when it is less than this many chunks. */
const BALANCE_BELOW = 1.6;
/** Chunks that are known ahead, in tokens: whether what is left is less than BALANCE_BELOW must be known. */
const LOOK_AHEAD = 2;

/** A stretch [start, end) of the joined text. `fresh` is where the text begins that the chunk before does not hold. */
export interface ChunkRange {
  start: number;
  fresh: number;
  end: number;
}

/** Tokens that are kept free in a chunk that begins there, for what it is given besides its stretch of the text. */
export type Reserve = (start: number) => number;

/** Cuts one text. `chunkSize` is at least 1, `chunkOverlap` at least 0. */
export class Cutter {
  private readonly end: number;

  constructor(
    private readonly text: string,
    private readonly outline: Outline,
    private readonly tokens: TokenMarks,
    private readonly chunking: Chunking,
    private readonly reserve: Reserve = () => 0,
  ) {
    this.end = trimBlanks(text, text.length, 0);
  }

  /** The chunks in their order; no more of the text is tokenised than the next one needs. */
  async *ranges(): AsyncGenerator<ChunkRange> {
    let fresh = skipBlanks(this.text, 0);
    let start = fresh;
    while (fresh < this.end) {
      await this.tokens.lookAhead(fresh, this.chunking.chunkSize * LOOK_AHEAD + 1);
      let cut = this.cut(start, fresh);
      if (cut === undefined) {
        // What comes next does not fit behind the overlap: it is worth more whole than after a repetition.
        start = fresh;
        cut = this.cut(fresh, fresh) ?? this.cutWord(fresh);
      }
      const end = trimBlanks(this.text, cut, fresh);
      if (end > fresh) yield { start, fresh, end };
      const next = skipBlanks(this.text, cut);
      start = this.overlapStart(start, next);
      fresh = next;
    }
  }

  /** Where the chunk [start, …) with new text from `fresh` on should end; undefined when not even a word fits. */
  private cut(start: number, fresh: number): number | undefined {
    const limit = this.tokens.reach(start, this.sizeFrom(start));
    if (limit >= this.end) return this.end;
    if (limit <= fresh) return undefined;
    const [low, high] = this.window(fresh, limit);
    const cut =
      this.outline.lastBreak(low, high) ??
      (this.outline.isCode(high) ? lastLineStart(this.text, low, high) : undefined) ??
      lastSentenceStart(this.text, fresh, low, high) ??
      lastLineStart(this.text, low, high) ??
      lastAfterBlank(this.text, low, high) ??
      lastWordBoundary(this.text, fresh, low, high, limit);
    return cut === undefined ? undefined : this.outline.keepHeading(cut, trimBlanks(this.text, cut, fresh), fresh);
  }

  /** Tokens of the text that fit into a chunk that begins there. */
  private sizeFrom(start: number): number {
    return this.chunking.chunkSize - this.reserve(start);
  }

  /** The range in which an end is sought first: the last part of the chunk, or the middle of what two chunks will share. */
  private window(fresh: number, limit: number): [number, number] {
    const capacity = this.tokens.cost(fresh, limit);
    const left = this.tokens.cost(fresh, this.end);
    const balance = left < capacity * BALANCE_BELOW;
    const fewest = Math.floor(balance ? left * 0.4 : capacity / 2);
    const most = balance ? Math.min(capacity, Math.ceil(left * 0.6)) : capacity;
    const low = this.tokens.reach(fresh, fewest);
    const high = Math.min(limit, this.tokens.reach(fresh, most));
    const afterHeading = this.outline.contentAfterHeading(fresh);
    if (afterHeading === undefined || afterHeading >= limit || afterHeading < low) return [low, high];
    // The chunk begins with a heading: it goes on at least into what follows.
    return [afterHeading, limit];
  }

  /** Cuts inside a word that is larger than a chunk; inside a grapheme only when that is larger than a chunk. */
  private cutWord(fresh: number): number {
    const limit = Math.min(this.tokens.reach(fresh, this.sizeFrom(fresh)), this.end);
    const boundary = lastGraphemeBoundary(this.text, fresh, fresh, limit);
    if (boundary !== undefined) return boundary;
    const between = codePointBoundary(this.text, limit);
    if (between > fresh) return between;
    const point = this.text.codePointAt(fresh) ?? 0;
    return fresh + (point > 0xffff ? 2 : 1);
  }

  /**
   * Where the next chunk begins: about `chunkOverlap` tokens before `next`, and after the previous chunk's start. What stands before
   * a heading is about something else, and a chunk is found most of all by what it begins with.
   */
  private overlapStart(previous: number, next: number): number {
    const overlap = Math.min(this.chunking.chunkOverlap, Math.floor(this.sizeFrom(next) * MOST_OVERLAP));
    if (overlap === 0 || next >= this.end || this.outline.isHeadingStart(next)) return next;
    const earliest = Math.max(previous + 1, this.tokens.back(next, overlap));
    const latest = this.tokens.back(next, Math.ceil(overlap / 2));
    const start =
      firstSentenceStart(this.text, previous, earliest, Math.min(latest, next - 1)) ??
      firstAfterBlank(this.text, earliest, next) ??
      firstWordBoundary(this.text, previous, earliest, next) ??
      next;
    // More may be kept free for a chunk that begins there than for one that begins with what is new.
    return this.tokens.cost(start, next) <= this.sizeFrom(start) * MOST_OVERLAP ? start : next;
  }
}
