/** Quality figures: what counts, how sure they are, and how two programs are compared. */
import { describe, expect, test } from "bun:test";
import {
  absenceColumns,
  moveColumns,
  rankColumns,
  rankOfRight,
  replyColumns,
  scoreColumns,
} from "../../bench/quality/figures.ts";
import { combine, correlationEstimate, draw, estimate, ratio, ratioOf } from "../../bench/quality/intervals.ts";
import type { Question } from "../../bench/quality/question-set.ts";
import { figure, makeTable, type Column } from "../../bench/quality/report.ts";
import type { Result } from "../../bench/quality/uploaded-set.ts";
import { Random } from "../../bench/random.ts";

/** Results of different files, best first; `+` before the score of a right one. */
const results = (...scores: readonly string[]): Result[] =>
  scores.map((score, at) => ({
    chunk: `${at} 0`,
    file: String(at),
    score: Math.abs(Number(score)),
    isRight: score.startsWith("+"),
  }));
const values = (columns: readonly Column[]): Record<string, number> =>
  Object.fromEntries(columns.map(({ name, ratios: [own] }) => [name, ratio(own!, [...own!.above.keys()])]));

describe("a figure", () => {
  test("is a share of what counts", () => {
    const shares = ratioOf([1, 2, 3, null], (value) => (value === null ? null : value > 1));
    expect(ratio(shares, [0, 1, 2, 3])).toBeCloseTo(2 / 3);
    expect(ratio(shares, [3])).toBeNaN();
    expect(
      ratio(
        ratioOf(
          [
            [1, 2],
            [3, 3],
          ] as const,
          (pair) => pair,
        ),
        [0, 1],
      ),
    ).toBeCloseTo(4 / 5);
  });

  test("lies in an interval as wide as chance makes it, the same for the same seed", () => {
    // Of n coin throws the share of heads spreads by 1/(2√n).
    const coins = Array.from({ length: 2500 }, (_, index) => index % 2 === 0);
    const own = ratioOf(coins, (isHead) => isHead);
    const questions = [...coins.keys()];
    const of = (seed: number) => estimate(ratio(own, questions), draw([own], questions, new Random(seed))[0]!);
    expect(of(1).low).toBeCloseTo(0.5 - 1.96 / 100, 2);
    expect(of(1).high).toBeCloseTo(0.5 + 1.96 / 100, 2);
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
  });

  test("is compared on the same draws: what costs both the same is no difference", () => {
    const hard = Array.from({ length: 200 }, (_, index) => index % 2);
    const pair = [ratioOf(hard, (value) => value + 0.1), ratioOf(hard, (value) => value)];
    const draws = draw(pair, [...hard.keys()], new Random(1));
    const { low, high } = estimate(
      0.1,
      combine(draws, ([first, other]) => first! - other!),
    );
    expect(low).toBeCloseTo(0.1);
    expect(high).toBeCloseTo(0.1);
    expect(estimate(0.5, draws[1]!).high).toBeGreaterThan(0.55);
  });

  test("of rank correlation narrows with the pairs", () => {
    expect(correlationEstimate(0.5, 1003)).toEqual({
      value: 0.5,
      low: expect.closeTo(0.449, 3),
      high: expect.closeTo(0.548, 3),
    });
  });

  test("is written with its interval, a difference with its sign, and nothing where nothing was counted", () => {
    expect(figure({ value: 0.8861, low: 0.877, high: 1 })).toBe(".886 [.877 1.000]");
    expect(figure({ value: -0.02, low: -0.05, high: 0.01 }, true)).toBe("-.020 [-.050 +.010]");
    expect(figure({ value: NaN, low: NaN, high: NaN })).toBe("-");
    expect(figure({ value: 120.04, low: NaN, high: NaN })).toBe("120.0");
  });
});

