/** The figures of `bun run bench quality`: question sets as they are written, and measures against values worked out by hand. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bm25 } from "../../bench/quality/bm25.ts";
import { rankOf, retrievalScores, spearman } from "../../bench/quality/measures.ts";
import { escapeText, readQuestionSet, readQuestionSets, writeQuestionSet } from "../../bench/quality/question-set.ts";
import { answers } from "../../bench/quality/uploaded-set.ts";

const folder = mkdtempSync(join(tmpdir(), "lectern-questions-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(set: string, files: Record<string, string>): string {
  const path = join(folder, set);
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

describe("question sets", () => {
  test("name their passages by id; the passage says its language; marks stand for line breaks and tabs", () => {
    const text = "Erste Zeile\nzweite\tZeile \\ Ende";
    const path = write("passages", {
      "passages.tsv": `a\tde\t${escapeText(text)}\nb\ten\tother\n`,
      "questions.tsv": "# remark\n\nfr\tQuoi ?\ta\r\nen\tWhat?\tb, b\n",
    });
    const set = readQuestionSet(path);
    expect(set.passages[0]).toEqual({ id: "a", language: "de", text, dataset: "de" });
    expect(set.questions).toEqual([
      { language: "fr", text: "Quoi ?", right: ["a"], passageLanguage: "de", dataset: "de", answers: [] },
      { language: "en", text: "What?", right: ["b", "b"], passageLanguage: "en", dataset: "en", answers: [] },
    ]);
  });

  test("may keep several languages in one dataset; a question that one in its own language answers is asked in that", () => {
    const path = write("together", {
      "passages.tsv": "a\tde\tHaus\tall\nb\ten\thouse\tall\n",
      "questions.tsv": "en\tHouse?\ta,b\nfr\tMaison ?\ta,b\n",
    });
    expect(readQuestionSet(path).questions.map(({ passageLanguage, dataset }) => [passageLanguage, dataset])).toEqual([
      ["en", "all"],
      ["de", "all"],
    ]);
  });

  test("may ask what nothing answers, and say what an answer should hold", () => {
    const path = write("answers", {
      "passages.tsv": "a\tde\tx\n",
      "questions.tsv": "de\tWer?\t-\nfr\tQui ?\t-\tde\nde\tWann?\ta\t\t1990\tneunzig\n",
    });
    expect(readQuestionSet(path).questions.map(({ right, dataset, answers }) => [right, dataset, answers])).toEqual([
      [[], "de", []],
      [[], "de", []],
      [["a"], "de", ["1990", "neunzig"]],
    ]);
  });

  test("are read again as they were written", () => {
    const path = write("written", {
      "passages.tsv": "a\tde\tx\\ty\nb\ten\tz\tall\n",
      "questions.tsv": "de\tWer?\t-\tall\nde\tWann?\ta\t\t1990\nfr\tQui ?\tb\n",
    });
    const set = readQuestionSet(path);
    writeQuestionSet(path, set);
    expect(readQuestionSet(path)).toEqual(set);
  });

  test("name documents, words in them and their language where there is a folder of documents", () => {
    const path = write("documents", {
      "questions.tsv": "en\tHow?\tmanual.pdf#oil the chain\tde\nde\tWie?\tmanual.pdf\n",
    });
    mkdirSync(join(path, "documents"));
    const set = readQuestionSet(path);
    expect(set.documents).toBe(join(path, "documents"));
    expect(set.questions.map(({ right, passageLanguage }) => [right, passageLanguage])).toEqual([
      [["manual.pdf#oil the chain"], "de"],
      [["manual.pdf"], "de"],
    ]);
  });

  test("are found one per folder", () => {
    write("several/one", { "bitext.tsv": "de\tHouse\tHaus\n" });
    write("several/two", { "similarity.tsv": "en\ta\tb\t2.5\n" });
    expect(readQuestionSets(join(folder, "several")).map(({ name }) => name)).toEqual(["one", "two"]);
  });

  for (const [what, files, sentence] of [
    ["a row with too few fields", { "bitext.tsv": "de\tHouse\n" }, /bitext\.tsv:1: 2 fields where 3 are needed/],
    [
      "an unknown passage",
      { "passages.tsv": "a\tde\tx\n", "questions.tsv": "de\tq\tb\n" },
      /questions\.tsv:1: there is no passage "b"/,
    ],
    [
      "right passages in two datasets",
      { "passages.tsv": "a\tde\tx\nb\ten\ty\n", "questions.tsv": "de\tq\ta,b\n" },
      /questions\.tsv:1: its right passages lie in several datasets/,
    ],
    [
      "a similarity that is no number",
      { "similarity.tsv": "en\ta\tb\tmuch\n" },
      /similarity\.tsv:1: "much" is not a number/,
    ],
    ["nothing to measure", { "notes.txt": "" }, /holds no questions\.tsv/],
  ] as const) {
    test(`with ${what} are refused by file and line`, () => {
      expect(() => readQuestionSets(write(`bad ${what}`, files))).toThrow(sentence);
    });
  }
});

test("an answer is in the right document where the words stand, however the lines break", () => {
  expect(answers("a.md#oil the chain", "a.md", "Now oil\n the chain.")).toBe(true);
  expect(answers("a.md#oil the chain", "a.md", "Now oil a chain.")).toBe(false);
  expect(answers("a.md#C# and F#", "a.md", "in C# and F#")).toBe(true);
  expect(answers("a.md", "b.md", "Now oil the chain.")).toBe(false);
});

describe("measures", () => {
  test("reciprocal ranks count to the tenth place", () => {
    expect(retrievalScores([1, 2, 10, 11, Infinity])).toEqual({
      questions: 5,
      mrr: (1 + 1 / 2 + 1 / 10) / 5,
      recall1: 0.2,
      recall10: 0.6,
    });
  });

  test("a rank is one more than how many score higher than the best right one", () => {
    expect(rankOf(Float32Array.of(0.5, 0.9, 0.5, 0.1), [3, 2])).toBe(2);
    expect(rankOf(Float32Array.of(0.5), [])).toBe(Infinity);
  });

  test("Spearman's correlation, with shared ranks for equal values", () => {
    expect(spearman([1, 2, 3, 4], [10, 20, 30, 40])).toBeCloseTo(1);
    expect(spearman([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1);
    // Ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3: covariance 4.5, squares 4.5 and 5.
    expect(spearman([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5));
  });

  test("BM25 as its formula says, as a share of what the question could reach", () => {
    const passages = [[7, 7, 8], [8, 9], [9]];
    const rarity = (holders: number) => Math.log(1 + (3 - holders + 0.5) / (holders + 0.5));
    const norm = (length: number) => 0.6 * (0.25 + (0.75 * length) / 2);
    const term = (holders: number, count: number, length: number) => (rarity(holders) * count) / (count + norm(length));
    const most = rarity(1) + rarity(2) + rarity(0);
    const scores = new Bm25(passages).scores({
      terms: Uint32Array.of(7, 8, 8, 5),
      importance: Float32Array.of(1, 1, 1, 1),
    });
    expect(scores[0]).toBeCloseTo((term(1, 2, 3) + term(2, 1, 3)) / most);
    expect(scores[1]).toBeCloseTo(term(2, 1, 2) / most);
    expect(scores[2]).toBe(0);
  });
});
