/** Questions word by word in English. */
import { expect, test } from "bun:test";
import { glossOf } from "../../src/embedding/gloss.ts";
import type { Lexicon } from "../../src/embedding/lexicon.ts";
import { tinyLexicon, type TinyEntry } from "./tiny-lexicon.ts";

const ENGLISH = { where: [1], house: [2], school: [3], children: [4], learn: [5], building: [6] };
const entry = (word: string, english: keyof typeof ENGLISH, share = 0.9): TinyEntry => ({
  word,
  means: [[english, share]],
});
const lexicon = tinyLexicon(ENGLISH, [
  entry("wo", "where"),
  entry("schule", "school"),
  entry("straße", "building", 0.15),
  entry("โรง", "building"),
  entry("โรงเรียน", "school"),
  entry("เรียน", "learn"),
  entry("เด็ก", "children"),
  entry("東", "house"),
]);

const textOf = (known: Lexicon, question: string): string =>
  glossOf(known, question)
    .map((word) => known.textOf(word))
    .join(" ");

test.each<[what: string, question: string, gloss: string]>([
  ["words between spaces and marks, whatever their case", "Wo ist die SCHULE?", "where school"],
  ["a word that comes twice counts once", "Schule, Schule", "school"],
  ["of a script without spaces always the longest word that is known", "เด็กโรงเรียน", "children school"],
  ["behind what is not known it goes on", "กขเรียนคเด็ก", "learn children"],
  ["scripts that change", "Schule東", "school house"],
  ["composed and decomposed letters are the same", "Straße schule", "school"],
  ["what stands for a word too seldom is left out", "straße", ""],
  ["nothing known", "Is there a way home?", ""],
  ["nothing", "", ""],
])("%s", (_, question, gloss) => expect(textOf(lexicon, question)).toBe(gloss));

test("of a very long question so many words", () => {
  const english = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`w${at}`, [at]]));
  const many = tinyLexicon(
    english,
    Array.from({ length: 100 }, (_, at) => ({ word: `x${at}`, means: [[`w${at}`, 1]] })),
  );
  const question = Array.from({ length: 100 }, (_, at) => `x${at}`).join(" ");
  expect(textOf(many, question).split(" ")).toEqual(Array.from({ length: 32 }, (_, at) => `w${at}`));
});
