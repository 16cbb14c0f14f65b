/** Tokens → words: where a new one begins, and which words are the same. */
import { expect, test } from "bun:test";
import { foldUnit } from "../../src/foundation/fold-unit.ts";
import { findUnits, joinSpeltWords } from "../../src/ranking/units.ts";
import { vocabularyOf } from "../../src/ranking/vocabulary.ts";
import { tinyLexicon } from "../embedding/tiny-lexicon.ts";

function boundsOf(pieces: readonly string[], tokens: readonly number[]): [number, number][] {
  const bounds = new Int32Array(2 * tokens.length);
  const count = findUnits(vocabularyOf(pieces), tokens, bounds);
  return Array.from({ length: count }, (_, unit) => [bounds[2 * unit]!, bounds[2 * unit + 1]!]);
}

const unitsOf = (pieces: readonly string[]): string[] =>
  boundsOf(pieces, [...pieces.keys()]).map(([start, end]) => pieces.slice(start, end).join("").replaceAll("▁", ""));

test.each<[title: string, pieces: string[], units: string[]]>([
  [
    "pieces of a word belong together, a space begins the next",
    ["▁Wal", "dorf", "▁und", "▁See"],
    ["Waldorf", "und", "See"],
  ],
  ["a lone space belongs to what follows", ["▁", "Wal", "d", "▁", "森", "▁", "."], ["Wald", "森"]],
  ["marks part words and are none", ["▁A", "-", "17", "▁(", "neu", ")", "."], ["A", "17", "neu"]],
  [
    "pieces of scripts without spaces stand alone",
    ["▁東京", "都", "の", "▁ประเทศ", "ไทย"],
    ["東京", "都", "の", "ประเทศ", "ไทย"],
  ],
  ["scripts that change part words", ["▁ABC", "社", "xyz"], ["ABC", "社", "xyz"]],
  ["Hangul and Arabic are words between spaces", ["▁서울", "에서", "▁الم", "دينة"], ["서울에서", "المدينة"]],
  ["bytes of rare characters stand alone", ["▁", "<0xF0>", "<0x9F>", "▁x"], ["<0xF0>", "<0x9F>", "x"]],
  ["nothing", [], []],
])("%s", (_, pieces, units) => expect(unitsOf(pieces)).toEqual(units));

const KNOWN = ["โรงเรียน", "เรียน", "東京都", "schulhaus"];
const lexicon = tinyLexicon(
  { school: [1] },
  KNOWN.map((word) => ({ word, means: [["school", 1]] })),
);

test.each<[title: string, pieces: string[], units: string[]]>([
  [
    "letters and syllables are joined to the longest word that is known",
    ["▁โ", "รง", "เรีย", "น", "ไป"],
    ["โรงเรียน", "ไป"],
  ],
  ["what is not known stays apart, and what follows is looked up", ["▁ไป", "เรีย", "น"], ["ไป", "เรียน"]],
  ["no word reaches over a space or a mark", ["▁โ", "รง", "▁เรีย", "น", "โ", ".", "รง"], ["โ", "รง", "เรียน", "โ", "รง"]],
  [
    "characters that mean something by themselves, and words between spaces, are left as they are",
    ["▁東京", "都", "▁schul", "haus"],
    ["東京", "都", "schulhaus"],
  ],
])("%s", (_, pieces, units) => {
  const vocabulary = vocabularyOf(pieces);
  const tokens = [...pieces.keys()];
  const bounds = new Int32Array(2 * tokens.length);
  const count = joinSpeltWords(vocabulary, lexicon, tokens, bounds, findUnits(vocabulary, tokens, bounds));
  expect(
    Array.from({ length: count }, (_, unit) =>
      pieces
        .slice(bounds[2 * unit], bounds[2 * unit + 1])
        .join("")
        .replaceAll("▁", ""),
    ),
  ).toEqual(units);
});

test("a token that the vocabulary does not have is no word, and parts none", () => {
  expect(boundsOf(["▁a", "▁", "b"], [0, 99, 1, 99, 2])).toEqual([
    [0, 1],
    [4, 5],
  ]);
});

test.each([
  ["café", "cafe"],
  ["ёлка", "елка"],
  ["ἄνθρωπος", "ανθρωπος"],
  ["हिन्दी", "हिन्दी"],
  ["が", "が"],
  ["٢٠٢٤", "2024"],
  ["१२", "12"],
])("%s is compared as %s", (word, folded) => expect(foldUnit(word)).toBe(folded));
