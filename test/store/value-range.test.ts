/** Which values lie in a range. */
import { describe, expect, test } from "bun:test";
import type { ValueRange } from "../../src/store/index.ts";
import { intervalOf, rangeTest, toComparable, type Interval } from "../../src/store/value-range.ts";

function within(range: ValueRange, values: readonly (string | number)[]): (string | number)[] {
  const holds = rangeTest(range);
  const found = values.filter((value) => holds(value, toComparable(value).moment));
  const interval = intervalOf(range);
  if (interval !== null) expect(values.filter((value) => lies(value, interval))).toEqual(found);
  return found;
}

function lies(value: string | number, { of, low, high }: Interval): boolean {
  const at = of === "moments" ? toComparable(value).moment : typeof value === "number" ? value : Number.NaN;
  return at >= low && at <= high;
}

describe("numbers", () => {
  const values = [-2, 0, 1.5, 9, 10, 100, "9", "2024", "x"];
  test.each<[ValueRange, number[]]>([
    [{ gt: 9 }, [10, 100]],
    [{ gte: 9 }, [9, 10, 100]],
    [{ lt: 9 }, [-2, 0, 1.5]],
    [{ lte: 9 }, [-2, 0, 1.5, 9]],
    [{ gt: -1, lte: 10 }, [0, 1.5, 9, 10]],
    [{ gt: 9, gte: 10, lt: 100 }, [10]],
    [{ gt: 0 }, [1.5, 9, 10, 100]],
    [{ lt: 0 }, [-2]],
    [{ gt: -2, lt: 1.5 }, [0]],
    [{ gt: 10, lt: 9 }, []],
    [{ gte: 2000 }, []],
  ])("%j", (range, expected) => expect(within(range, values)).toEqual(expected));
});

describe("dates", () => {
  const values = [
    "2023-12-31T23:59:59.999Z",
    "2024-05-01",
    "2024-05-01T18:00:00Z",
    "2024-05-01T23:30:00-05:00",
    "2024-05-02",
    "2025",
    "unknown",
    "2024-05-32",
    2024,
  ];
  const [newYear, day, evening, night, next, year] = values as string[];
  test.each<[string, ValueRange, (string | undefined)[]]>([
    ["lte a day reaches to its end", { lte: "2024-05-01" }, [newYear, day, evening]],
    ["lt a day ends before it", { lt: "2024-05-01" }, [newYear]],
    ["gte a day begins with it", { gte: "2024-05-01" }, [day, evening, night, next, year]],
    ["gt a day begins behind it", { gt: "2024-05-01" }, [night, next, year]],
    ["a month is all of it", { gte: "2024-05", lte: "2024-05" }, [day, evening, night, next]],
    ["a year is all of it", { gte: "2024", lte: "2024" }, [day, evening, night, next]],
    ["gt a moment", { gt: "2024-05-01T18:00:00Z" }, [night, next, year]],
    ["gte a moment", { gte: "2024-05-01T20:00:00+02:00" }, [evening, night, next, year]],
    ["lt a moment", { lt: "2024-05-01T18:00Z" }, [newYear, day]],
    ["lte a moment", { lte: "2024-05-01T18:00Z" }, [newYear, day, evening]],
  ])("%s", (_rule, range, expected) => expect(within(range, values)).toEqual(expected as string[]));
});

describe("other texts", () => {
  const values = ["", "Amsel", "Meise", "Zaunkönig", "amsel", "2024-05-01", 7];
  test.each<[ValueRange, string[]]>([
    [{ gte: "B", lt: "a" }, ["Meise", "Zaunkönig"]],
    [{ gt: "Meise" }, ["Zaunkönig", "amsel"]],
    [{ lte: "Amsel" }, ["", "Amsel", "2024-05-01"]],
  ])("%j", (range, expected) => expect(within(range, values)).toEqual(expected));
});
