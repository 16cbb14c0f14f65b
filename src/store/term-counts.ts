/**
 * A chunk's terms as the database keeps them: which terms it holds and how often, for lexical search. Their order in the
 * text is not kept.
 *
 * One variable-length number (LEB128: seven bits a byte, lowest first) for each distinct term, ascending: the distance to
 * the one before it, doubled, plus one when the term occurs more than once; then its count follows as another number.
 * Two bytes a distinct term are usual.
 */

/** Counts beyond this are kept as this: their weight has long stopped growing. */
export const MOST_COUNTED = 255;
/** Term ids stay below this: more than any vocabulary has, and whoever counts by id needs no more room. */
const TERM_LIMIT = 2 ** 24;

/** Stands for a byte that is not there: no valid number ends in it. */
const CUT_SHORT = 0xffff;

/** Encodes term ids in any order, repeated ones counted. Throws RangeError when an id is 2^24 or more. */
export function encodeTermCounts(terms: Uint32Array): Uint8Array {
  const sorted = terms.toSorted();
  if ((sorted.at(-1) ?? 0) >= TERM_LIMIT) throw new RangeError(`A term id of ${sorted.at(-1)} is beyond what can be kept.`);
  const bytes = new Uint8Array(sorted.length * 7);
  let length = 0;
  const write = (value: number): void => {
    for (; value >= 0x80; value >>>= 7) bytes[length++] = (value & 0x7f) | 0x80;
    bytes[length++] = value;
  };
  let previous = 0;
  for (let index = 0; index < sorted.length; ) {
    const term = sorted[index]!;
    let next = index + 1;
    while (next < sorted.length && sorted[next] === term) next++;
    const count = Math.min(MOST_COUNTED, next - index);
    write((((term - previous) << 1) | (count > 1 ? 1 : 0)) >>> 0);
    if (count > 1) write(count);
    previous = term;
    index = next;
  }
  return bytes.slice(0, length);
}

/** The terms of several chunks, one chunk behind the other, each with its distinct terms in ascending order. */
export class TermCounts {
  terms = new Uint32Array(4096);
  counts = new Uint8Array(4096);
  /** How many entries of both hold something. */
  length = 0;
  /** Where each chunk's entries end, exclusive. */
  readonly ends: number[] = [];

  /** Adds a chunk. Throws RangeError when the bytes are not what `encodeTermCounts` writes. */
  append(encoded: Uint8Array): void {
    this.reserve(this.length + encoded.length);
    const { terms, counts } = this;
    let { length } = this;
    let term = 0;
    // A database of a hundred thousand chunks holds ten million numbers: read in one loop, without a call for each.
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
    this.length = length;
    this.ends.push(length);
  }

  /** Forgets all chunks and keeps the memory. */
  clear(): void {
    this.length = 0;
    this.ends.length = 0;
  }

  /** Every term takes a byte at least. */
  private reserve(length: number): void {
    if (length <= this.terms.length) return;
    const capacity = Math.max(length, this.terms.length * 2);
    const terms = new Uint32Array(capacity);
    terms.set(this.terms);
    this.terms = terms;
    const counts = new Uint8Array(capacity);
    counts.set(this.counts);
    this.counts = counts;
  }
}
