/** Scores every passage for a question as the search's lexical half does (src/search/words/bm25.ts), without an index of its kind. Pure. */
import type { LexicalQuestion } from "../../src/search/index.ts";
import { lengthPenalty, occurrenceShare, termWeights } from "../../src/search/words/bm25.ts";

interface Posting {
  readonly passages: number[];
  readonly counts: number[];
}

export class Bm25 {
  private readonly postings = new Map<number, Posting>();
  private readonly penalties: Float32Array;

  /** `passages`: the terms of each, as often as they occur. */
  constructor(private readonly passages: readonly ArrayLike<number>[]) {
    const { base, perTerm } = lengthPenalty({
      chunks: passages.length,
      terms: passages.reduce((sum, terms) => sum + terms.length, 0),
    });
    this.penalties = Float32Array.from(passages, (terms) => base + perTerm * terms.length);
    passages.forEach((terms, passage) => {
      const counts = new Map<number, number>();
      for (const term of Array.from(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
      for (const [term, count] of counts) {
        const posting = this.postings.get(term) ?? { passages: [], counts: [] };
        this.postings.set(term, posting);
        posting.passages.push(passage);
        posting.counts.push(count);
      }
    });
  }

  /** How many passages hold each of the terms. */
  holders(terms: ArrayLike<number>): Uint32Array {
    return Uint32Array.from(terms, (term) => this.postings.get(term)?.passages.length ?? 0);
  }

  /** One score per passage, 0-1, as a share of the most that the question could reach. */
  scores(question: LexicalQuestion): Float32Array {
    const scores = new Float32Array(this.passages.length);
    const importance = new Map(Array.from(question.terms, (term, at) => [term, question.importance[at]!]));
    const terms = [...importance.keys()];
    const weights = termWeights(
      { chunks: this.passages.length, terms: 0 },
      terms.map((term) => this.postings.get(term)?.passages.length ?? 0),
      [...importance.values()],
    );
    terms.forEach((term, at) => {
      this.postings.get(term)?.passages.forEach((passage, index) => {
        scores[passage]! +=
          weights[at]! * occurrenceShare(this.postings.get(term)!.counts[index]!, this.penalties[passage]!);
      });
    });
    return scores;
  }
}
