/** How the ids of a text's lexical terms are laid out: those of its tokens, in order, then those of its words. Pure. */

/** Words have ids from here on; models' vocabularies end below. */
export const FIRST_WORD = 2 ** 20;

/** A text's tokens among its terms, as a part of the same buffer. */
export function tokensOf(terms: Uint32Array): Uint32Array {
  const words = terms.findIndex((term) => term >= FIRST_WORD);
  return words < 0 ? terms : terms.subarray(0, words);
}
