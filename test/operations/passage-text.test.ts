/** What a chunk repeats of the one before is read last by a model that weighs most what a text begins with. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { newTextFirst, passageText } from "../../src/operations/passage-text.ts";

const before = "The keeper lit the lamp at dusk. Then he went down to the shore.";
const chunk = "Then he went down to the shore. Nobody was there to be seen.";
const moved = "Nobody was there to be seen.\nThen he went down to the shore.";

test.each([
  ["an overlap is moved to the end", chunk, before, moved],
  [
    "also without spaces",
    "港に下りて行った。そこには誰もいなかった。",
    "灯台守は夕暮れに灯をともし、港に下りて行った。",
    "そこには誰もいなかった。\n港に下りて行った。",
  ],
  ["of several the longest", "ha ha ha ha ha, and so on", "he laughed: ha ha ha ha ha", ", and so on\nha ha ha ha ha"],
  ["a few equal characters are chance", "at noon they slept", "they looked at", "at noon they slept"],
  [
    "nothing is moved where nothing is repeated",
    "The Harbour\n\nShips enter slowly.",
    before,
    "The Harbour\n\nShips enter slowly.",
  ],
  ["nor where nothing else would be left", "went down to the shore.", before, "went down to the shore."],
])("%s", (_rule, text, last, expected) => {
  expect(newTextFirst(text, last)).toBe(expected);
});

test("models that read from the first to the last word are given a chunk as it is, and so is everyone the first", () => {
  expect(passageText({ leadWeighted: false }, { text: chunk, contextLength: 0, before })).toBe(chunk);
  expect(passageText({ leadWeighted: true }, { text: chunk, contextLength: 0, before })).toBe(moved);
  expect(passageText({ leadWeighted: true }, { text: chunk, contextLength: 0, before: null })).toBe(chunk);
});

test("whatever is repeated is moved whole, and nothing is lost", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "港"), minLength: 8, maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, (start, repeated, rest) => {
      const read = newTextFirst(`${repeated}x${rest}`, start + repeated);
      expect(read).toEndWith(`\n${repeated}`);
      expect(read).toBe(`x${rest}\n${repeated}`);
    }),
  );
});

test("of hostile repetitions it is looked for in linear time, and not without end", () => {
  const many = "ab".repeat(200_000);
  expect(newTextFirst(`${many}c`, `${many}d`)).toBe(`${many}c`);
  expect(newTextFirst(`${many}c`, many)).toEndWith("ab".repeat(2048));
});

test("what says only where a passage stands is read last where the beginning weighs most", () => {
  const context = "Handbook › Overtime\n\n";
  const before = "Rest days follow. Hours beyond the plan are overtime.";
  const chunk = {
    text: `${context}Hours beyond the plan are overtime. They are paid.`,
    contextLength: context.length,
    before,
  };
  expect(passageText({ leadWeighted: false }, chunk)).toBe(chunk.text);
  expect(passageText({ leadWeighted: true }, chunk)).toBe(
    "They are paid.\nHours beyond the plan are overtime.\nHandbook › Overtime",
  );
});
