/** Small stand-ins for an embedding model's tokenizer. */
import type { TokenCounterLike } from "../../src/documents/types.ts";

function byPattern(pattern: RegExp): TokenCounterLike {
  return {
    offsets: async (text) =>
      Array.from(text.matchAll(pattern), (match) => [match.index, match.index + match[0].length] as const),
  };
}

/** Words in pieces of up to six letters, each with the blank before it, like a SentencePiece vocabulary. */
export const pieceCounter = byPattern(/\s?[\p{L}\p{N}]{1,6}|\S/gu);
/** One token a word however long, like WordPiece's [UNK]. */
export const wordCounter = byPattern(/\S+/g);
/** One token a code point. */
const characterCounter = byPattern(/[^]/gu);
/** Knows no character at all. */
export const blindCounter = byPattern(/(?!)/g);
/** Every code point is spelt in its UTF-8 bytes, all with the offsets of the code point. */
const byteCounter: TokenCounterLike = {
  offsets: async (text) => {
    const offsets: Array<readonly [number, number]> = [];
    let position = 0;
    for (const character of text) {
      for (let index = 0; index < Buffer.byteLength(character); index += 1)
        offsets.push([position, position + character.length]);
      position += character.length;
    }
    return offsets;
  },
};

export const counters = { pieceCounter, wordCounter, characterCounter, blindCounter, byteCounter };
