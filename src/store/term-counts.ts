/** Several chunks' terms, counted, as lexical indexes are built of them, and how versions before the tokens' order was kept wrote them. */

/** Counts beyond this are kept as this: their weight has long stopped growing. */
export const MOST_COUNTED = 255;
/** Term ids stay below this: more than any vocabulary has, and whoever counts by id needs no more room. */
export const TERM_LIMIT = 2 ** 24;

/** Stands for a byte that is not there: no valid number ends in it. */
const CUT_SHORT = 0xffff;

/** The terms of several chunks, one chunk behind the other, each with its distinct terms in ascending order. */
export class TermCounts {
  terms = new Uint32Array(4096);
  counts = new Uint8Array(4096);
  /** How many entries of both hold something. */
  length = 0;
  /** Where each chunk's entries end, exclusive. */
  readonly ends: number[] = [];

  /** Makes room for so many entries more. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.terms.length) return;
    const capacity = Math.max(needed, this.terms.length * 2);
    const terms = new Uint32Array(capacity);
    terms.set(this.terms);
    this.terms = terms;
    const counts = new Uint8Array(capacity);
    counts.set(this.counts);
    this.counts = counts;
  }

  /** Forgets all chunks and keeps the memory. */
  clear(): void {
    this.length = 0;
    this.ends.length = 0;
  }
}

/**
 * Adds a chunk that is stored in `chunkTerms`: one number of variable length (LEB128: seven bits a byte, lowest first) for each
 * distinct term, ascending: the distance to the one before it, doubled, plus one when the term occurs more than once; then its
 * count follows as another number. Throws RangeError when the bytes are something else.
 */
export function appendUnorderedTerms(target: TermCounts, encoded: Uint8Array): void {
  // Every term takes a byte at least.
  target.reserve(encoded.length);
  const { terms, counts } = target;
  let { length } = target;
  let term = 0;
  for (let at = 0; at < encoded.length; ) {
    let byte = encoded[at++]!;
    let step = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
      byte = encoded[at++] ?? CUT_SHORT;
      step |= (byte & 0x7f) << shift;
    }
    let count = 1;
    if ((step & 1) === 1) {
      count = encoded[at++] ?? CUT_SHORT;
      if (count >= 0x80) count = (count & 0x7f) | ((encoded[at++] ?? CUT_SHORT) << 7);
    }
    if (byte >= 0x80 || count > MOST_COUNTED) throw new RangeError("The stored terms of a chunk are damaged.");
    term += step >>> 1;
    terms[length] = term;
    counts[length++] = count;
  }
  target.length = length;
  target.ends.push(length);
}