describe("a table", () => {
  const columns: Column[] = [
    {
      name: "found",
      ratios: [ratioOf([...Array(30)], (_, index) => index < 20), ratioOf([...Array(30)], () => false)],
    },
  ];
  const rows = [
    { label: "de", questions: Array.from({ length: 20 }, (_, index) => index) },
    { label: "fr", questions: Array.from({ length: 10 }, (_, index) => 20 + index) },
  ];

  test("compares each contender with the first, and sums up languages alike or questions alike", () => {
    const request = { title: "", contenders: ["this", "before"], columns, rows, total: "mean of rows" } as const;
    const table = makeTable(request, new Random(1));
    expect(table.rows.map(({ label, count, estimates }) => [label, count, estimates[0]![0]!.value])).toEqual([
      ["de", 20, 1],
      ["fr", 10, 0],
    ]);
    expect(table.rows[0]!.differences[0]![0]!.value).toBe(1);
    expect(table.total!.estimates[0]![0]!.value).toBe(0.5);
    expect(makeTable({ ...request, total: "all questions" }, new Random(1)).total!.estimates[0]![0]!.value).toBeCloseTo(
      2 / 3,
    );
  });

  test("counts questions alike where a language has too few to say something", () => {
    const few = [rows[0]!, { label: "fr", questions: [20, 21] }];
    expect(
      makeTable({ title: "", contenders: ["this", "before"], columns, rows: few, total: "mean of rows" }, new Random(1))
        .total,
    ).toMatchObject({ label: "all", count: 22 });
  });
});

describe("of searches", () => {
  test("the rank of a passage is that of its best chunk among different files", () => {
    const chunks = [
      { ...results("0.9")[0]!, file: "a" },
      { ...results("0.8")[0]!, file: "a" },
      { ...results("+0.7")[0]!, file: "b" },
    ];
    expect(rankOfRight(chunks, true)).toBe(2);
    expect(rankOfRight(chunks, false)).toBe(3);
    expect(rankOfRight(results("0.9"), true)).toBe(Infinity);
    expect(values(rankColumns([[1, 2, Infinity, 11]]))).toEqual({ "MRR@10": 0.375, "R@1": 0.25, "R@10": 0.5 });
  });

  test("scores are judged by their bands, first results by whether they are right", () => {
    const found = [results("+.95", ".85", ".75"), results(".72", "+.71"), results("+.6")];
    expect(values(scoreColumns([found]))).toMatchObject({
      "right first ≥ .7": 0.5,
      "wrong first ≥ .7": 1,
      "right of .9+": 1,
      "right of .8+": 0,
      "right of .7+": expect.closeTo(1 / 3),
      ".7+ a question": 1,
    });
  });

  test("a score moves where the same chunk is found again", () => {
    const after = [{ ...results("0.5")[0]!, chunk: "new 0" }, ...results("+0.8", "0.1")];
    expect(values(moveColumns([[results("+0.9", "0.1")]], [[after]]))).toEqual({
      "first moves by": expect.closeTo(0.1),
      "results move by": expect.closeTo(0.05),
      "moved over .05": 0.5,
      "another first": 1,
    });
  });
});

describe("of answers", () => {
  const asked = (answers: string[]): Question => ({
    language: "ja",
    text: "",
    right: ["a"],
    passageLanguage: "ja",
    dataset: "ja",
    answers,
  });

  test("an answer holds another's words however they are written; questions without known answers do not count", () => {
    const replies = [
      { text: "高さは約１５メートルです。", saysNothing: false },
      { text: "Nothing.", saysNothing: true },
      { text: "four", saysNothing: false },
    ];
    expect(values(replyColumns([asked(["約15 メートル"]), asked(["x"]), asked([])], [replies]))).toEqual({
      "holds the answer": 0.5,
      characters: 8.5,
      "told nothing does": expect.closeTo(1 / 3),
    });
  });

  test("where nothing answers, no result should be called relevant", () => {
    const replies = [
      { text: "", saysNothing: true },
      { text: "", saysNothing: false },
    ];
    expect(values(absenceColumns([[results("0.8"), []]], [replies]))).toEqual({
      "first ≥ .7": 0.5,
      "mean first score": 0.4,
      "told so": 0.5,
    });
  });
});
