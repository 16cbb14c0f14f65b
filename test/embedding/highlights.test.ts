/** Where a question's words stand in a text, by the built-in model's own tokenizer. */
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LexicalReader } from "../../src/embedding/lexical-reader.ts";
import { setNativeEnvironment } from "../../src/native/index.ts";

let reader: LexicalReader;
beforeAll(async () => {
  await setNativeEnvironment();
  reader = await LexicalReader.load(null);
});

async function highlighted(question: string, text: string): Promise<string[]> {
  const [spans] = await reader.highlights(question, [text]);
  return spans!.map(([start, end]) => text.slice(start, end));
}

describe("highlights are", () => {
  test.each([
    [
      "words and their forms",
      "How is the chain cleaned?",
      "Clean the Chain. Cleaning chains.",
      ["Clean", "Chain", "Cleaning", "chains"],
    ],
    ["not words that begin alike", "cars", "A car, a cartoon.", ["car"]],
    ["words without their accents", "café", "CAFE Café cafe\u0301 😀café", ["CAFE", "Café", "cafe\u0301", "café"]],
    ["what stands without spaces", "绿茶应该怎么保存?", "绿茶要放在冰箱里保存。", ["绿茶", "保存"]],
    [
      "Japanese words without particles",
      "休暇はどうやって申請しますか",
      "休暇は上司に申請してください",
      ["休暇", "申請"],
    ],
    ["Cyrillic words", "как часто нужно смазывать цепь", "Цепь смазывают часто.", ["Цепь", "часто"]],
    ["part numbers", "error E-4711", "The error e-4711.", ["error", "4711"]],
    ["words that say little, where there are no others", "the of", "of the sea", ["of", "the"]],
    ["none", "chain", "Nothing of it.", []],
    ["none of nothing", "?!", "What?!", []],
  ])("%s", async (_name, question, text, expected) => {
    expect(await highlighted(question, text)).toEqual(expected);
  });
});

test("of any question and text ascend, lie apart within the text, and cut no character", async () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  const words = fc.array(fc.constantFrom("chain", "cleaned", "绿茶", "😀", "𝒜b", "é", " ", "ใคร", "ุ"), {
    maxLength: 12,
  });
  const some = fc.oneof(
    text,
    words.map((list) => list.join("")),
  );
  await fc.assert(
    fc.asyncProperty(some, some, async (question, passage) => {
      const [spans] = await reader.highlights(question, [passage]);
      let last = -1;
      for (const [start, end] of spans!) {
        expect(start).toBeGreaterThan(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(passage.length);
        for (const at of [start, end])
          expect(/[\ud800-\udbff]/.test(passage[at - 1] ?? "") && /[\udc00-\udfff]/.test(passage[at] ?? "")).toBe(
            false,
          );
        last = end;
      }
    }),
    { numRuns: 200 },
  );
});
