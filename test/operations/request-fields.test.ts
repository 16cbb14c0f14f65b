/** What a request's fields may hold: filters, chunking, metadata, dataset names. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Caller } from "../../src/access/index.ts";
import { LecternError } from "../../src/foundation/errors.ts";
import { fieldLimits } from "../../src/foundation/field-limits.ts";
import { readChunking } from "../../src/operations/chunking.ts";
import { checkNewDatasetId, chooseDataset } from "../../src/operations/dataset-choice.ts";
import { readExtraMeta } from "../../src/operations/extra-meta.ts";
import { readFilters } from "../../src/operations/filters.ts";

/** The code of what `read` throws, or null. */
function codeOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof LecternError) return error.code;
    throw error;
  }
}

function thrownBy(read: () => unknown): LecternError {
  try {
    read();
  } catch (error) {
    return error as LecternError;
  }
  throw new Error("It was not refused.");
}

describe("filters", () => {
  const scalar = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  );
  const wellFormed = fc.array(
    fc.record({ key: fc.string({ unit: "binary", minLength: 1 }), match: fc.record({ value: scalar }) }),
    { maxLength: fieldLimits.filters.maxItems },
  );

  test("every well-formed list is read: each filter kept, none invented, none twice", () => {
    fc.assert(
      fc.property(wellFormed, (raw) => {
        const read = readFilters(raw);
        const same = (value: unknown) => JSON.stringify(value);
        expect(new Set(read.map(same))).toEqual(
          new Set(raw.map(({ key, match }) => same({ key, value: match.value }))),
        );
        expect(new Set(read.map(same)).size).toBe(read.length);
      }),
    );
  });

  test("anything else is INVALID_FILTER and nothing else", () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => expect([null, "INVALID_FILTER"]).toContain(codeOf(() => readFilters(raw)))),
    );
  });

  test("values that are no scalar, or no finite number, match nothing and are refused", () => {
    for (const value of [NaN, Infinity, -Infinity, null, undefined, [], {}, 1n, () => 1]) {
      expect(codeOf(() => readFilters([{ key: "a", match: { value } }]))).toBe("INVALID_FILTER");
    }
  });

  const filter = (match: unknown) => readFilters([{ key: "a", match }]);
  test.each<[string, unknown, unknown]>([
    ["any", { any: ["x", 1, true, -0, 1] }, { any: ["x", 1, true, 0] }],
    ["any of nothing", { any: [] }, { any: [] }],
    ["not one", { not: false }, { not: [false] }],
    ["not several", { not: ["x", "x", 2] }, { not: ["x", 2] }],
    ["not of nothing", { not: [] }, { not: [] }],
    ["a range of numbers", { range: { gt: 1, lte: 2.5 } }, { range: { gt: 1, lte: 2.5 } }],
    ["a range of dates", { range: { gte: "2024", lt: "2024-06-01" } }, { range: { gte: "2024", lt: "2024-06-01" } }],
    ["a range of texts", { range: { gte: "a" } }, { range: { gte: "a" } }],
    ["value beside what is unknown", { value: 1, weight: 2 }, { value: 1 }],
  ])("%s is read", (_name, match, expected) => {
    expect(filter(match) as unknown[]).toEqual([{ key: "a", ...(expected as object) }]);
  });

  test.each<[string, unknown, string]>([
    ["none of them", { vlaue: 1 }, "filters[0].match has none of value, any, not, range"],
    ["two of them", { value: 1, any: [1] }, "filters[0].match has both value and any; one filter takes one of them"],
    ["a form beside null", { value: 1, range: null }, "filters[0].match has both value and range"],
    ["any that is no list", { any: "x" }, "filters[0].match.any is not a list"],
    ["any null", { any: null }, "filters[0].match.any is not a list"],
    ["a null in a list", { any: ["x", null] }, "filters[0].match.any[1] is not a string, finite number or boolean"],
    ["a list in a list", { any: [["x"]] }, "filters[0].match.any[0] is not a string, finite number or boolean"],
    ["a number that is none", { any: [NaN] }, "filters[0].match.any[0] is not a string, finite number or boolean"],
    ["an endless number", { not: [Infinity] }, "filters[0].match.not[0] is not a string, finite number or boolean"],
    // biome-ignore lint/suspicious/noSparseArray: what is looked at
    ["a hole in a list", { any: [1, , 2] }, "filters[0].match.any[1] is not a string, finite number or boolean"],
    ["too long a list", { any: Array(10_001).fill(1) }, "filters[0].match.any has 10001 values, and at most 10000"],
    ["not an object", { not: { value: 1 } }, "filters[0].match.not is not a string, finite number, boolean or list"],
    ["not null", { not: null }, "filters[0].match.not is not a string, finite number, boolean or list"],
    ["a range that is no object", { range: [1, 2] }, "filters[0].match.range is not an object"],
    ["a range without bounds", { range: {} }, "filters[0].match.range has none of gt, gte, lt, lte"],
    ["an unknown bound", { range: { gte: 1, max: 2 } }, 'filters[0].match.range has a field "max"; its bounds are gt'],
    ["a bound that is no value", { range: { gt: true } }, "filters[0].match.range.gt is not a string or finite number"],
    ["a bound null", { range: { gt: null } }, "filters[0].match.range.gt is not a string or finite number"],
    ["bounds of two types", { range: { gt: 1, lt: "x" } }, "filters[0].match.range has bounds of different kinds"],
    ["a date and a text", { range: { gt: "2024", lt: "x" } }, "filters[0].match.range has bounds of different kinds"],
    [
      "no such day",
      { range: { lte: "2024-02-30" } },
      "filters[0].match.range.lte is written as a date, and there is no",
    ],
  ])("%s is refused with a sentence", (_name, match, sentence) => {
    const error = thrownBy(() => filter(match));
    expect([error.code, error.message]).toEqual(["INVALID_FILTER", expect.stringContaining(sentence)]);
  });

  test("minus zero is zero, text is not number", () => {
    const [zero] = readFilters([{ key: "a", match: { value: -0 } }]) as { value: unknown }[];
    expect(Object.is(zero!.value, 0)).toBe(true);
    expect(
      readFilters([
        { key: "a", match: { value: 1 } },
        { key: "a", match: { value: "1" } },
      ]),
    ).toHaveLength(2);
  });
});

