/** Words and what stands for them → the bytes of a lexicon (src/embedding/lexicon.ts). */
import { hashOf, lexiconBytes, NONE, SHARE_UNIT, TRANSLATIONS, WordHasher } from "../../../src/embedding/lexicon.ts";
import type { Aligned } from "./alignment.ts";
import { tokensOf } from "./words.ts";

/** Bits for beginnings: one in a dozen is set. */
const BEGINNING_BITS = 2 ** 21;
const IS_UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

export function lexiconOf(words: ReadonlyMap<string, readonly Aligned[]>): Uint8Array {
  const english = [...new Set([...words.values()].flatMap((aligned) => aligned.map((one) => one.english)))].sort();
  if (english.length >= NONE) throw new Error(`a lexicon holds fewer than ${NONE} English words, not ${english.length}`);
  const numbers = new Map(english.map((word, at) => [word, at]));
  const entries = Array.from(words, ([word, aligned]) => ({ ...hashesOf(word), aligned })).sort((left, right) => left.hash - right.hash || left.check - right.check);
  const beginnings = new Uint8Array(BEGINNING_BITS / 8);
  for (const word of words.keys()) {
    if (!IS_UNSPACED.test(word)) continue;
    const hasher = new WordHasher();
    for (const unit of word.split("")) {
      const bit = hasher.add(unit).hash % BEGINNING_BITS;
      beginnings[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  const spelt = english.map((word) => Buffer.from(word, "utf8"));
  const tokens = english.map((word) => tokensOf(word) ?? []);
  return lexiconBytes({
    hashes: Uint32Array.from(entries, ({ hash }) => hash),
    checks: Uint8Array.from(entries, ({ check }) => check),
    words: Uint16Array.from(entries.flatMap(({ aligned }) => filled(aligned.map((one) => numbers.get(one.english)!), NONE))),
    shares: Uint8Array.from(entries.flatMap(({ aligned }) => filled(aligned.map(({ share }) => Math.round(share * SHARE_UNIT)), 0))),
    beginnings,
    text: Buffer.concat(spelt),
    textEnds: endsOf(spelt),
    tokens: Uint16Array.from(tokens.flat()),
    tokenEnds: endsOf(tokens),
  });
}

const hashesOf = (word: string): { hash: number; check: number } => {
  const { hash, check } = hashOf(word);
  return { hash, check };
};

const filled = (values: readonly number[], empty: number): number[] => Array.from({ length: TRANSLATIONS }, (_, at) => values[at] ?? empty);

function endsOf(parts: readonly { readonly length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(parts, ({ length }) => (end += length));
}
