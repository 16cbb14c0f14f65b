/**
 * A question's gloss: word by word what stands for it in English, without grammar. Passages of another language hold few of a question's
 * own words; those of the gloss find them. Pure.
 */
import { IS_UNSPACED_SCRIPT, wordsOf } from "./lexical-terms.ts";
import { WordHasher, type Lexicon, type Translation } from "./lexicon.ts";

/** What stands for a word less often than that says too little. */
const LEAST_SHARE = 0.2;
/** Characters of a word of a script without spaces, at most. */
const LONGEST_WORD = 24;
/** English words of a gloss, at most: a search takes time for each. */
const MOST_WORDS = 32;
const UNSPACED_RUN = new RegExp(`${IS_UNSPACED_SCRIPT}+`, "gv");

/** The English words, by their numbers in the lexicon, each once; none where no word is known. */
export function glossOf(lexicon: Lexicon, question: string): number[] {
  const words = new Set<number>();
  for (const [best] of translationsOf(lexicon, question)) {
    if (best !== undefined && best.share >= LEAST_SHARE) words.add(best.word);
    if (words.size === MOST_WORDS) break;
  }
  return [...words];
}

/** What stands for each known word. */
function* translationsOf(lexicon: Lexicon, question: string): Generator<readonly Translation[]> {
  for (const word of wordsOf(question)) yield lexicon.translations(word) ?? [];
  for (const [run] of question.normalize("NFKC").toLowerCase().matchAll(UNSPACED_RUN)) yield* wordsOfRun(lexicon, run);
}

/** What stands for the words of a run without spaces: from its beginning on, always the longest that is known. */
function* wordsOfRun(lexicon: Lexicon, run: string): Generator<readonly Translation[]> {
  for (let start = 0; start < run.length; ) {
    const hasher = new WordHasher();
    let longest: Translation[] | null = null;
    let end = start + 1;
    for (let at = start; at < Math.min(run.length, start + LONGEST_WORD); at++) {
      if (!lexicon.mayBegin(hasher.add(run[at]!))) break;
      const translations = lexicon.found(hasher);
      if (translations === null) continue;
      longest = translations;
      end = at + 1;
    }
    if (longest !== null) yield longest;
    start = end;
  }
}