describe("chunking", () => {
  test.each([
    [undefined, undefined, { chunkSize: 300, chunkOverlap: 20 }],
    ["", "", { chunkSize: 300, chunkOverlap: 20 }],
    ["10", undefined, { chunkSize: 10, chunkOverlap: 5 }],
    ["39", undefined, { chunkSize: 39, chunkOverlap: 19 }],
    ["41", undefined, { chunkSize: 41, chunkOverlap: 20 }],
    ["11", "0", { chunkSize: 11, chunkOverlap: 0 }],
    ["11", "10", { chunkSize: 11, chunkOverlap: 10 }],
    [" 500 ", 7, { chunkSize: 500, chunkOverlap: 7 }],
    [undefined, "299", { chunkSize: 300, chunkOverlap: 299 }],
  ])("size %p, overlap %p", (size, overlap, expected) => {
    expect(readChunking(size, overlap, 10_000)).toEqual(expected);
  });

  test("no chunk is larger than what the model reads", () => {
    expect(readChunking(undefined, undefined, 256)).toEqual({ chunkSize: 256, chunkOverlap: 20 });
    expect(readChunking("256", undefined, 256).chunkSize).toBe(256);
    expect(codeOf(() => readChunking("257", undefined, 256))).toBe("INVALID_CHUNKING");
  });

  test("what is read lies in the ranges, whatever is sent", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer().map(String), fc.anything()),
        fc.oneof(fc.integer().map(String), fc.anything()),
        fc.integer({ min: 10, max: 9000 }),
        (size, overlap, maxTokens) => {
          let read: ReturnType<typeof readChunking>;
          try {
            read = readChunking(size, overlap, maxTokens);
          } catch (error) {
            expect((error as LecternError).code).toBe("INVALID_CHUNKING");
            return;
          }
          expect(read.chunkSize).toBeWithin(10, Math.min(4000, maxTokens) + 1);
          expect(read.chunkOverlap).toBeWithin(0, read.chunkSize);
        },
      ),
    );
  });
});

