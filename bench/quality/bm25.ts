/** BM25 over token ids (Robertson and Zaragoza 2009; k1 1.2, b 0.75), each distinct token of a question counted once. Pure. */

const K1 = 1.2;
const B = 0.75;

export class Bm25 {
  /** By token: passages that hold it, and how often. */
  private readonly postings = new Map<number, { readonly passages: number[]; readonly counts: number[] }>();
  private readonly norms: Float32Array;

  constructor(passages: readonly (readonly number[])[]) {
    const meanLength = passages.reduce((sum, tokens) => sum + tokens.length, 0) / Math.max(1, passages.length);
    this.norms = Float32Array.from(passages, (tokens) => K1 * (1 - B + (B * tokens.length) / Math.max(1, meanLength)));
    passages.forEach((tokens, passage) => {
      const counts = new Map<number, number>();
      for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
      for (const [token, count] of counts) {
        const posting = this.postings.get(token) ?? { passages: [], counts: [] };
        this.postings.set(token, posting);
        posting.passages.push(passage);
        posting.counts.push(count);
      }
    });
  }

  /** One score per passage as a share of the most that any passage could reach, so that it depends on nothing but question and passage. */
  scores(question: readonly number[]): Float32Array {
    const scores = new Float32Array(this.norms.length);
    let most = 0;
    for (const token of new Set(question)) {
      const posting = this.postings.get(token);
      const holders = posting?.passages.length ?? 0;
      const rarity = Math.log(1 + (scores.length - holders + 0.5) / (holders + 0.5));
      most += rarity * (K1 + 1);
      if (!posting) continue;
      posting.passages.forEach((passage, index) => {
        const count = posting.counts[index]!;
        scores[passage]! += (rarity * count * (K1 + 1)) / (count + this.norms[passage]!);
      });
    }
    return most > 0 ? scores.map((score) => score / most) : scores;
  }
}
