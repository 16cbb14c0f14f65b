/** What was found → what an answer is given: near-duplicates left out, neighbours of one document joined. Pure. */
import type { FoundPassage, GivenPassage } from "./types.ts";

/** UTF-16 units of the fragments that two texts are compared by: short enough for scripts without spaces. */
const FRAGMENT = 8;
/** A passage whose fragments occur in a better one to this share says nothing new. */
const SAME = 0.85;
/** Neighbours joined to one passage: more would bury the part that answers. */
const MOST_JOINED = 3;
/** What the interface promises of scores: below, a passage is only possibly relevant. */
const RELEVANT = 0.7;
/** UTF-16 units of an overlap that is looked for; chunks overlap by far less. */
const LONGEST_OVERLAP = 20_000;

/** Positions of the passages that are not near-duplicates of a more relevant one, in order. */
export function withoutDuplicates(passages: readonly FoundPassage[]): number[] {
  const kept: { position: number; fragments: Set<string> }[] = [];
  for (const [position, { text }] of passages.entries()) {
    const fragments = fragmentsOf(text);
    if (!kept.some((other) => isContained(fragments, other.fragments))) kept.push({ position, fragments });
  }
  return kept.map(({ position }) => position);
}

/**
 * Joins chosen passages that follow one another in a document, without repeating their overlap; a joined passage stands where
 * its most relevant part stood. Together the texts hold every character of every chosen passage.
 */
export function joinNeighbours(passages: readonly FoundPassage[], chosen: readonly number[]): GivenPassage[] {
  const groups: number[][] = [];
  for (const position of chosen) {
    const group = groups.find((members) => members.length < MOST_JOINED && touches(passages, members, position));
    if (group === undefined) groups.push([position]);
    else group.push(position);
  }
  return groups.map((from) => {
    const inReadingOrder = from.toSorted((left, right) => passages[left]!.position - passages[right]!.position);
    return {
      from,
      source: passages[inReadingOrder[0]!]!.source,
      text: inReadingOrder.map((position) => passages[position]!.text).reduce(joinOverlapping),
      isWeak: from.every((position) => isWeak(passages[position]!)),
    };
  });
}

/** Of passages that were not read, scores say too little. */
export function isWeak({ score, held }: FoundPassage): boolean {
  return held !== null && score < RELEVANT;
}

/** `left` followed by what `right` adds to it: the longest end of the one that begins the other appears once. Linear time. */
export function joinOverlapping(left: string, right: string): string {
  const overlap = overlapLength(left.slice(-LONGEST_OVERLAP), right.slice(0, LONGEST_OVERLAP));
  return overlap === 0 ? `${left}\n${right}` : left + right.slice(overlap);
}

/** Length of the longest suffix of `left` that is a prefix of `right` (Knuth, Morris, Pratt). */
function overlapLength(left: string, right: string): number {
  const borders = new Int32Array(right.length);
  for (let index = 1, border = 0; index < right.length; index++) {
    while (border > 0 && right[index] !== right[border]) border = borders[border - 1]!;
    if (right[index] === right[border]) border++;
    borders[index] = border;
  }
  let matched = 0;
  for (let index = 0; index < left.length; index++) {
    while (matched > 0 && (matched === right.length || left[index] !== right[matched])) matched = borders[matched - 1]!;
    if (left[index] === right[matched]) matched++;
  }
  return matched;
}

function touches(passages: readonly FoundPassage[], members: readonly number[], candidate: number): boolean {
  const { document, position } = passages[candidate]!;
  return members.some(
    (member) => passages[member]!.document === document && Math.abs(passages[member]!.position - position) === 1,
  );
}

function fragmentsOf(text: string): Set<string> {
  const plain = text
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, " ")
    .trim();
  const fragments = new Set<string>();
  for (let start = 0; start + FRAGMENT <= plain.length; start++) fragments.add(plain.slice(start, start + FRAGMENT));
  if (fragments.size === 0) fragments.add(plain);
  return fragments;
}

function isContained(fragments: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const fragment of fragments) if (others.has(fragment)) shared++;
  return shared >= fragments.size * SAME;
}
