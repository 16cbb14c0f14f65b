/**
 * The inverted index of one dataset in memory: segments of its chunks. Scores are BM25 over all live chunks, exactly, and
 * depend on the question and the chunk alone, not on what a search is restricted to.
 */
import { Best } from "../best.ts";
import { withoutRanges, type ChunkRange, type TermCounts } from "../../store/index.ts";
import { lengthPenalty, termWeights, type Collection } from "./bm25.ts";
import type { Steps } from "../slices.ts";
import type { CommonTokens, LexicalQuestion } from "../types.ts";
import { NO_ROW } from "./postings.ts";
import { Segment, SEGMENT_ROWS } from "./segment.ts";

/** A chunk that shares terms with the question. */
export interface Match {
  readonly chunkId: number;
  /** 0-1; 1 would be every term of the question without end. */
  readonly score: number;
}

/** With more than this share of dead rows a segment is written anew without them. */
const DEAD_SHARE = 0.25;
/** A search lets others in this often. */
const SLICE_MILLISECONDS = 1;
/** A row's number among all segments' rows: its segment's rows begin at a multiple of this. */
const SEGMENT_STRIDE = 65_536;
/** How many of a dataset's commonest tokens are told. */
const COMMON_TOKENS = 64;
/** They are counted anew when so much of the dataset has come or gone since. */
const COUNTED_SHARE = 0.1;

/** What a search finds, and what else is known of the question's terms. */
export interface LexicalAnswer {
  /** Best first. */
  readonly matches: Match[];
  /** How many live chunks hold each of the question's terms, in their order. */
  readonly holders: Uint32Array;
  /** Live chunks. */
  readonly chunks: number;
  /** The tokens that most chunks hold, most first, and the share of chunks that hold each: what the dataset is like, not what is asked. */
  readonly common: CommonTokens;
}

interface WeighedQuestion {
  /** Distinct, those that weigh most first: scores are summed in this order. */
  readonly terms: Uint32Array;
  /** How many live chunks hold each. */
  readonly holders: Uint32Array;
  readonly weights: Float64Array;
  readonly penalty: ReturnType<typeof lengthPenalty>;
}

// Those of one segment's rows while it is searched, which nothing interrupts: kept, as they are needed all the time. All zero in between.
const scores = new Float64Array(SEGMENT_ROWS);
const touched = new Uint16Array(SEGMENT_ROWS);

export class WordIndex {
  segments: readonly Segment[] = [];
  private counted: { readonly rows: number; readonly changes: number; readonly common: CommonTokens } | null = null;
  /** Chunks that came or went, ever. */
  private changes = 0;

  get rows(): number {
    return this.sum((segment) => segment.rows);
  }

  get liveRows(): number {
    return this.sum((segment) => segment.liveRows);
  }

  /** Bytes of memory that the segments take. */
  get bytes(): number {
    return this.sum((segment) => segment.bytes);
  }

  /** Adds chunks, ascending, at most SEGMENT_ROWS of them, none of which is here already, each with its terms. */
  append(chunkIds: readonly number[], contents: TermCounts): void {
    if (chunkIds.length === 0) return;
    this.changes += chunkIds.length;
    const segments = [...this.segments, Segment.of(chunkIds, contents)];
    // Doubling: every row is merged a few times in its life, and few segments are small.
    for (let last = segments.length - 1; last > 0 && belongTogether(segments[last - 1]!, segments[last]!); last--) {
      segments.splice(last - 1, 2, Segment.merge(segments[last - 1]!, segments[last]!));
    }
    this.segments = segments;
  }

  /** Begins with segments that were saved, no chunk in two of them. Chunks in none of `ranges`, which ascend, are gone. Returns the ranges' chunks that are in no segment. */
  beginWith(saved: readonly Segment[], ranges: readonly ChunkRange[]): ChunkRange[] {
    for (const segment of saved) segment.retain(ranges);
    this.segments = saved.filter(({ liveRows }) => liveRows > 0).sort((left, right) => left.first - right.first);
    this.changes += this.rows;
    const present: ChunkRange[] = [];
    for (const segment of this.segments) segment.visitRuns((first, last) => present.push({ first, last }));
    return withoutRanges(
      ranges,
      present.sort((left, right) => left.first - right.first),
    );
  }

  /** The parts of a range whose chunks are not here. */
  missing({ first, last }: ChunkRange): ChunkRange[] {
    const missing: ChunkRange[] = [];
    for (let chunkId = first; chunkId <= last; chunkId++) {
      if (this.segments.some((segment) => segment.rowOf(chunkId) !== NO_ROW)) continue;
      const previous = missing.at(-1);
      if (previous?.last === chunkId - 1) missing[missing.length - 1] = { first: previous.first, last: chunkId };
      else missing.push({ first: chunkId, last: chunkId });
    }
    return missing;
  }

  /** Lets go of chunks. Those that are not here are ignored. */
  remove(ranges: readonly ChunkRange[]): void {
    const before = this.liveRows;
    for (const segment of this.segments) for (const range of ranges) segment.remove(range);
    this.changes += before - this.liveRows;
    const living = this.segments.filter(({ liveRows }) => liveRows > 0);
    if (living.length === this.segments.length && !living.some(isCrowded)) return;
    // What has become small joins its neighbours, so that segments stay few however often a dataset is emptied and filled.
    this.segments = living
      .map((segment) => (isCrowded(segment) ? Segment.merge(segment) : segment))
      .reduce<Segment[]>((kept, segment) => {
        const previous = kept.at(-1);
        if (previous && previous.rows + segment.rows <= SEGMENT_ROWS / 2)
          kept[kept.length - 1] = Segment.merge(previous, segment);
        else kept.push(segment);
        return kept;
      }, []);
  }

