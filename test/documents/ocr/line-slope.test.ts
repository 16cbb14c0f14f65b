import { expect, test } from "bun:test";
import { slopeOfLines } from "../../../src/documents/ocr/line-slope.ts";

/** Rows of lines of words of which each lies so much lower than the one before it, 100 points to the right. */
const lines = (...falls: number[]): string =>
  falls
    .flatMap((fall, line) =>
      [0, 1, 2, 3].map((word) =>
        [5, 1, 1, 1, line + 1, word + 1, word * 100, line * 50 + word * fall, 80, 20, 90, "word"].join("\t"),
      ),
    )
    .join("\n");

test("lines slope as most of them do", () => {
  expect(slopeOfLines(lines(3, 3, -20))).toBeCloseTo(0.03);
  expect(slopeOfLines(lines(-6, -6, -6))).toBeCloseTo(-0.06);
});

test("nothing slopes where there is next to nothing", () => {
  expect(slopeOfLines("")).toBe(0);
  expect(slopeOfLines("5\t1\t1\t1\t1\t1\t0\t0\t80\t20\t90\tword")).toBe(0);
});
