/** Passage → sentences, in any language. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { splitSentences } from "../../src/answers/sentences.ts";

test.each([
  [
    "English",
    "The first sentence is here. And the second one too! Is this the third one?",
    ["The first sentence is here.", "And the second one too!", "Is this the third one?"],
  ],
  [
    "Japanese",
    "緑茶は日本で飲まれています。京都の宇治は有名な産地です。",
    ["緑茶は日本で飲まれています。", "京都の宇治は有名な産地です。"],
  ],
  ["Thai keeps its words", "ชาเขียวเป็นเครื่องดื่มยอดนิยมในประเทศญี่ปุ่น", ["ชาเขียวเป็นเครื่องดื่มยอดนิยมในประเทศญี่ปุ่น"]],
  ["a heading is no sentence", "# Tea\n\nGreen tea is drunk in Japan.", ["Green tea is drunk in Japan."]],
  ["a line break inside a sentence is a space", "Green tea is\ndrunk in Japan.", ["Green tea is drunk in Japan."]],
  [
    "list signs are left out",
    "- Green tea is drunk in Japan.\n\n* Black tea is drunk in England.",
    ["Green tea is drunk in Japan.", "Black tea is drunk in England."],
  ],
  ["nothing but a heading gives that", "Tea", ["Tea"]],
  ["blanks give nothing", " \n ", []],
])("%s", (_name, passage, expected) => {
  expect(splitSentences(passage)).toEqual(expected);
});

test("whatever comes, every sentence stands in the passage word for word", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (passage) => {
      const flat = passage.replace(/\s+/g, " ");
      for (const sentence of splitSentences(passage)) expect(flat).toContain(sentence);
    }),
  );
});

test("where only spaces mark the end of a sentence, runs of clauses stand for sentences", () => {
  const clause = "ผึ้งอาศัยอยู่ในรังที่มีนางพญาหนึ่งตัวและเก็บน้ำหวานจากดอกไม้";
  const passage = Array.from({ length: 12 }, (_, index) => `${clause}${index}`).join(" ");
  const sentences = splitSentences(passage);
  expect(sentences.length).toBeGreaterThan(3);
  for (const sentence of sentences) expect(passage).toContain(sentence);
  expect(sentences.join(" ")).toBe(passage);
});
