/** How deep and wide a JSON text is, before it is parsed. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { excessOf } from "../../src/foundation/json-shape.ts";

describe("every JSON text", () => {
  const limits = { maxDepth: 3, maxParts: 12 };
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  /** Objects and arrays, and a comma before each member but the first. */
  const partsOf = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 0;
    const members = Object.values(value);
    return Math.max(1, members.length) + members.reduce((sum: number, member) => sum + partsOf(member), 0);
  };

  test("is beyond the limits when its value is", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5, stringUnit: fc.constantFrom("[", "]", "{", "}", ",", '"', "\\", "a", " ") }),
        fc.constantFrom(0, 1),
        (value, indent) => {
          const excess = excessOf(JSON.stringify(value, null, indent), limits);
          expect(excess === null).toBe(depthOf(value) <= limits.maxDepth && partsOf(value) <= limits.maxParts);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ["[[[[]]]]", "is nested more than 3 levels deep"],
  ['{"a":{"a":{"a":{', "is nested more than 3 levels deep"],
  ["[0,0,0,0,0,0,0]", "holds more than 6 objects, arrays and commas"],
  ['"\\"[[[[', null],
  ['"\\\\"[[[[', "is nested more than 3 levels deep"],
  ['["[[[[[[[", ",,,,,,,,,,,,"]', null],
  ["[][][][]]]]]", null],
  ["", null],
])("%s", (text, expected) => {
  expect(excessOf(text, { maxDepth: 3, maxParts: 6 })).toBe(expected);
});