describe("extraMeta", () => {
  test("any JSON object without reserved keys comes through unchanged", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { maxKeys: 5 }), (object) => {
        const json = JSON.stringify(object);
        fc.pre(
          Buffer.byteLength(json) <= 16 * 1024 &&
            !fieldLimits.extraMeta.reservedKeys.some((key) => Object.hasOwn(object, key)),
        );
        expect(JSON.stringify(readExtraMeta(json))).toBe(json);
      }),
    );
  });

  test.each([
    ["[1]"],
    ["null"],
    ["1"],
    ['"a"'],
    ["{"],
    ['{"fileId":1}'],
    ['{"originalName":1}'],
    ['{"customerId":null}'],
    ['{"datasetId":"x"}'],
    [`{"a":"${"ä".repeat(8192)}"}`],
  ])("%.30p is INVALID_METADATA", (json) => {
    expect(codeOf(() => readExtraMeta(json))).toBe("INVALID_METADATA");
  });

  test("nothing is none", () => {
    expect([readExtraMeta(undefined), readExtraMeta(""), readExtraMeta("  ")]).toEqual([null, null, null]);
  });

  test("exactly 16 KiB is allowed", () => {
    const json = `{"a":"${"x".repeat(16 * 1024 - 8)}"}`;
    expect(json.length).toBe(16 * 1024);
    expect(readExtraMeta(json)).not.toBeNull();
  });
});

describe("datasets", () => {
  const byKey: Caller = { customerId: "c", datasetId: null, operator: false, expires: null, keyId: "k", scope: "all" };
  const byToken: Caller = {
    customerId: "c",
    datasetId: "mine",
    operator: false,
    expires: 0,
    keyId: null,
    scope: "all",
  };
  const codes = { missing: "DATASET_ID_REQUIRED", mismatch: "DATASET_MISMATCH" } as const;

  test.each([
    ["a key", "a", byKey, "a"],
    ["a token", undefined, byToken, "mine"],
    ["a token", null, byToken, "mine"],
    ["a token", "", byToken, "mine"],
    ["a token", "mine", byToken, "mine"],
  ] as const)("%s naming %p", (_who, given, caller, expected) => {
    expect(chooseDataset(caller, given, codes)).toBe(expected);
  });

  test.each([
    ["a key", undefined, byKey, "DATASET_ID_REQUIRED"],
    ["a key", "", byKey, "DATASET_ID_REQUIRED"],
    ["a key", 7, byKey, "INVALID_REQUEST"],
    ["a token", "other", byToken, "DATASET_MISMATCH"],
    ["a token", ["mine"], byToken, "INVALID_REQUEST"],
  ] as const)("%s naming %p is refused", (_who, given, caller, expected) => {
    expect(codeOf(() => chooseDataset(caller, given, codes))).toBe(expected);
  });

  test.each([
    ["", "DATASET_ID_LENGTH"],
    ["x".repeat(101), "DATASET_ID_LENGTH"],
    ["a\n", "INVALID_REQUEST"],
    ["\u0085", "INVALID_REQUEST"],
    ["\udc00", "INVALID_REQUEST"],
    ["x".repeat(100), null],
    ["日本 ../ %", null],
    [".", "INVALID_REQUEST"],
    ["..", "INVALID_REQUEST"],
    ["...", null],
    ["../..", null],
  ])("a new dataset %.20p: %p", (datasetId, expected) => {
    expect(codeOf(() => checkNewDatasetId(datasetId))).toBe(expected);
  });
});
