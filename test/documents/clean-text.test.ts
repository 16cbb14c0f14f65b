/** Text is stored as whole letters in one form, without what is neither seen nor said. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanText } from "../../src/documents/clean-text.ts";

describe("clean text", () => {
  const cases: Array<[string, string, string]> = [
    ["has line feeds only", "a\r\nb\rc\u0085d\u2028e\ff", "a\nb\nc\nd\ne\nf"],
    ["keeps tabs", "a\tb", "a\tb"],
    ["has no control characters", "a\u0000b\u001bc\u009fd", "abcd"],
    ["has no soft hyphens", "Fu\u00ADßball\u00ADspiel", "Fußballspiel"],
    ["has words whole that a soft hyphen parts at a line's end", "Fußball\u00AD\n  spiel", "Fußballspiel"],
    ["has no spaces of no width, nor marks inside", "a\u200Bb\u2060c\uFEFFd\u200Ee", "abcde"],
    ["keeps spaces that do not break", "10\u00A0km", "10\u00A0km"],
    ["has composed letters", "Cafe\u0301 Ko\u0308ln", "Café Köln"],
    [
      "has Latin ligatures as letters",
      "ﬁnd o\uFB00er ﬂow e\uFB03cient Stra\uFB06e",
      "find offer flow efficient Straste",
    ],
    ["has Arabic presentation forms as letters", "\uFEE3\uFEAE\uFEA3\uFE92\uFE8E \uFEFB", "مرحبا لا"],
    ["has Arabic marks that stand alone as marks", "\uFE8F\uFE76", "ب\u064E"],
    ["has Hebrew presentation forms as letters", "\uFB2A\uFB21", "\u05E9\u05C1א"],
    ["has radicals as characters", "\u2F08\u2F00", "人一"],
    ["keeps joiners of Persian", "می\u200Cخواهم", "می\u200Cخواهم"],
    ["keeps joiners of Indic writings", "क्\u200Dष ശ്രീ\u200C", "क्\u200Dष ശ്രീ"],
    ["keeps joiners of emoji", "👩\u200D👧 🏳️\u200D🌈 👩🏽\u200D🚀", "👩\u200D👧 🏳️\u200D🌈 👩🏽\u200D🚀"],
    ["has no joiners elsewhere", "a\u200Db\u200C c \u200D你\u200C好", "ab c 你好"],
    ["has no lone surrogates", "a\uD800b", "a\uFFFDb"],
    ["keeps signs as they are", "x² ½ ™ … Ａ ㎏", "x² ½ ™ … Ａ ㎏"],
  ];
  for (const [what, text, clean] of cases) test(what, () => expect(cleanText(text)).toBe(clean));

  test("stays as it is when it is cleaned again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const clean = cleanText(text);
        expect(cleanText(clean)).toBe(clean);
        expect(clean.isWellFormed()).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
