/** What somebody might type who looks for a text: a stretch of its translation, or its rarest words. */

import type { Chance } from "./chance.ts";

/** Languages written without blanks between words, by the codes of the data sets. */
const WITHOUT_BLANKS = new Set(["zh", "yue", "ja", "th", "lo", "km", "my", "bo", "dz", "zho-CN", "zho-TW", "jpn", "tha", "lao", "khm", "mya", "bod", "dzo"]);
/** The three-letter codes that the segmenter does not know as languages with a dictionary. */
const SEGMENTED_AS: Record<string, string> = { "zho-CN": "zh", "zho-TW": "zh", yue: "zh", jpn: "ja", tha: "th", khm: "km", lao: "lo", mya: "my" };
/** Fewer words say too little to tell one text among hundreds. */
const FEWEST_WORDS = 5;
/** Who retells a text leaves words out. */
const WORDS_LEFT_OUT = 0.15;

const withoutBlanks = (language: string) => WITHOUT_BLANKS.has(language);

/** The text cut at blanks, or where dictionaries see words; joined by `separator` it is the text again. */
function pieces(text: string, language: string): { parts: string[]; separator: string } {
  if (!withoutBlanks(language)) return { parts: text.split(/\s+/u).filter(Boolean), separator: " " };
  const segmenter = new Intl.Segmenter(SEGMENTED_AS[language] ?? language, { granularity: "word" });
  return { parts: [...segmenter.segment(text)].map(({ segment }) => segment), separator: "" };
}

/** A share of the text's words in a row, some of them left out. */
export function span(text: string, language: string, share: number, chance: Chance): string {
  const { parts, separator } = pieces(text, language);
  const count = Math.max(FEWEST_WORDS, Math.floor(parts.length * share));
  const start = chance.below(Math.max(1, parts.length - count + 1));
  const row = parts.slice(start, start + count);
  const kept = row.filter(() => chance.next() >= WORDS_LEFT_OUT);
  return (kept.length >= FEWEST_WORDS - 1 ? kept : row).join(separator).trim();
}

/** Texts too short to quote, or of which most words stand in `original` too (names, commands, what nobody translated), make no question. */
export function quotable(text: string, original: string, language: string): boolean {
  const own = words(text, language);
  const untranslated = new Set(words(original, "en"));
  return pieces(text, language).parts.length >= FEWEST_WORDS && own.filter((word) => !untranslated.has(word)).length > own.length / 2;
}

/** Words worth looking for, in lower case. */
function words(text: string, language: string): string[] {
  const shortest = withoutBlanks(language) ? 2 : 3;
  return pieces(text, language).parts
    .map((part) => part.replace(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, "").toLowerCase())
    .filter((word) => [...word].length >= shortest || /^\p{N}+$/u.test(word));
}

/** How many of some texts hold each word. */
export class WordCounts {
  readonly #language: string;
  readonly #holders = new Map<string, number>();

  constructor(texts: readonly string[], language: string) {
    this.#language = language;
    for (const text of texts) for (const word of new Set(words(text, language))) this.#holders.set(word, (this.#holders.get(word) ?? 0) + 1);
  }

  /** The text's `count` rarest words, in its order; words that none of the texts holds come last, as most are endings or slips. Null for a text of fewer words. */
  rarest(text: string, count: number): string | null {
    const own = [...new Set(words(text, this.#language))];
    if (own.length < count) return null;
    const rarity = (word: string) => this.#holders.get(word) ?? Infinity;
    const chosen = new Set(own.toSorted((a, b) => rarity(a) - rarity(b)).slice(0, count));
    return own.filter((word) => chosen.has(word)).join(" ");
  }
}
