/** The lexicon's file: what is found in it, and what is not one. The built-in model's: that it is there, and knows what it should. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hashOf, Lexicon, openLexicon, WordHasher } from "../../src/embedding/lexicon.ts";
import { tinyLexicon, tinyLexiconBytes } from "./tiny-lexicon.ts";

const ENGLISH = { house: [7], homestead: [8, 9], naïve: [10] };

describe("a lexicon's file", () => {
  test("holds of each word the English ones, best first, with their shares, their text and their tokens", () => {
    const lexicon = tinyLexicon(ENGLISH, [
      {
        word: "haus",
        means: [
          ["house", 0.8],
          ["homestead", 0.2],
        ],
      },
      { word: "naiv", means: [["naïve", 1]] },
      { word: "บ้าน", means: [["house", 0.6]] },
    ]);
    expect(lexicon.size).toBe(3);
    expect(lexicon.translations("haus")).toEqual([
      { word: 0, share: 0.8 },
      { word: 1, share: 0.2 },
    ]);
    expect(lexicon.translations("บ้าน")).toEqual([{ word: 0, share: 0.6 }]);
    expect(lexicon.translations("Haus")).toBeNull();
    expect([0, 1, 2].map((word) => lexicon.textOf(word))).toEqual(["house", "homestead", "naïve"]);
    expect([0, 1, 2].map((word) => [...lexicon.tokensOf(word)])).toEqual([[7], [8, 9], [10]]);
  });

  test("finds each of many words and none that is not there", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 200 }), (words) => {
        const [unknown, ...known] = words;
        const lexicon = tinyLexicon(
          ENGLISH,
          known.map((word) => ({ word, means: [["house", 1]] })),
        );
        for (const word of known) expect(lexicon.translations(word)).toEqual([{ word: 0, share: 1 }]);
        expect(lexicon.translations(unknown!)).toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  test("tells how its words may begin", () => {
    const lexicon = tinyLexicon(ENGLISH, [{ word: "บ้าน", means: [["house", 1]] }]);
    for (const beginning of ["บ", "บ้", "บ้า", "บ้าน"]) expect(lexicon.mayBegin(hashOf(beginning))).toBe(true);
    expect(lexicon.mayBegin(hashOf("น"))).toBe(false);
  });

  test("a word's hash is the same whether it is read at once or character by character", () => {
    const apart = new WordHasher();
    for (const unit of "strassenbahn".split("")) apart.add(unit);
    const { hash, check } = hashOf("strassenbahn");
    expect([apart.hash, apart.check]).toEqual([hash, check]);
  });

  const bytes = tinyLexiconBytes(ENGLISH, [{ word: "haus", means: [["house", 1]] }]);
  const changed = (at: number, value: number): Uint8Array => bytes.with(at, value);
  test.each<[what: string, bytes: Uint8Array, reason: string]>([
    ["nothing", new Uint8Array(), "is not a lexicon"],
    ["something else", changed(0, 1), "is not a lexicon"],
    ["one of another version", changed(4, 9), "is a lexicon of version 9, not 1"],
    ["one that is cut short", bytes.slice(0, -8), "is cut short"],
  ])("%s is refused", (_, wrong, reason) =>
    expect(() => Lexicon.parse(wrong, "words.bin")).toThrow(`words.bin ${reason}`),
  );
});

describe("the built-in model's lexicon", async () => {
  const lexicon = (await openLexicon())!;
  test.each([
    ["haus", "house"],
    ["wasser", "water"],
    ["спасибо", "thank"],
    ["βιβλίο", "book"],
    ["مدرسة", "school"],
    ["पानी", "water"],
    ["정부는", "government"],
    ["数据库", "database"],
    ["โรงเรียน", "school"],
    ["maji", "water"],
  ])("%s may be %s", (word, english) => {
    expect((lexicon.translations(word) ?? []).map((one) => lexicon.textOf(one.word))).toContain(english);
  });

  test("does not know English words, numbers and what is none", () => {
    for (const word of ["house", "2024", "qzxv", ""]) expect(lexicon.translations(word)).toBeNull();
  });
});
