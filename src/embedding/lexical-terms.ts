/**
 * What lexical search compares: a text's model tokens, which serve every language, and its words where the script puts spaces
 * between them. A tokenizer cuts a name or a part number by what stands before it (after a space, a bracket, a Japanese
 * particle); as a word it is the same everywhere. Pure.
 */

/** Words have ids from here on; models' vocabularies end below. */
const FIRST_WORD = 2 ** 20;
/** Words are told apart by so many hash values: few enough to count by, enough for two words of one question to differ. */
const WORD_HASHES = 2 ** 22;
/** Shorter words say nothing that the tokens do not. */
const SHORTEST_WORD = 2;

/** Letters, marks and digits of scripts with spaces between words. */
const RUN = String.raw`[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]]+`;
/** Words, also joined ones as in part numbers, file names and times. */
const WORD = new RegExp(String.raw`${RUN}(?:[\-_.\/:]${RUN})*`, "gv");
const JOINT = /[-_./:]/;

/** Ids of a text's lexical terms, each as often as it occurs, given the ids of its tokens. */
export function lexicalTerms(text: string, tokens: ArrayLike<number>): number[] {
  const terms = Array.from(tokens);
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
    const parts = word.split(JOINT);
    if (parts.length > 1) terms.push(wordId(word));
    for (const part of parts) if (part.length >= SHORTEST_WORD) terms.push(wordId(part));
  }
  return terms;
}

/** FNV-1a over UTF-16 units, its high bits folded in. */
function wordId(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return FIRST_WORD + (((hash >>> 22) ^ hash) & (WORD_HASHES - 1));
}
