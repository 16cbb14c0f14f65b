/** Digits of any script as numbers. Pure. */

/** The value of a decimal digit (a code point of Unicode's class Nd): in every script 0-9 lie together, so it is how many digits stand before it in its run, modulo ten. */
export function valueOfDigit(codePoint: number): number {
  if (codePoint < 0x80) return codePoint - 0x30;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - before - 1))) before++;
  return before % 10;
}
