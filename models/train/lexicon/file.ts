/** Words and what stands for them → the bytes of a lexicon (src/embedding/lexicon.ts). Pure. */
import { IS_UNSPACED_SCRIPT } from "../../../src/embedding/lexical-terms.ts";
import { hashOf, lexiconBytes, NONE, SHARE_UNIT, TRANSLATIONS, WordHasher } from "../../../src/embedding/lexicon.ts";
import type { Aligned } from "./alignment.ts";

/** Bits for beginnings: one in a dozen is set. */
const BEGINNING_BITS = 2 ** 21;
const IS_UNSPACED = new RegExp(`^${IS_UNSPACED_SCRIPT}`, "v");

/** `english`: the English words by their numbers, each with its tokens. Throws an Error when they are too many. */
export function lexiconOf(words: ReadonlyMap<string, readonly Aligned[]>, english: ReadonlyMap<string, readonly number[]>): Uint8Array {
  if (english.size >= NONE) throw new Error(`a lexicon holds fewer than ${NONE} English words, not ${english.size}`);
  const numbers = new Map([...english.keys()].map((word, at) => [word, at]));
  const entries = Array.from(words, ([word, aligned]) => ({ key: hashOf(word), aligned })).sort((left, right) => left.key.hash - right.key.hash || left.key.check - right.key.check);
  const spelt = Array.from(english.keys(), (word) => Buffer.from(word, "utf8"));
  const tokens = [...english.values()];
  return lexiconBytes({
    hashes: Uint32Array.from(entries, ({ key }) => key.hash),
    checks: Uint8Array.from(entries, ({ key }) => key.check),
    words: Uint16Array.from(entries.flatMap(({ aligned }) => filled(aligned.map((one) => numbers.get(one.english)!), NONE))),
    shares: Uint8Array.from(entries.flatMap(({ aligned }) => filled(aligned.map(({ share }) => Math.round(share * SHARE_UNIT)), 0))),
    beginnings: beginningsOf(words.keys()),
    text: Buffer.concat(spelt),
    textEnds: endsOf(spelt),
    tokens: Uint16Array.from(tokens.flat()),
    tokenEnds: endsOf(tokens),
  });
}

function beginningsOf(words: Iterable<string>): Uint8Array {
  const beginnings = new Uint8Array(BEGINNING_BITS / 8);
  for (const word of words) {
    if (!IS_UNSPACED.test(word)) continue;
    const hasher = new WordHasher();
    for (const unit of word.split("")) {
      const bit = hasher.add(unit).hash % BEGINNING_BITS;
      beginnings[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  return beginnings;
}

const filled = (values: readonly number[], empty: number): number[] => Array.from({ length: TRANSLATIONS }, (_, at) => values[at] ?? empty);

function endsOf(parts: readonly { readonly length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(parts, ({ length }) => (end += length));
}
