/** Which rows hold each term and how often: sorted arrays without a wasted byte, made once and never changed. Pure. */
import type { TermCounts } from "../../store/index.ts";

/** Where no row is. */
export const NO_ROW = -1;

/** By term id while `invert` runs, the term's number, counted from 1 as terms are met; all zero in between. As long as the highest id met. */
let numbers = new Uint32Array(65_536);

export interface PostingLists {
  /** Distinct terms, ascending. */
  readonly terms: Uint32Array;
  /** Where each term's postings start; one more entry says where the last one's end. */
  readonly starts: Uint32Array;
  /** The rows of each term in turn, ascending. */
  readonly rows: Uint16Array;
  /** How often the row holds the term. */
  readonly counts: Uint8Array;
}

export class Postings {
  static readonly none = new Postings(new Uint32Array(), new Uint32Array(1), new Uint16Array(), new Uint8Array());

  private constructor(
    private readonly terms: Uint32Array,
    private readonly starts: Uint32Array,
    readonly rows: Uint16Array,
    readonly counts: Uint8Array,
  ) {}

  static from({ terms, starts, rows, counts }: PostingLists): Postings {
    return new Postings(terms, starts, rows, counts);
  }

  lists(): PostingLists {
    return { terms: this.terms, starts: this.starts, rows: this.rows, counts: this.counts };
  }

  /** Turns chunks' terms around; the first chunk is row 0. Counting sort by term, with one look at the long table for each entry. */
  static invert({ terms: entries, counts: entryCounts, ends, length }: TermCounts): Postings {
    const distinct: number[] = [];
    const numberOf = new Uint32Array(length);
    for (let entry = 0; entry < length; entry++) {
      const term = entries[entry]!;
      if (term >= numbers.length) numbers = grown(numbers, term + 1);
      numberOf[entry] = numbers[term] ||= distinct.push(term);
    }
    const totals = new Uint32Array(distinct.length + 1);
    for (let entry = 0; entry < length; entry++) totals[numberOf[entry]!]!++;

    const terms = Uint32Array.from(distinct).sort();
    const starts = new Uint32Array(terms.length + 1);
    const next = new Uint32Array(terms.length + 1);
    terms.forEach((term, at) => {
      const number = numbers[term]!;
      next[number] = starts[at]!;
      starts[at + 1] = starts[at]! + totals[number]!;
      numbers[term] = 0;
    });

    const rows = new Uint16Array(length);
    const counts = new Uint8Array(length);
    for (let row = 0, entry = 0; row < ends.length; row++) {
      for (const end = ends[row]!; entry < end; entry++) {
        const posting = next[numberOf[entry]!]!++;
        rows[posting] = row;
        counts[posting] = entryCounts[entry]!;
      }
    }
    return new Postings(terms, starts, rows, counts);
  }

  /** The postings of two under new row numbers, which must keep each one's order; rows numbered NO_ROW are left out. */
  static join(left: Postings, leftRows: Int32Array, right: Postings, rightRows: Int32Array): Postings {
    const terms = new Uint32Array(left.terms.length + right.terms.length);
    const starts = new Uint32Array(terms.length + 1);
    const rows = new Uint16Array(left.rows.length + right.rows.length);
    const counts = new Uint8Array(rows.length);
    let joined = 0,
      length = 0;
    for (let l = 0, r = 0; l < left.terms.length || r < right.terms.length; ) {
      const term = Math.min(left.terms[l] ?? Infinity, right.terms[r] ?? Infinity);
      const inLeft = left.terms[l] === term,
        inRight = right.terms[r] === term;
      let a = inLeft ? left.starts[l]! : 0,
        b = inRight ? right.starts[r]! : 0;
      const lastA = inLeft ? left.starts[++l]! : 0,
        lastB = inRight ? right.starts[++r]! : 0;
      const before = length;
      while (a < lastA || b < lastB) {
        const rowA = a < lastA ? leftRows[left.rows[a]!]! : Infinity;
        const rowB = b < lastB ? rightRows[right.rows[b]!]! : Infinity;
        const row = Math.min(rowA, rowB);
        const count = rowA <= rowB ? left.counts[a++]! : right.counts[b++]!;
        if (row === NO_ROW) continue;
        rows[length] = row;
        counts[length++] = count;
      }
      if (length === before) continue;
      terms[joined++] = term;
      starts[joined] = length;
    }
    return new Postings(
      terms.slice(0, joined),
      starts.slice(0, joined + 1),
      rows.slice(0, length),
      counts.slice(0, length),
    );
  }

  get bytes(): number {
    return this.terms.byteLength + this.starts.byteLength + this.rows.byteLength + this.counts.byteLength;
  }

  /** Calls `visit` with each term below `limit` that more than `least` rows hold, and with how many do. */
  visitHeld(limit: number, least: number, visit: (term: number, holders: number) => void): void {
    const { terms, starts } = this;
    for (let at = 0; at < terms.length && terms[at]! < limit; at++) {
      const holders = starts[at + 1]! - starts[at]!;
      if (holders > least) visit(terms[at]!, holders);
    }
  }

  /** Calls `visit` with where in `rows` and `counts` the term's postings start and end, unless there are none. */
  of(term: number, visit: (start: number, end: number) => void): void {
    const at = lowerBound(this.terms, term, 0, this.terms.length);
    if (this.terms[at] === term) visit(this.starts[at]!, this.starts[at + 1]!);
  }
}

function grown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(Math.max(length, array.length * 2));
  longer.set(array);
  return longer;
}

/** The first place from `low` up to, not including, `high` whose value is not below `wanted`, or `high`. */
export function lowerBound(ascending: ArrayLike<number>, wanted: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
