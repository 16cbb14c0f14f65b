/** What rare terms say. */
import { expect, test } from "bun:test";
import { rarity, termWeights } from "../../../src/search/words/bm25.ts";

test("the fewer chunks hold a term, the more it says", () => {
  const rarities = [1, 10, 100, 1000].map((holders) => rarity(1000, holders));
  expect(rarities).toEqual(rarities.toSorted((one, other) => other - one));
});

test.each([
  ["all of many", 1000, 1000],
  ["the only one", 1, 1],
  ["more than there are: chunks that are gone may still be counted", 4, 40],
  ["some where there is none any more", 0, 3],
])("a term that chunks hold says little and never less than nothing: %s", (_, chunks, holders) => {
  expect(rarity(chunks, holders)).toBeGreaterThanOrEqual(0);
  expect(rarity(chunks, holders)).toBeLessThanOrEqual(Math.log(2));
  const weights = termWeights({ chunks, terms: 100 }, [holders, 1], [1, 1]);
  for (const weight of weights) expect(weight).toBeWithin(0, 1.001);
});
