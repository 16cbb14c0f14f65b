/**
 * The same questions as other people would ask them: as a few words, without accents, with a letter mistyped, inside a long letter. Every
 * choice follows from the question's text and the seed, so a set's variants are the same in every run.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../random.ts";
import type { Passage, Question } from "./question-set.ts";

/** Words of a long question. */
const LONG = 300;

export interface VariantContext {
  /** Chooses what is drawn for one question. */
  readonly random: Random;
  /** How rare a word is in the set, lowest first. */
  readonly commonness: (word: string) => number;
}

/** The question in another form; null where that would be the same, or is not done in its language. */
export type Variant = (question: Question, context: VariantContext) => string | null;

export const variants: Readonly<Record<string, Variant>> = {
  "a few words": (question, context) => rarestWords(question, 2 + context.random.below(2), context),
  "one word": (question, context) => rarestWords(question, 1, context),
  "no accents": ({ text }) => changed(text, withoutAccents(text)),
  "a letter mistyped": ({ text }, { random }) => mistyped(text, random),
  "three hundred words": (question) => padded(question),
};

/** The questions that a variant changes, in that form. */
export function vary(
  variant: Variant,
  questions: readonly Question[],
  passages: readonly Passage[],
  seed: number,
): Question[] {
  const commonness = commonnessIn(questions, passages);
  return questions.flatMap((question) => {
    const text = variant(question, { random: new Random(Bun.hash.xxHash32(question.text, seed)), commonness });
    return text === null ? [] : [{ ...question, text }];
  });
}

/**
 * In how many passages a word stands. Words of no passage say least, however rare: those that only ask, and behind them, where
 * questions are in another language or passages are not known, those that fewer questions use.
 */
function commonnessIn(questions: readonly Question[], passages: readonly Passage[]): (word: string) => number {
  let known: { inPassages: Map<string, number>; inQuestions: Map<string, number> } | null = null;
  return (word) => {
    known ??= { inPassages: countHolders(passages), inQuestions: countHolders(questions) };
    const folded = fold(word);
    return known.inPassages.get(folded) ?? passages.length + (known.inQuestions.get(folded) ?? 0);
  };
}

function countHolders(texts: readonly { readonly text: string; readonly language: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text, language } of texts)
    for (const word of new Set(words(text, language).map(fold))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function rarestWords({ text, language }: Question, count: number, { commonness }: VariantContext): string | null {
  const own = [...new Set(words(text, language))];
  if (own.length <= count) return null;
  const rarest = own
    .toSorted((left, right) => commonness(left) - commonness(right) || right.length - left.length)
    .slice(0, count);
  return own.filter((word) => rarest.includes(word)).join(" ");
}

/** Only Latin, Greek and Cyrillic letters are written without their marks; elsewhere a mark makes another letter. */
function withoutAccents(text: string): string {
  const special: Record<string, string> = {
    ß: "ss",
    ø: "o",
    Ø: "O",
    ł: "l",
    Ł: "L",
    đ: "d",
    Đ: "D",
    ı: "i",
    æ: "ae",
    Æ: "Ae",
    œ: "oe",
    Œ: "Oe",
    ё: "е",
    Ё: "Е",
  };
  return text
    .normalize("NFC")
    .replace(
      /[\p{Script=Latin}\p{Script=Greek}ёЁ]/gu,
      (letter) => special[letter] ?? letter.normalize("NFD").replace(/\p{M}/gu, ""),
    );
}

/**
 * One letter left out, doubled, exchanged with its neighbour or for another letter of the question, never a word's first. Words
 * are long enough to be recognised all the same. Han and Kana are not typed letter by letter.
 */
function mistyped(text: string, random: Random): string | null {
  const candidates = [...text.matchAll(/[\p{L}\p{M}]+/gu)].flatMap(({ 0: word, index }) => {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) return [];
    const letters = Array.from(
      new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(word),
      ({ segment }) => segment,
    );
    return letters.length >= (/\p{Script=Hangul}/u.test(word) ? 3 : 5) ? [{ letters, index, length: word.length }] : [];
  });
  const chosen = random.pick(candidates);
  if (chosen === undefined) return null;
  const letters = [...chosen.letters];
  const at = 1 + random.below(letters.length - 2);
  const others = candidates.flatMap((word) => word.letters).filter((letter) => letter !== letters[at]);
  const ways = [
    () => letters.splice(at, 1),
    () => letters.splice(at, 0, letters[at]!),
    () => letters.splice(at, 2, letters[at + 1]!, letters[at]!),
    () => letters.splice(at, 1, random.pick(others) ?? "x"),
  ];
  random.pick(ways)!();
  return changed(text, text.slice(0, chosen.index) + letters.join("") + text.slice(chosen.index + chosen.length));
}

let paddings: Map<string, string> | null = null;

/** In the middle of a letter that says nothing else about the matter, in the question's language or in English. */
function padded({ text, language }: Question): string {
  paddings ??= new Map(
    readFileSync(join(import.meta.dir, "padding.tsv"), "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split("\t", 2) as [string, string]),
  );
  const base = language.split("-")[0]!;
  const padding = paddings.get(base) ?? paddings.get("en")!;
  const spare = LONG - words(text, language).length;
  const pieces = Array.from(
    new Intl.Segmenter(paddings.has(base) ? base : "en", { granularity: "word" }).segment(padding),
  );
  const perRound = pieces.filter(({ isWordLike }) => isWordLike).length;
  const take = (count: number): string => {
    const rounds = Math.floor(count / perRound);
    let left = count % perRound;
    const part = pieces.filter(({ isWordLike }) => !isWordLike || left-- > 0).map(({ segment }) => segment);
    return [...Array.from({ length: rounds }, () => padding), count % perRound === 0 ? "" : part.join("").trim()]
      .join(" ")
      .trim();
  };
  return spare <= 0 ? text : `${take(Math.floor(spare / 2))} ${text} ${take(Math.ceil(spare / 2))}`;
}

function words(text: string, language: string): string[] {
  return Array.from(new Intl.Segmenter(language, { granularity: "word" }).segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}

const fold = (word: string): string => word.normalize("NFKC").toLowerCase();
const changed = (before: string, after: string): string | null => (after === before ? null : after);
