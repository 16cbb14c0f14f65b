/** Where the tokens of a long text begin, found as far as they are asked for, so that the cost of any range is two binary searches. */
import type { TokenCounterLike } from "./types.ts";

/** Text is tokenised in pieces of at most this many UTF-16 units, so that cost and memory stay linear. */
const PIECE_CHARACTERS = 4096;
/**
 * A token, or a stretch without tokens, that is longer than this counts once for every so many UTF-16 units. Tokenizers
 * answer one "unknown" token for a word of any length; without this a chunk could be of any length too.
 */
const LONGEST_TOKEN_CHARACTERS = 64;

const WHITESPACE = /\s/;

export class TokenMarks {
  /** Ascending; one for each token, several may be equal (a character spelt in several byte tokens). */
  private marks = new Uint32Array(1024);
  private count = 0;
  /** Everything before this position has its marks. */
  private covered = 0;
  /** Where the next piece begins. */
  private looked = 0;

  constructor(
    private readonly text: string,
    private readonly counter: TokenCounterLike,
  ) {}

  /**
   * Finds marks until so many begin at or after the position, or the text ends. What lies behind them counts as if no token began there.
   * All of a text costs time linear in its length, whatever it holds.
   */
  async lookAhead(position: number, tokens: number): Promise<void> {
    while (this.looked < this.text.length && this.count - this.indexAt(position) < tokens) await this.markPiece();
  }

  /** Tokens that begin in [from, to), plus one when `from` lies inside a token. */
  cost(from: number, to: number): number {
    const first = this.indexAt(from);
    return this.indexAt(to) - first + this.startsInside(from, first);
  }

  /** The furthest position such that `cost(from, position) <= tokens`. It is where a token begins, or the end of the text. */
  reach(from: number, tokens: number): number {
    const first = this.indexAt(from);
    const index = first + tokens - this.startsInside(from, first);
    return Math.max(from, index < this.count ? (this.marks[index] ?? from) : this.text.length);
  }

  /** The earliest token start with at most `tokens` tokens between it and `to`; `to` itself when there is none. */
  back(to: number, tokens: number): number {
    const end = this.indexAt(to);
    let index = Math.max(0, end - tokens);
    while (index > 0 && index < end && this.marks[index] === this.marks[index - 1]) index += 1;
    return index < end ? this.marks[index]! : to;
  }

  /** The first token that begins at or after the position. */
  private indexAt(position: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.marks[middle]! < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private startsInside(position: number, index: number): number {
    return (index < this.count && this.marks[index] === position) || position >= this.text.length ? 0 : 1;
  }

  private async markPiece(): Promise<void> {
    const from = this.looked;
    this.looked = pieceEnd(this.text, from);
    const piece = this.text.slice(from, this.looked);
    for (const [start, end] of await this.counter.offsets(piece))
      this.token(from + skipBlank(piece, start, end), from + Math.min(end, piece.length));
    this.gapUntil(this.looked);
  }

  private token(start: number, end: number): void {
    this.gapUntil(start);
    this.push(Math.max(start, this.count > 0 ? this.marks[this.count - 1]! : 0));
    this.covered = Math.max(this.covered, start);
    this.gapUntil(end);
    this.covered = Math.max(this.covered, end);
  }

  /** Adds a mark for every full LONGEST_TOKEN_CHARACTERS between what is covered and the position. */
  private gapUntil(position: number): void {
    while (position - this.covered > LONGEST_TOKEN_CHARACTERS) {
      this.covered += LONGEST_TOKEN_CHARACTERS;
      this.push(this.covered);
    }
  }

  private push(position: number): void {
    if (this.count === this.marks.length) {
      const larger = new Uint32Array(this.marks.length * 2);
      larger.set(this.marks);
      this.marks = larger;
    }
    this.marks[this.count] = position;
    this.count += 1;
  }
}

/** A token may include the blank before its word; it counts from the word on, where a chunk can begin. */
function skipBlank(piece: string, start: number, end: number): number {
  let position = Math.max(0, start);
  while (position < end - 1 && WHITESPACE.test(piece[position] ?? "")) position += 1;
  return Math.min(position, piece.length);
}

/** Pieces end at a line's end, else at a blank, else anywhere but inside a surrogate pair. */
function pieceEnd(text: string, from: number): number {
  const limit = from + PIECE_CHARACTERS;
  if (limit >= text.length) return text.length;
  const half = PIECE_CHARACTERS / 2;
  const second = text.slice(from + half, limit);
  const newline = second.lastIndexOf("\n");
  if (newline >= 0) return from + half + newline + 1;
  const blank = second.search(/\s\S*$/);
  if (blank >= 0) return from + half + blank;
  return isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
