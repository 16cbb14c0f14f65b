/** Other forms of questions and other datasets of the same texts: what they change, and that they are the same in every run. */
import { describe, expect, test } from "bun:test";
import { layouts } from "../../bench/quality/layouts.ts";
import type { Passage, Question, QuestionSet } from "../../bench/quality/question-set.ts";
import { variants, vary } from "../../bench/quality/variants.ts";

const question = (language: string, text: string): Question => ({
  language,
  text,
  right: ["a"],
  passageLanguage: language,
  dataset: language,
  answers: [],
});
const passage = (language: string, text: string): Passage => ({ id: "a", language, text, dataset: language });
const asked = (variant: string, questions: readonly Question[], passages: readonly Passage[] = []): string[] =>
  vary(variants[variant]!, questions, passages, 1).map(({ text }) => text);

describe("questions in another form", () => {
  test("as few words: the rarest of those that stand in passages, in their order", () => {
    const passages = ["The harbour master sets the speed.", "The speed of the train.", "The library."].map((text) =>
      passage("en", text),
    );
    expect(asked("one word", [question("en", "Who sets the speed in the harbour?")], passages)).toEqual(["harbour"]);
    const [words] = asked("a few words", [question("en", "Who sets the speed in the harbour?")], passages);
    expect(["sets harbour", "sets speed harbour"]).toContain(words!);
    expect(asked("one word", [question("ja", "緑茶の保存方法")], [passage("ja", "緑茶の保存")])).toHaveLength(1);
    expect(asked("one word", [question("en", "harbour")])).toEqual([]);
  });

  test("without accents, where a language writes them on letters", () => {
    expect(
      asked("no accents", [
        question("fr", "À quelle fréquence ?"),
        question("de", "Wie groß?"),
        question("el", "Πώς;"),
        question("vi", "Đường"),
        question("ru", "Ёлка и йод"),
        question("ja", "ガラス"),
        question("en", "How?"),
      ]),
    ).toEqual(["A quelle frequence ?", "Wie gross?", "Πως;", "Duong", "Елка и йод"]);
  });

  test("with one letter mistyped, never a word's first, and not in Chinese or Japanese", () => {
    const texts = [
      ["en", "Where should I put my first beehives?"],
      ["ko", "유실물은 얼마 동안 보관하나요?"],
      ["ar", "كم كتابا يمكن أن أستعير في وقت واحد؟"],
      ["zh", "绿茶应该怎么保存?"],
      ["en", "Who is it"],
    ] as const;
    const typed = asked(
      "a letter mistyped",
      texts.map(([language, text]) => question(language, text)),
    );
    expect(typed).toHaveLength(3);
    typed.forEach((text, at) => {
      const [before, after] = [texts[at]![1].split(" "), text.split(" ")];
      const differing = before.filter((word, place) => word !== after[place]);
      expect(differing).toHaveLength(1);
      expect(after[before.indexOf(differing[0]!)]![0]).toBe(differing[0]![0]);
    });
  });

  test("inside a letter of three hundred words, in its language where we have one", () => {
    for (const [language, text] of [
      ["de", "Wie viel Öl braucht die Kette?"],
      ["th", "ควรรดน้ำมะม่วงบ่อยแค่ไหน"],
      ["sw", "Kuku mmoja hula chakula kiasi gani?"],
    ] as const) {
      const [long] = asked("three hundred words", [question(language, text)]);
      expect(long).toContain(` ${text} `);
      const count = Array.from(new Intl.Segmenter(language, { granularity: "word" }).segment(long!)).filter(
        ({ isWordLike }) => isWordLike,
      ).length;
      expect(Math.abs(count - 300)).toBeLessThan(8);
    }
  });

  test("are the same in every run, whatever stands beside them", () => {
    const one = question("en", "Where should I put my first beehives?");
    for (const variant of ["a few words", "a letter mistyped"])
      expect(asked(variant, [question("en", "What else?"), one]).at(-1)).toBe(asked(variant, [one])[0]!);
  });
});

describe("other datasets of the same texts", () => {
  const rows = (language: string) =>
    Array.from({ length: 40 }, (_, at) => ({
      language,
      text: `English sentence with the number ${at} in its middle.`,
      translation: `${language} sentence that holds ${at} somewhere near its end.`,
    }));
  const set: QuestionSet = {
    name: "set",
    questions: [],
    passages: [],
    documents: null,
    bitext: [...rows("de"), ...rows("fr")],
    similarity: [],
  };

  test("English passages, asked in other languages", () => {
    const { passages, questions } = layouts["english-passages"]!(set, 1)!;
    expect(passages).toHaveLength(8);
    expect(new Set(passages.map(({ language }) => language))).toEqual(new Set(["en"]));
    expect(new Set(questions.map(({ language, dataset }) => `${language} ${dataset}`))).toEqual(
      new Set(["de en", "fr en"]),
    );
  });

  test("half of them English, the same half for every language, and asked for those", () => {
    const { passages, questions } = layouts["half-english"]!(set, 3)!;
    expect(passages).toHaveLength(16);
    const english = passages.filter(({ language }) => language === "en").map(({ id }) => id);
    expect(english.length).toBeGreaterThan(0);
    expect(english.length).toBeLessThan(16);
    expect(questions.every(({ right }) => english.includes(right[0]!))).toBe(true);
    expect(english.filter((id) => id.endsWith("@de")).length).toBe(english.length / 2);
  });

  test("every passage in every language, each of which answers", () => {
    const { passages, questions } = layouts["all-languages"]!(set, 1)!;
    expect(passages).toHaveLength(16);
    expect(
      questions.every(
        ({ right, dataset, language, passageLanguage }) =>
          right.length === 2 && dataset === "all" && language === passageLanguage,
      ),
    ).toBe(true);
  });

  test("all passages of a set in one dataset", () => {
    const own = {
      ...set,
      passages: [passage("de", "Haus"), { ...passage("en", "house"), id: "b" }],
      questions: [question("de", "Haus?")],
    };
    const { passages, questions } = layouts["one-dataset"]!(own, 1)!;
    expect([...passages, ...questions].map(({ dataset }) => dataset)).toEqual(["all", "all", "all"]);
    expect(layouts["one-dataset"]!(set, 1)).toBeNull();
  });
});
