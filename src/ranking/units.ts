/**
 * Tokens → units: words where a script puts spaces between them, else the tokenizer's pieces. A tokenizer cuts one word in as many ways as it
 * meets it; whole, it means the same everywhere. Pure.
 */
import { valueOfDigit } from "../digits.ts";
import { OTHER, SPACE, SPACED, UNSPACED, type Vocabulary } from "./vocabulary.ts";

/** Calls `visit` with where each unit's tokens start and end (exclusive) among `tokens`, in order; what holds no letter and no digit, or is no token of the vocabulary, is none. */
export function visitUnits(vocabulary: Vocabulary, tokens: ArrayLike<number>, visit: (start: number, end: number) => void): void {
  const { first, last, afterSpace } = vocabulary;
  let start = 0;
  let isWord = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const begins = first[token] ?? OTHER;
    const before = at === 0 ? OTHER : last[tokens[at - 1]!]!;
    const goesOn = at > 0 && ((before === SPACE && begins !== OTHER) || (afterSpace[token] === 0 && begins === SPACED && before === SPACED));
    if (!goesOn) {
      if (isWord) visit(start, at);
      start = at;
      isWord = false;
    }
    isWord ||= begins === SPACED || begins === UNSPACED;
  }
  if (isWord) visit(start, tokens.length);
}

/** A word as it is compared: without the accents of Latin, Greek and Cyrillic, and with the digits of all scripts as 0-9. */
export function foldUnit(text: string): string {
  const bare = HAS_ACCENTS.test(text) ? Array.from(text.normalize("NFKD")).filter((character) => !IS_MARK.test(character)).join("") : text;
  return bare.replace(DIGITS, (digit) => String(valueOfDigit(digit.codePointAt(0)!)));
}

/** Only scripts in which marks are accents: elsewhere they are vowels. */
const HAS_ACCENTS = /^[\u0000-\u052f\u1e00-\u1fff]*$/;
const IS_MARK = /\p{M}/u;
const DIGITS = /[^\P{Nd}0-9]/gu;
