/**
 * An inverted index over some of a dataset's chunks. Its postings never change: new chunks make new segments, deleted ones
 * are marked and left behind when segments are merged. (As Lucene's segments, in memory.)
 */
import type { ChunkRange, TermCounts } from "../../store/index.ts";
import { FIRST_WORD } from "../../foundation/term-ids.ts";
import { occurrenceShare, type LengthPenalty } from "./bm25.ts";
import { lowerBound, NO_ROW, Postings, type PostingLists } from "./postings.ts";

/** Most rows of a segment: built in milliseconds, and the scores of its rows stay in the processor's cache. */
export const SEGMENT_ROWS = 16_384;

/** Tokens that one row in so many holds at most are no common ones. */
const RARE = 100;

/** What a segment is made of. */
export interface SegmentParts extends PostingLists {
  /** The chunk of each row, ascending. */
  readonly chunkIds: Float64Array;
  /** Terms of each row, repeats counted. */
  readonly lengths: Uint32Array;
}

export class Segment {
  private readonly dead: Uint8Array;
  private deadRows = 0;
  private livingTerms: number;

  private constructor(
    /** The chunk of each row, ascending. */
    private readonly chunkIds: Float64Array,
    /** Terms of each row, repeats counted. */
    private readonly lengths: Uint32Array,
    private readonly postings: Postings,
  ) {
    this.dead = new Uint8Array(chunkIds.length);
    this.livingTerms = lengths.reduce((sum, length) => sum + length, 0);
  }

  /** `chunkIds` ascending, at most SEGMENT_ROWS of them, each with its terms. */
  static of(chunkIds: readonly number[], contents: TermCounts): Segment {
    const lengths = new Uint32Array(chunkIds.length);
    let entry = 0;
    contents.ends.forEach((end, row) => {
      for (; entry < end; entry++) lengths[row]! += contents.counts[entry]!;
    });
    return new Segment(Float64Array.from(chunkIds), lengths, Postings.invert(contents));
  }

  /** The segment with these parts, all of its rows live. */
  static from(parts: SegmentParts): Segment {
    return new Segment(parts.chunkIds, parts.lengths, Postings.from(parts));
  }

  /** Dead rows among the others. Not to be changed. */
  parts(): SegmentParts {
    return { chunkIds: this.chunkIds, lengths: this.lengths, ...this.postings.lists() };
  }

  /** The live rows of one or two segments. */
  static merge(left: Segment, right?: Segment): Segment {
    const sources = right ? [left, right] : [left];
    const living = sources.flatMap((segment, from) =>
      Array.from(segment.chunkIds, (chunkId, row) => ({ chunkId, row, from })).filter(({ row }) => segment.isLive(row)),
    );
    if (right && right.first < left.last) living.sort((one, other) => one.chunkId - other.chunkId);
    const newRows = sources.map((segment) => new Int32Array(segment.rows).fill(NO_ROW));
    living.forEach(({ row, from }, newRow) => (newRows[from]![row] = newRow));
    const chunkIds = Float64Array.from(living, ({ chunkId }) => chunkId);
    const lengths = Uint32Array.from(living, ({ row, from }) => sources[from]!.lengths[row]!);
    const postings = Postings.join(
      left.postings,
      newRows[0]!,
      right?.postings ?? Postings.none,
      newRows[1] ?? new Int32Array(),
    );
    return new Segment(chunkIds, lengths, postings);
  }

  get rows(): number {
    return this.chunkIds.length;
  }

  get liveRows(): number {
    return this.rows - this.deadRows;
  }

  /** Terms of the live rows, repeats counted. */
  get liveTerms(): number {
    return this.livingTerms;
  }

  get bytes(): number {
    return this.postings.bytes + this.chunkIds.byteLength + this.lengths.byteLength + this.dead.byteLength;
  }

  /** Lowest chunk id, Infinity when there are no rows. */
  get first(): number {
    return this.chunkIds[0] ?? Infinity;
  }

  /** Highest chunk id, -Infinity when there are no rows. */
  get last(): number {
    return this.chunkIds.at(-1) ?? -Infinity;
  }

  chunkOf(row: number): number {
    return this.chunkIds[row]!;
  }

  isLive(row: number): boolean {
    return this.dead[row] === 0;
  }

  /** The chunk's row, live or dead, or NO_ROW. */
  rowOf(chunkId: number): number {
    if (chunkId < this.first || chunkId > this.last) return NO_ROW;
    const row = lowerBound(this.chunkIds, chunkId, 0, this.rows);
    return this.chunkIds[row] === chunkId ? row : NO_ROW;
  }

