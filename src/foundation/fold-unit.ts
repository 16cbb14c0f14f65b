/** Words as they are compared where spellings differ. Pure. */
import { valueOfDigit } from "./digits.ts";

/** A word as it is compared: without the accents of Latin, Greek and Cyrillic, and with the digits of all scripts as 0-9. */
export function foldUnit(text: string): string {
  const bare = HAS_ACCENTS.test(text)
    ? Array.from(text.normalize("NFKD"))
        .filter((character) => !IS_MARK.test(character))
        .join("")
    : text;
  return bare.replace(DIGITS, (digit) => String(valueOfDigit(digit.codePointAt(0)!)));
}

/** Only scripts in which marks are accents: elsewhere they are vowels. */
const HAS_ACCENTS = /^[\u0000-\u052f\u1e00-\u1fff]*$/;
const IS_MARK = /\p{M}/u;
const DIGITS = /[^\P{Nd}0-9]/gu;
