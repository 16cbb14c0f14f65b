/** Lexical terms: the same words and numbers have the same ids whatever stands around them. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { lexicalTerms, wordsOf as wordsIn } from "../../src/embedding/lexical-terms.ts";

const wordsOf = (text: string) => new Set(lexicalTerms([], wordsIn(text)));
const share = (left: string, right: string) => [...wordsOf(left)].filter((id) => wordsOf(right).has(id)).length;

test("tokens come first, as they are", () => {
  expect(lexicalTerms([5, 9, 5], wordsIn("、。"))).toEqual([5, 9, 5]);
});

describe("a word is the same", () => {
  test.each([
    ["in brackets and quotes", "Kowalczyk", "Frau („Kowalczyk“) fragt"],
    ["within a script without spaces", "Kubernetes", "これはKubernetesです"],
    ["in capitals and in full width", "linux", "ＬＩＮＵＸ"],
    ["with its accents composed or not", "Müller", "Mu\u0308ller"],
    ["as part of a joined word", "0x80070005", "E_CONN_0x80070005"],
    ["in scripts beside Latin ones", "المستودع", "في «المستودع»"],
  ])("%s", (_where, word, text) => {
    expect(share(word, text)).toBe(1);
  });
});

test("a joined word counts as a whole and in its parts", () => {
  expect(wordsOf("AX-4711-QX").size).toBe(4);
  expect(share("AX-4711-QX", "部品AX-4711-QXは倉庫に")).toBe(4);
  expect(share("AX-4711-QX", "QX-4711-AX")).toBe(3);
});

test("scripts without spaces and single letters have no words", () => {
  expect(lexicalTerms([], wordsIn("倉庫にあります คลังสินค้า a b 1"))).toEqual([]);
});

test("every repeat counts", () => {
  expect(lexicalTerms([], wordsIn("red red blue")).length).toBe(3);
});

test("ids stay between the vocabularies' and 2^23, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const id of lexicalTerms([], wordsIn(text))) expect(id >= 2 ** 20 && id < 2 ** 23).toBe(true);
    }),
  );
});
