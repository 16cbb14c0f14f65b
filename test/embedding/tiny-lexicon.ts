/** A lexicon of a few words, written as the built-in model's is. */
import { lexiconOf } from "../../models/train/lexicon/file.ts";
import { Lexicon } from "../../src/embedding/lexicon.ts";

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
  const words = entries.map(
    ({ word, means }) => [word, means.map(([english, share]) => ({ english, share }))] as const,
  );
  return lexiconOf(new Map(words), new Map(Object.entries(english)));
}

export const tinyLexicon = (...parts: Parameters<typeof tinyLexiconBytes>): Lexicon =>
  Lexicon.parse(tinyLexiconBytes(...parts), "the tiny lexicon");
