/**
 * Tokens → units: words where a script puts spaces between them, else the tokenizer's pieces. A tokenizer cuts one word in as many ways as it
 * meets it; whole, it means the same everywhere. Where words are spelt without spaces between them, those that the lexicon knows are put
 * together as well. Pure.
 */
import { WordHasher, type Lexicon } from "../embedding/lexicon.ts";
import { AFTER_SPACE, KIND, LAST, OTHER, SPACE, SPACED, SPELT, UNSPACED, type Vocabulary } from "./vocabulary.ts";

/** Pieces of one word, at most. */
const MOST_PIECES = 16;

/**
 * Writes where each unit's tokens start and end (exclusive) among `tokens`, in order, to `bounds`, which holds two numbers for each token, and
 * returns how many units there are. What holds no letter and no digit, or is no token of the vocabulary, is none.
 */
export function findUnits({ shape }: Vocabulary, tokens: ArrayLike<number>, bounds: Int32Array): number {
  let count = 0,
    start = 0,
    before = OTHER;
  let isWord = false;
  for (let at = 0; at < tokens.length; at++) {
    const own = shape[tokens[at]!] ?? OTHER;
    const begins = own & KIND;
    const goesOn =
      (before === SPACE && begins !== OTHER) || (before === SPACED && begins === SPACED && (own & AFTER_SPACE) === 0);
    if (!goesOn || at === 0) {
      if (isWord) {
        bounds[count++] = start;
        bounds[count++] = at;
      }
      start = at;
      isWord = false;
    }
    isWord ||= begins === SPACED || begins === UNSPACED;
    before = (own >> LAST) & KIND;
  }
  if (isWord) {
    bounds[count++] = start;
    bounds[count++] = tokens.length;
  }
  return count / 2;
}

/**
 * Joins units of scripts whose words are spelt without spaces to the words that the lexicon knows, always the longest; changes `bounds`,
 * which holds `count` units, and returns how many there are then.
 */
export function joinSpeltWords(
  vocabulary: Vocabulary,
  lexicon: Lexicon,
  tokens: ArrayLike<number>,
  bounds: Int32Array,
  count: number,
): number {
  let joined = 0;
  for (let unit = 0; unit < count; ) {
    const last =
      vocabulary.shape[tokens[bounds[2 * unit]!]!]! & SPELT
        ? lastOfWord(vocabulary, lexicon, tokens, bounds, unit, count)
        : unit;
    bounds[2 * joined] = bounds[2 * unit]!;
    bounds[2 * joined + 1] = bounds[2 * last + 1]!;
    joined++;
    unit = last + 1;
  }
  return joined;
}

/** The unit that ends the longest word which begins with `first`; itself, where none is known. */
function lastOfWord(
  { shape, textOf }: Vocabulary,
  lexicon: Lexicon,
  tokens: ArrayLike<number>,
  bounds: Int32Array,
  first: number,
  count: number,
): number {
  const hasher = new WordHasher();
  let found = first;
  for (let unit = first; unit < Math.min(count, first + MOST_PIECES); unit++) {
    const start = bounds[2 * unit]!;
    const own = shape[tokens[start]!]!;
    if (unit > first && (start !== bounds[2 * unit - 1] || !(own & SPELT) || own & AFTER_SPACE)) break;
    for (let at = start; at < bounds[2 * unit + 1]!; at++) hasher.add(textOf(tokens[at]!));
    if (!lexicon.mayBegin(hasher)) break;
    if (unit > first && lexicon.found(hasher) !== null) found = unit;
  }
  return found;
}
