/** Token positions: whatever the script, `text.slice(start, end)` is the text of the token. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { openTokenCounter } from "../../src/embedding/index.ts";
import { toUtf16Offsets } from "../../src/embedding/tokenizer.ts";

const counter = await openTokenCounter({ modelDirectory: null });

async function pieces(text: string): Promise<string[]> {
  const offsets = await counter.offsets(text);
  const distinct = offsets.filter(([start, end], at) => start !== offsets[at - 1]?.[0] || end !== offsets[at - 1]?.[1]);
  return distinct.map(([start, end]) => text.slice(start, end));
}

const samples: Array<[string, string, string[]]> = [
  ["Latin", "Hello world", ["Hello", " world"]],
  ["astral characters", "a😀b x", ["a", "😀", "b", " x"]],
  ["an astral ideograph before others", "𠮷野家で", ["𠮷", "野", "家", "で"]],
  ["CJK", "你好 x", ["你", "好", " x"]],
  ["text that normalisation lengthens or shortens", "ﬁne ①②", ["ﬁne", " ①②"]],
  ["a combining mark, which belongs to the letter before it", "e\u0301tude", ["e", "tu", "de"]],
  ["spaces around", "  lead  ", ["le", "ad"]],
];

for (const [what, text, expected] of samples) {
  test(`offsets fit ${what}`, async () => {
    expect(await pieces(text)).toEqual(expected);
  });
}

test("nothing has no tokens", async () => {
  expect(await counter.offsets("")).toEqual([]);
  expect(await counter.offsets(" \n\t ")).toEqual([]);
});

test("the model reads up to 4096 tokens, of which it takes none for itself", () => {
  expect(counter.maxTokens).toBe(4096);
});

test("offsets are ascending, inside the text, and never split a surrogate pair", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (text) => {
      let last: [number, number] = [0, 0];
      for (const [start, end] of await counter.offsets(text)) {
        expect(start).toBeGreaterThanOrEqual(last[0]);
        expect(end).toBeGreaterThanOrEqual(Math.max(last[1], start));
        expect(end).toBeLessThanOrEqual(text.length);
        for (const at of [start, end]) {
          const insidePair = /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "");
          expect(insidePair).toBe(false);
        }
        last = [start, end];
      }
    }),
    { numRuns: 300 },
  );
});

test("code points convert to UTF-16 units, lone surrogates counting as one", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "é", "野", "😀", "\ud800", "\udc00") }), (text) => {
      const characters = [...text];
      const spans = characters.map((_, at): [number, number] => [at, at + 1]);
      expect(toUtf16Offsets(text, spans).map(([start, end]) => text.slice(start, end))).toEqual(characters);
    }),
  );
});
