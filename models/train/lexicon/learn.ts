/**
 * Learns the built-in model's lexicon from texts with their translations.
 *
 *     bun learn.ts DATA OUT/lexicon.bin [LANGUAGES]        (a folder with ntrex, ms_docs, gatitos and tldr; languages with commas between them)
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { TRANSLATIONS } from "../../../src/embedding/lexicon.ts";
import { align, type Aligned, type WordPair } from "./alignment.ts";
import { lexiconOf } from "./file.ts";
import { tokensOf, wordsOf } from "./words.ts";

/** Whose languages are learnt: those of texts; the others add words to them. */
const TEXTS = ["ntrex", "ms_docs"];
const SETS = [...TEXTS, "gatitos", "tldr"];
/** English words that say nothing of what a text is about. */
const EMPTY_WORDS = new Set("the of to a in an and for is it s that on with as at by this be are was".split(" "));
const IS_ENGLISH = /^[\p{Script=Latin}\d][\p{Script=Latin}\d\-']*$/u;
/** Numbers are the same everywhere; a byte of a character is no word. */
const IS_NO_WORD = /\d|<0x/;
/** A word that English texts have so often beside a language's is an English one there. */
const ENGLISH_OFTEN = 2;

const [data, out, chosen] = process.argv.slice(2);
if (!data || !out) throw new Error("bun learn.ts DATA OUT/lexicon.bin [LANGUAGES]");
const rows = readRows(data);
const languages = chosen?.split(",") ?? [...rows.keys()].sort();
/** What each language says that a word is. */
const learnt = new Map<string, Aligned[][]>();
for (const language of languages) {
  const began = performance.now();
  const englishCounts = new Map<string, number>();
  const pairs: WordPair[] = [];
  for (const [english, translation] of rows.get(language)!) {
    const own = wordsOf(english, "en"), foreign = wordsOf(translation, language);
    for (const word of own) englishCounts.set(word, (englishCounts.get(word) ?? 0) + 1);
    if (own.length > 0 && foreign.length > 0) pairs.push({ english: own, foreign, isEntry: own.length === 1 && foreign.length <= 2 });
  }
  const words = align(pairs, TRANSLATIONS, (english) => IS_ENGLISH.test(english) && !EMPTY_WORDS.has(english));
  let kept = 0;
  for (const [word, aligned] of words) {
    if (IS_NO_WORD.test(word) || (englishCounts.get(word) ?? 0) >= ENGLISH_OFTEN) continue;
    kept++;
    learnt.set(word, [...(learnt.get(word) ?? []), aligned]);
  }
  console.log(`${language}: ${pairs.length} texts, ${kept} words, ${((performance.now() - began) / 1000).toFixed(1)} s`);
}
const words = new Map(Array.from(learnt, ([word, all]) => [word, together(all)]));
const english = [...new Set([...words.values()].flatMap((aligned) => aligned.map((one) => one.english)))].sort();
const bytes = lexiconOf(words, new Map(english.map((word) => [word, tokensOf(word) ?? []])));
await Bun.write(out, bytes);
console.log(`${learnt.size} words, ${bytes.length} bytes`);

/** What a word is that several languages spell alike: as often as all of them say together. */
function together(all: readonly Aligned[][]): Aligned[] {
  const shares = new Map<string, number>();
  for (const { english, share } of all.flat()) shares.set(english, (shares.get(english) ?? 0) + share / all.length);
  return Array.from(shares, ([english, share]) => ({ english, share }))
    .sort((left, right) => right.share - left.share)
    .slice(0, TRANSLATIONS);
}

/** English texts and their translations, by language. */
function readRows(folder: string): Map<string, [english: string, translation: string][]> {
  const found = new Map<string, [string, string][]>();
  for (const set of SETS) {
    const file = join(folder, `${set}.tsv.xz`);
    for (const line of execFileSync("xz", ["-dc", file], { maxBuffer: 2 ** 31 }).toString().split("\n")) {
      const [language, english, translation] = line.split("\t");
      if (!language || !english || !translation || english === translation) continue;
      const own = found.get(language) ?? [];
      if (own.length === 0 && !TEXTS.includes(set)) continue;
      if (own.length === 0) found.set(language, own);
      own.push([english, translation]);
    }
  }
  return found;
}
