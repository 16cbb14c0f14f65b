/** What `lectern search` understands by `--filter` and `--filters`. */
import { describe, expect, test } from "bun:test";
import { readSearchFilters } from "../../src/cli/search-filters.ts";

test.each<[string, unknown]>([
  ["kind=draft", { key: "kind", match: { value: "draft" } }],
  ["year=2026", { key: "year", match: { value: 2026 } }],
  ['year="2026"', { key: "year", match: { value: "2026" } }],
  ["code=007", { key: "code", match: { value: "007" } }],
  ["tame=true", { key: "tame", match: { value: true } }],
  ["kind!=draft", { key: "kind", match: { not: "draft" } }],
  ["page>3", { key: "page", match: { range: { gt: 3 } } }],
  ["page>=3", { key: "page", match: { range: { gte: 3 } } }],
  ["date<2026-05", { key: "date", match: { range: { lt: "2026-05" } } }],
  ["date<=2026-05-01", { key: "date", match: { range: { lte: "2026-05-01" } } }],
  ["formula=a=b>c", { key: "formula", match: { value: "a=b>c" } }],
  ["name=", { key: "name", match: { value: "" } }],
  ["list=[1]", { key: "list", match: { value: "[1]" } }],
])("%s", (text, expected) => expect(readSearchFilters([text], undefined)).toEqual([expected]));

test("several, and JSON beside them", () => {
  const json = '[{"key":"year","match":{"any":[2025,2026]}}]';
  expect(readSearchFilters(["a=1", "b=2"], json)).toHaveLength(3);
  expect(readSearchFilters([], undefined)).toEqual([]);
});

describe("refused:", () => {
  test.each([
    [["draft"], undefined, '--filter must be KEY=VALUE, or with !=, >, >=, < or <= in place of =, and is "draft".'],
    [["=draft"], undefined, "--filter must be KEY=VALUE"],
    [[], "{", "--filters must be a JSON list"],
    [[], '{"key":"a"}', "--filters must be a JSON list"],
  ])("%j %j", (comparisons, json, sentence) => {
    expect(() => readSearchFilters(comparisons, json)).toThrow(sentence);
  });
});