  /** Marks the chunks of a range as gone. */
  remove({ first, last }: ChunkRange): void {
    for (
      let row = lowerBound(this.chunkIds, first, 0, this.rows);
      row < this.rows && this.chunkIds[row]! <= last;
      row++
    ) {
      if (this.dead[row]) continue;
      this.dead[row] = 1;
      this.deadRows++;
      this.livingTerms -= this.lengths[row]!;
    }
  }

  /** Marks every chunk as gone that lies in none of the ranges, which ascend. */
  retain(ranges: readonly ChunkRange[]): void {
    let next = this.first;
    for (const { first, last } of ranges) {
      if (first > next) this.remove({ first: next, last: first - 1 });
      next = Math.max(next, last + 1);
    }
    this.remove({ first: next, last: Infinity });
  }

  /** Calls `visit` with every run of consecutive live chunks, ascending. */
  visitRuns(visit: (first: number, last: number) => void): void {
    for (let row = 0; row < this.rows; ) {
      const start = row++;
      if (this.dead[start]) continue;
      while (row < this.rows && !this.dead[row] && this.chunkIds[row] === this.chunkIds[row - 1]! + 1) row++;
      visit(this.chunkIds[start]!, this.chunkIds[row - 1]!);
    }
  }

  /** Whether a chunk is in both, live or dead. */
  holdsAnyOf(other: Segment): boolean {
    return other.chunkIds.some((chunkId) => this.rowOf(chunkId) !== NO_ROW);
  }

  /** How many live rows hold the term. */
  holders(term: number): number {
    let holders = 0;
    this.postings.of(term, (start, end) => {
      holders = end - start;
      if (this.deadRows === 0) return;
      const { rows } = this.postings;
      for (let posting = start; posting < end; posting++) holders -= this.dead[rows[posting]!]!;
    });
    return holders;
  }

  /** Calls `visit` with each token, words left out, that more than one row in `RARE` holds, and with how many do, dead ones among them. */
  visitTokens(visit: (token: number, holders: number) => void): void {
    this.postings.visitHeld(FIRST_WORD, this.rows / RARE, visit);
  }

  /** Writes where each term's postings start and end. */
  find(terms: Uint32Array, starts: Uint32Array, ends: Uint32Array): void {
    for (let at = 0; at < terms.length; at++) {
      starts[at] = ends[at] = 0;
      this.postings.of(terms[at]!, (start, end) => {
        starts[at] = start;
        ends[at] = end;
      });
    }
  }

  /**
   * Adds what a term, whose postings these are, says to the score of every row that holds it. A row whose score was 0 is written to `touched`, behind the `size`
   * rows that are there; returns how many there are then.
   */
  addScores(
    start: number,
    end: number,
    weight: number,
    penalty: LengthPenalty,
    scores: Float64Array,
    touched: Uint16Array,
    size: number,
  ): number {
    const { rows, counts } = this.postings;
    const { lengths } = this;
    const { base, perTerm } = penalty;
    for (let posting = start; posting < end; posting++) {
      const row = rows[posting]!;
      const score = scores[row]!;
      if (score === 0) touched[size++] = row;
      scores[row] = score + weight * occurrenceShare(counts[posting]!, base + perTerm * lengths[row]!);
    }
    return size;
  }

  /** How much of a term's weight a row gets, 0-1, by the term's postings. */
  share(start: number, end: number, row: number, { base, perTerm }: LengthPenalty): number {
    const { rows, counts } = this.postings;
    const posting = postingFrom(rows, row, start, end);
    if (posting === end || rows[posting] !== row) return 0;
    return occurrenceShare(counts[posting]!, base + perTerm * this.lengths[row]!);
  }

  /** By row, 1 where its chunk lies in packed ranges, ascending and disjoint, and 0 where not. */
  rowsWithin(ranges: Float64Array): Uint8Array {
    const within = new Uint8Array(this.rows);
    let end = 0;
    for (
      let range = firstRangeReaching(ranges, this.first);
      range < ranges.length && ranges[range]! <= this.last;
      range += 2
    ) {
      const first = ranges[range]!;
      const last = ranges[range + 1]!;
      const start = lowerBound(this.chunkIds, first, end, this.rows);
      end = lowerBound(this.chunkIds, last + 1, start, Math.min(this.rows, start + last - first + 1));
      within.fill(1, start, end);
    }
    return within;
  }
}

/** As `lowerBound`, which serves arrays of all kinds and so takes twice as long: what a search does most. */
function postingFrom(rows: Uint16Array, row: number, start: number, end: number): number {
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (rows[middle]! < row) start = middle + 1;
    else end = middle;
  }
  return start;
}

/** Index of the first packed range that does not end before the chunk. */
function firstRangeReaching(ranges: Float64Array, chunkId: number): number {
  let low = 0,
    high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle * 2 + 1]! < chunkId) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}
