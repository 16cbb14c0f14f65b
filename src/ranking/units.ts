/**
 * Tokens → units: words where a script puts spaces between them, else the tokenizer's pieces. A tokenizer cuts one word in as many ways as it
 * meets it; whole, it means the same everywhere. Pure.
 */
import { AFTER_SPACE, KIND, LAST, OTHER, SPACE, SPACED, UNSPACED, type Vocabulary } from "./vocabulary.ts";

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
