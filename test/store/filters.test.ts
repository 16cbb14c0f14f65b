/** Filters restrict to exactly the chunks whose file (or position) matches, by JSON type and value. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChunkRange, MetadataFilter, Store, ValueRange } from "../../src/store/index.ts";
import { rangeTest, toComparable } from "../../src/store/value-range.ts";
import { add, cleanUp, emptyStore, sampleFile } from "./samples.ts";

afterEach(cleanUp);

const idsIn = (ranges: readonly ChunkRange[]) =>
  ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));

async function matchingIds(store: Store, ...filters: MetadataFilter[]): Promise<number[]> {
  return idsIn(await store.matching(store.dataset("acme", "letters")!, filters));
}

describe("a filter", () => {
  test("matches by JSON type and value", async () => {
    const { store } = await emptyStore();
    await add(
      store,
      [1, "1", true, "true", 0, -0, null, [1], { a: 1 }].map((value) =>
        sampleFile({ chunkCount: 1, extraMeta: { key: value } }),
      ),
    );
    expect(await matchingIds(store, { key: "key", value: 1 })).toEqual([1]);
    expect(await matchingIds(store, { key: "key", value: "1" })).toEqual([2]);
    expect(await matchingIds(store, { key: "key", value: true })).toEqual([3]);
    expect(await matchingIds(store, { key: "key", value: "true" })).toEqual([4]);
    expect(await matchingIds(store, { key: "key", value: 0 })).toEqual([5, 6]);
    expect(await matchingIds(store, { key: "key", value: "null" })).toEqual([]);
    expect(await matchingIds(store, { key: "absent", value: 1 })).toEqual([]);
  });

  test("reaches the fields that are the service's own, which a file's metadata cannot stand in for", async () => {
    const { store } = await emptyStore();
    const { files } = await add(store, [
      sampleFile({ originalName: "a.txt", extraMeta: { originalName: "b.txt", chunkIndex: 7, datasetId: "x" } }),
      sampleFile({ originalName: "b.txt", chunkCount: 3 }),
    ]);
    expect(await matchingIds(store, { key: "originalName", value: "b.txt" })).toEqual([3, 4, 5]);
    expect(await matchingIds(store, { key: "fileId", value: files[0]!.fileId })).toEqual([1, 2]);
    expect(await matchingIds(store, { key: "chunkIndex", value: 2 })).toEqual([5]);
    expect(await matchingIds(store, { key: "chunkIndex", value: 7 })).toEqual([]);
    expect(await matchingIds(store, { key: "chunkIndex", value: "2" })).toEqual([]);
    expect(await matchingIds(store, { key: "datasetId", value: "x" })).toEqual([]);
    expect(await matchingIds(store, { key: "datasetId", value: "letters" })).toEqual([1, 2, 3, 4, 5]);
    expect(await matchingIds(store, { key: "customerId", value: "acme" })).toEqual([1, 2, 3, 4, 5]);
    expect(await matchingIds(store, { key: "customerId", value: "other" })).toEqual([]);
  });

  test("never reaches into another dataset", async () => {
    const { store } = await emptyStore();
    const { files } = await add(store, [sampleFile({ extraMeta: { kind: "a" } })], { datasetName: "other" });
    await add(store, [sampleFile({ extraMeta: { kind: "b" } })]);
    expect(await matchingIds(store, { key: "kind", value: "a" })).toEqual([]);
    expect(await matchingIds(store, { key: "fileId", value: files[0]!.fileId })).toEqual([]);
  });

  test.each([
    ["a property of every object", "__proto__"],
    ["another such property", "constructor"],
    ["the empty string", ""],
    ["a NUL byte", "nul\0"],
    ["a lone surrogate", "\ud800"],
    ["5,000 characters", "k".repeat(5000)],
  ])("works on a key that is or has %s", async (_case, key) => {
    const { store } = await emptyStore();
    const value = "\udfff".repeat(300);
    await add(store, [
      sampleFile({ chunkCount: 1, extraMeta: Object.fromEntries([[key, value]]) }),
      sampleFile({ chunkCount: 1 }),
    ]);
    expect(await matchingIds(store, { key, value })).toEqual([1]);
    expect(await matchingIds(store, { key, value: `${value}x` })).toEqual([]);
    expect(await matchingIds(store, { key: `${key}x`, value })).toEqual([]);
  });

  test("sees files added since it was first asked", async () => {
    const { store } = await emptyStore();
    const file = () => sampleFile({ chunkCount: 1, extraMeta: { kind: "a" } });
    await add(store, [file()]);
    const before = await store.matching(store.dataset("acme", "letters")!, [{ key: "kind", value: "a" }]);
    await add(store, [sampleFile({ chunkCount: 1 }), file(), file()]);
    expect(await matchingIds(store, { key: "kind", value: "a" })).toEqual([1, 3, 4]);
    expect(idsIn(before)).toEqual([1]);
  });
});

describe("lists and ranges", () => {
  const files = [
    { year: 2023, day: "2023-12-31", tag: "a" },
    { year: 2024, day: "2024-05-01T18:00:00Z", tag: "b" },
    { year: 2024.5, day: "2024-05-02", tag: "c" },
    { year: "2024", day: 20240501 },
    { long: "x".repeat(500) },
  ];
  test.each<[string, MetadataFilter, number[]]>([
    ["any", { key: "tag", any: ["a", "c", "z"] }, [1, 3]],
    ["any of nothing", { key: "tag", any: [] }, []],
    ["any of several types", { key: "year", any: [2023, "2024", true] }, [1, 4]],
    ["not, and what has no such field", { key: "tag", not: ["a"] }, [2, 3, 4, 5]],
    ["not several", { key: "tag", not: ["a", "b", "c"] }, [4, 5]],
    ["not nothing", { key: "tag", not: [] }, [1, 2, 3, 4, 5]],
    ["not what nothing has", { key: "tag", not: ["z"] }, [1, 2, 3, 4, 5]],
    ["a range of numbers", { key: "year", range: { gte: 2024 } }, [2, 3]],
    ["numbers are no texts", { key: "year", range: { gte: "2000" } }, [4]],
    ["a day among moments", { key: "day", range: { lte: "2024-05-01" } }, [1, 2]],
    ["behind a day", { key: "day", range: { gt: "2024-05-01" } }, [3]],
    ["texts", { key: "tag", range: { gt: "a" } }, [2, 3]],
    ["texts that are stored as hashes", { key: "long", range: { gte: "xx", lt: "y" } }, [5]],
    ["a key that nothing has", { key: "colour", range: { gt: 0 } }, []],
    ["any fileId", { key: "fileId", any: ["file-2", "file-5", 7] }, [2, 5]],
    ["not a fileId", { key: "fileId", not: ["file-2"] }, [1, 3, 4, 5]],
    ["a range of names", { key: "originalName", range: { gte: "3.txt" } }, [3, 4, 5]],
    ["any name", { key: "originalName", any: ["1.txt", "2.txt"] }, [1, 2]],
    ["any place", { key: "chunkIndex", any: [1, 0, -1, 0.5, "0"] }, [1, 2, 3, 4, 5]],
    ["a range of places", { key: "chunkIndex", range: { gt: 0 } }, []],
    ["not a place", { key: "chunkIndex", not: [0] }, []],
    ["not a customer", { key: "customerId", not: ["acme"] }, []],
    ["not another customer", { key: "customerId", not: ["other"] }, [1, 2, 3, 4, 5]],
    ["a range of datasets", { key: "datasetId", range: { gte: "l", lt: "m" } }, [1, 2, 3, 4, 5]],
    ["any dataset", { key: "datasetId", any: ["x", "letters"] }, [1, 2, 3, 4, 5]],
  ])("%s", async (_name, filter, expected) => {
    const { store } = await emptyStore();
    await add(store, [sampleFile({ extraMeta: files[0]! })], { datasetName: "other" });
    const first = 2;
    await add(
      store,
      files.map((extraMeta, at) =>
        sampleFile({ chunkCount: 1, fileId: `file-${at + 1}`, originalName: `${at + 1}.txt`, extraMeta }),
      ),
    );
    expect(await matchingIds(store, filter)).toEqual(expected.map((id) => id + first));
    // Once more, from what is remembered.
    expect(await matchingIds(store, filter)).toEqual(expected.map((id) => id + first));
  });

  test("of ten thousand values find exactly theirs", async () => {
    const { store } = await emptyStore();
    await add(
      store,
      Array.from({ length: 300 }, (_, number) => sampleFile({ chunkCount: 1, extraMeta: { number } })),
    );
    const values = Array.from({ length: 10_000 }, (_, at) => 2 * at);
    const even = Array.from({ length: 150 }, (_, at) => 2 * at + 1);
    expect(await matchingIds(store, { key: "number", any: values })).toEqual(even);
    expect(await matchingIds(store, { key: "number", not: values })).toEqual(even.map((id) => id + 1));
  });

  test("see files that were added and not those that were deleted since they were first asked", async () => {
    const { store } = await emptyStore();
    const filters: MetadataFilter[] = [
      { key: "n", any: [1, 2] },
      { key: "n", not: [3] },
      { key: "n", range: { lt: 3 } },
    ];
    const found = () => Promise.all(filters.map((filter) => matchingIds(store, filter)));
    const file = (n: number) => sampleFile({ chunkCount: 1, extraMeta: { n } });
    const { files: stored } = await add(store, [file(1), file(3)]);
    expect(await found()).toEqual([[1], [1], [1]]);
    await add(store, [file(3), file(2)]);
    expect(await found()).toEqual([
      [1, 4],
      [1, 4],
      [1, 4],
    ]);
    await store.deleteFiles({ fileRows: [stored[0]!.id] });
    expect(await found()).toEqual([[4], [4], [4]]);
  });
});

test("any set of files, filters and deletes gives what looking at every file gives", async () => {
  const scalar = fc.oneof(
    fc.constantFrom("a", "1", "true", "2024-05-01"),
    fc.constantFrom(1, 2, 1.5, 10),
    fc.boolean(),
  );
  const meta = fc.dictionary(fc.constantFrom("x", "y", "__proto__"), scalar, { maxKeys: 3 });
  const list = fc.array(scalar, { maxLength: 3 });
  const key = fc.constantFrom("x", "y", "__proto__", "chunkIndex");
  const range = fc
    .tuple(fc.constantFrom("gt", "gte", "lt", "lte"), fc.constantFrom<number | string>(0.5, 1, 2, "1", "2024"))
    .map(([name, bound]): ValueRange => ({ [name]: bound }));
  const filter: fc.Arbitrary<MetadataFilter> = fc.oneof(
    fc.record({ key, value: scalar }),
    fc.record({ key, any: list }),
    fc.record({ key, not: list }),
    fc.record({ key, range }),
  );
  const holds = (asked: MetadataFilter, value: unknown): boolean => {
    if ("value" in asked) return value === asked.value;
    if ("any" in asked) return asked.any.some((one) => one === value);
    if ("not" in asked) return asked.not.every((one) => one !== value);
    if (typeof value !== "string" && typeof value !== "number") return false;
    return rangeTest(asked.range)(value, toComparable(value).moment);
  };
  const { store } = await emptyStore({ maxCachedRanges: 60 });

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ meta, chunkCount: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(filter, { maxLength: 3 }), { maxLength: 4 }),
      fc.boolean(),
      async (files, queries, deletes) => {
        await add(
          store,
          files.map(({ meta: extraMeta, chunkCount }) => sampleFile({ extraMeta, chunkCount })),
        );
        const dataset = store.dataset("acme", "letters")!;
        const stored = () => store.filesOfDataset(dataset.id).reverse();
        if (deletes)
          await store.deleteFiles({
            fileRows: stored()
              .filter((_, i) => i % 3 === 0)
              .map(({ id }) => id),
          });
        for (const filters of queries) {
          const expected = stored().flatMap((file) => {
            const metadata = JSON.parse(file.extraMeta ?? "{}") as Record<string, unknown>;
            return Array.from({ length: file.chunkCount }, (_, index) => ({
              id: file.firstChunkId + index,
              index,
            })).filter(({ index }) =>
              filters.every((asked) =>
                holds(
                  asked,
                  asked.key === "chunkIndex"
                    ? index
                    : Object.hasOwn(metadata, asked.key)
                      ? metadata[asked.key]
                      : undefined,
                ),
              ),
            );
          });
          expect(idsIn(await store.matching(dataset, filters))).toEqual(expected.map(({ id }) => id));
        }
      },
    ),
    { numRuns: 40 },
  );
});
