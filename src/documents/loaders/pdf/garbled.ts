/** Text of fonts that do not say which characters their glyphs are: what comes of it is no text, and is left out. */
import type { TextItem } from "./run.ts";

/** Characters of a font on a page from which it is judged. */
const ENOUGH = 24;
/** The shares of characters that text does not have: control characters, characters without a meaning, signs. */
const MOST_CONTROLS = 0.1;
const MOST_MEANINGLESS = 0.25;
const MOST_SIGNS = 0.5;
/** Signs that formulas and drawn lines do not use, all in one font. */
const FORMULA_SIGNS = 12;
/** Small letters read by the numbers of their glyphs are capitals, of which few are vowels. It takes some words to tell. */
const FEWEST_VOWELS = 0.18;
const MOST_SMALL = 0.1;
const ENOUGH_WORDS = 20;
const CONTROLS = /\p{Cc}/gu;
const MEANINGLESS = /[\p{Co}\p{Cn}\p{Cc}\uFFFD]/gu;
/** Bullets and arrows of picture fonts, which are no sign of it. */
const PICTURED = /[\uF000-\uF0FF]/g;
const SIGNS = /[!"#$%&'()*+,/:;<>?@[\\\]^`{|}~]/g;
const WORDS = /[A-Za-z]{4,}/g;
const VOWELS = /[AEIOUaeiou]/g;
const SMALL = /[a-z]/g;

/** Items of fonts whose text on this page can be read, and those whose text is given. */
export function legible<Item extends TextItem>(items: readonly Item[]): Item[] {
  const texts = new Map<string, string[]>();
  for (const { fontName, str, isGiven } of items) {
    if (isGiven) continue;
    const parts = texts.get(fontName);
    if (parts === undefined) texts.set(fontName, [str]);
    else parts.push(str);
  }
  const garbled = new Set([...texts].filter(([, parts]) => isGarbled(parts.join(" "))).map(([font]) => font));
  return garbled.size === 0 ? [...items] : items.filter(({ fontName, isGiven }) => isGiven || !garbled.has(fontName));
}

/** Whether it cannot be the text of any language. */
export function isGarbled(text: string): boolean {
  const characters = text.replace(/\s/g, "");
  const length = characters.length;
  if (length < ENOUGH) return false;
  if (count(characters, CONTROLS) > length * MOST_CONTROLS) return true;
  if (count(characters, MEANINGLESS) - Math.min(count(characters, PICTURED), ENOUGH) > length * MOST_MEANINGLESS)
    return true;
  const signs = characters.match(SIGNS) ?? [];
  if (signs.length > length * MOST_SIGNS && new Set(signs).size > FORMULA_SIGNS) return true;
  const words = text.match(WORDS) ?? [];
  const letters = words.join("");
  if (words.length < ENOUGH_WORDS || count(letters, SMALL) > letters.length * MOST_SMALL) return false;
  return count(letters, VOWELS) < letters.length * FEWEST_VOWELS;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