  /**
   * The `count` live chunks that match best, best first; chunks without any of the terms are none. `within`: packed
   * ranges, ascending and disjoint, to which the search is restricted. Yields every millisecond or so.
   *
   * Terms that together weigh no more than the worst chunk kept so far scores cannot bring in another by themselves: their
   * postings are looked up only for chunks that heavier terms bring. (MaxScore: Turtle and Flood, "Query evaluation: strategies and
   * optimizations", 1995.)
   */
  *search(asked: LexicalQuestion, count: number, within: Float64Array | null): Steps<LexicalAnswer> {
    const { segments } = this;
    const question = this.weigh(asked);
    const { terms, weights } = question;
    /** What the terms from each one on weigh together. */
    const rest = new Float64Array(terms.length + 1);
    for (let at = terms.length - 1; at >= 0; at--) rest[at] = rest[at + 1]! + weights[at]!;
    const best = new Best(count);
    const [starts, ends] = [new Uint32Array(terms.length), new Uint32Array(terms.length)];
    let sliceEnd = performance.now() + SLICE_MILLISECONDS;
    for (const [index, segment] of segments.entries()) {
      let essential = terms.length;
      // Terms that weigh nothing are never.
      while (essential > 0 && rest[essential - 1]! <= Math.max(0, best.threshold)) essential--;
      segment.find(terms, starts, ends);
      let size = 0;
      for (let at = 0; at < essential; at++)
        size = segment.addScores(starts[at]!, ends[at]!, weights[at]!, question.penalty, scores, touched, size);
      const allowed = within && segment.rowsWithin(within);
      for (let one = 0; one < size; one++) {
        const row = touched[one]!;
        let score = scores[row]!;
        scores[row] = 0;
        if (score + rest[essential]! <= best.threshold || !segment.isLive(row) || allowed?.[row] === 0) continue;
        for (let at = essential; at < terms.length && score + rest[at]! > best.threshold; at++)
          score += weights[at]! * segment.share(starts[at]!, ends[at]!, row, question.penalty);
        best.offer(index * SEGMENT_STRIDE + row, score);
      }
      if (performance.now() < sliceEnd) continue;
      yield;
      sliceEnd = performance.now() + SLICE_MILLISECONDS;
    }
    const holdersOf = new Map(Array.from(terms, (term, at) => [term, question.holders[at]!]));
    return {
      matches: best.ranked().map(({ row, score }) => ({
        chunkId: segments[Math.floor(row / SEGMENT_STRIDE)]!.chunkOf(row % SEGMENT_STRIDE),
        score,
      })),
      holders: asked.terms.map((term) => holdersOf.get(term)!),
      chunks: this.liveRows,
      common: this.commonTokens(),
    };
  }

  /** The scores of chunks, in order, as `search` gives them; 0 for those that are not here. */
  scores(asked: LexicalQuestion, chunkIds: readonly number[]): Float64Array {
    const { terms, weights, penalty } = this.weigh(asked);
    const [starts, ends] = [new Uint32Array(terms.length), new Uint32Array(terms.length)];
    return Float64Array.from(chunkIds, (chunkId) => {
      for (const segment of this.segments) {
        const row = segment.rowOf(chunkId);
        if (row === NO_ROW) continue;
        if (!segment.isLive(row)) return 0;
        segment.find(terms, starts, ends);
        return weights.reduce(
          (score, weight, at) => score + weight * segment.share(starts[at]!, ends[at]!, row, penalty),
          0,
        );
      }
      return 0;
    });
  }

  /** Of the segments' rows, dead ones among them, counted now and then: a dataset's language does not change with a chunk. */
  private commonTokens(): CommonTokens {
    const { rows, changes } = this;
    if (this.counted && changes - this.counted.changes <= COUNTED_SHARE * this.counted.rows) return this.counted.common;
    const holders = new Map<number, number>();
    for (const segment of this.segments)
      segment.visitTokens((token, held) => holders.set(token, (holders.get(token) ?? 0) + held));
    const common = [...holders].sort((left, right) => right[1] - left[1] || left[0] - right[0]).slice(0, COMMON_TOKENS);
    this.counted = {
      rows,
      changes,
      common: {
        tokens: Uint32Array.from(common, ([token]) => token),
        shares: Float32Array.from(common, ([, held]) => held / Math.max(1, rows)),
      },
    };
    return this.counted.common;
  }

  private weigh({ terms, importance }: LexicalQuestion): WeighedQuestion {
    const distinct = new Map(Array.from(terms, (term, at) => [term, importance[at]!]));
    const collection: Collection = { chunks: this.liveRows, terms: this.sum((segment) => segment.liveTerms) };
    const weighed = Uint32Array.from(distinct.keys());
    const holders = weighed.map((term) => this.sum((segment) => segment.holders(term)));
    const weights = termWeights(collection, holders, [...distinct.values()]);
    const order = [...weighed.keys()].sort((left, right) => weights[right]! - weights[left]! || left - right);
    return {
      terms: Uint32Array.from(order, (at) => weighed[at]!),
      holders: Uint32Array.from(order, (at) => holders[at]!),
      weights: Float64Array.from(order, (at) => weights[at]!),
      penalty: lengthPenalty(collection),
    };
  }

  private sum(value: (segment: Segment) => number): number {
    return this.segments.reduce((total, segment) => total + value(segment), 0);
  }
}

function isCrowded({ rows, liveRows }: Segment): boolean {
  return rows - liveRows > DEAD_SHARE * rows;
}

function belongTogether(left: Segment, right: Segment): boolean {
  return left.rows <= 2 * right.rows && left.rows + right.rows <= SEGMENT_ROWS;
}
