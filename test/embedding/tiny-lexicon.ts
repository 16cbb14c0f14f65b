/** A lexicon of a few words, in the layout of the built-in model's. */
import {
  hashOf,
  Lexicon,
  lexiconBytes,
  NONE,
  SHARE_UNIT,
  TRANSLATIONS,
  WordHasher,
} from "../../src/embedding/lexicon.ts";

const BEGINNING_BITS = 4096;

export interface TinyEntry {
  readonly word: string;
  /** English words and their shares, best first. */
  readonly means: readonly (readonly [english: string, share: number])[];
}

/** `english`: the tokens of each English word, which are numbered in this order. */
export function tinyLexiconBytes(
  english: Readonly<Record<string, readonly number[]>>,
  entries: readonly TinyEntry[],
): Uint8Array {
  const words = Object.keys(english);
  const sorted = entries
    .map(({ word, means }) => ({ means, hash: hashOf(word).hash, check: hashOf(word).check }))
    .sort((left, right) => left.hash - right.hash);
  const beginnings = new Uint8Array(BEGINNING_BITS / 8);
  for (const { word } of entries) {
    const hasher = new WordHasher();
    for (const unit of word.split("")) {
      const bit = hasher.add(unit).hash % BEGINNING_BITS;
      beginnings[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  const places = Array.from({ length: TRANSLATIONS }, (_, at) => at);
  let [textEnd, tokenEnd] = [0, 0];
  return lexiconBytes({
    hashes: Uint32Array.from(sorted, ({ hash }) => hash),
    checks: Uint8Array.from(sorted, ({ check }) => check),
    words: Uint16Array.from(
      sorted.flatMap(({ means }) => places.map((at) => (means[at] ? words.indexOf(means[at][0]) : NONE))),
    ),
    shares: Uint8Array.from(
      sorted.flatMap(({ means }) => places.map((at) => Math.round((means[at]?.[1] ?? 0) * SHARE_UNIT))),
    ),
    beginnings,
    text: Buffer.from(words.join("")),
    textEnds: Uint32Array.from(words, (word) => (textEnd += Buffer.byteLength(word))),
    tokens: Uint16Array.from(Object.values(english).flat()),
    tokenEnds: Uint32Array.from(Object.values(english), (tokens) => (tokenEnd += tokens.length)),
  });
}

export const tinyLexicon = (...parts: Parameters<typeof tinyLexiconBytes>): Lexicon =>
  Lexicon.parse(tinyLexiconBytes(...parts), "the tiny lexicon");
