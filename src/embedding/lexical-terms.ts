/**
 * What lexical search compares: a text's model tokens, which serve every language, and its words where the script puts spaces
 * between them. A tokenizer cuts a name or a part number by what stands before it (after a space, a bracket, a Japanese
 * particle); as a word it is the same everywhere. Pure.
 */

import { FIRST_WORD } from "../foundation/term-ids.ts";

/** Words are told apart by so many hash values: few enough to count by, enough for two words of one question to differ. */
const WORD_HASHES = 2 ** 22;
/** Shorter words say nothing that the tokens do not. */
const SHORTEST_WORD = 2;

/** Letters of scripts without spaces between words, as a class of a regular expression with flag v. */
export const IS_UNSPACED_SCRIPT = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]`;
/** Letters, marks and digits of scripts with spaces between words. */
const RUN = String.raw`[[\p{L}\p{M}\p{N}]--${IS_UNSPACED_SCRIPT}]+`;
/** Words, also joined ones as in part numbers, file names and times. */
const WORD = new RegExp(String.raw`${RUN}(?:[\-_.\/:]${RUN})*`, "gv");
const JOINT = /[-_./:]/;
/** With a digit or an underscore, or with a dot or a colon beside more than an abbreviation's letters. Hyphens and slashes join ordinary words. */
const IDENTIFIER = /[\p{N}_]|\p{L}{3}[.:]\p{L}|\p{L}[.:]\p{L}{3}/u;

/** Ids of a text's lexical terms, each as often as it occurs: its tokens, given by their ids, then its words. */
export function lexicalTerms(tokens: ArrayLike<number>, words: readonly string[]): number[] {
  return [...Array.from(tokens), ...words.map(wordId)];
}

/** A text's words, each as often as it occurs; joined ones as a whole and in their parts. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
    const parts = word.split(JOINT);
    if (parts.length > 1) words.push(word);
    for (const part of parts) if (part.length >= SHORTEST_WORD) words.push(part);
  }
  return words;
}

/** Part numbers, error codes, file names, years, times: whoever asks with one means just that one. */
export const isIdentifier = (word: string): boolean => IDENTIFIER.test(word);

/** FNV-1a over UTF-16 units, its high bits folded in. */
export function wordId(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return FIRST_WORD + (((hash >>> 22) ^ hash) & (WORD_HASHES - 1));
}
