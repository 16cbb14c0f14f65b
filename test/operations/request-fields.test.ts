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

  test("minus zero is zero, text is not number", () => {
    expect(Object.is(readFilters([{ key: "a", match: { value: -0 } }])[0]!.value, 0)).toBe(true);
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
  const byKey: Caller = { customerId: "c", datasetId: null, operator: false, expires: null };
  const byToken: Caller = { customerId: "c", datasetId: "mine", operator: false, expires: 0 };
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
