/** Filters restrict to exactly the chunks whose file (or position) matches, by JSON type and value. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChunkRange, MetadataFilter, Store } from "../../src/store/index.ts";
import { add, cleanUp, emptyStore, sampleFile } from "./samples.ts";

afterEach(cleanUp);

const idsIn = (ranges: readonly ChunkRange[]) =>
  ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));

function matchingIds(store: Store, ...filters: MetadataFilter[]): number[] {
  return idsIn(store.matching(store.dataset("acme", "letters")!, filters));
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
    expect(matchingIds(store, { key: "key", value: 1 })).toEqual([1]);
    expect(matchingIds(store, { key: "key", value: "1" })).toEqual([2]);
    expect(matchingIds(store, { key: "key", value: true })).toEqual([3]);
    expect(matchingIds(store, { key: "key", value: "true" })).toEqual([4]);
    expect(matchingIds(store, { key: "key", value: 0 })).toEqual([5, 6]);
    expect(matchingIds(store, { key: "key", value: "null" })).toEqual([]);
    expect(matchingIds(store, { key: "absent", value: 1 })).toEqual([]);
  });

  test("reaches the fields that are the service's own, which a file's metadata cannot stand in for", async () => {
    const { store } = await emptyStore();
    const { files } = await add(store, [
      sampleFile({ originalName: "a.txt", extraMeta: { originalName: "b.txt", chunkIndex: 7, datasetId: "x" } }),
      sampleFile({ originalName: "b.txt", chunkCount: 3 }),
    ]);
    expect(matchingIds(store, { key: "originalName", value: "b.txt" })).toEqual([3, 4, 5]);
    expect(matchingIds(store, { key: "fileId", value: files[0]!.fileId })).toEqual([1, 2]);
    expect(matchingIds(store, { key: "chunkIndex", value: 2 })).toEqual([5]);
    expect(matchingIds(store, { key: "chunkIndex", value: 7 })).toEqual([]);
    expect(matchingIds(store, { key: "chunkIndex", value: "2" })).toEqual([]);
    expect(matchingIds(store, { key: "datasetId", value: "x" })).toEqual([]);
    expect(matchingIds(store, { key: "datasetId", value: "letters" })).toEqual([1, 2, 3, 4, 5]);
    expect(matchingIds(store, { key: "customerId", value: "acme" })).toEqual([1, 2, 3, 4, 5]);
    expect(matchingIds(store, { key: "customerId", value: "other" })).toEqual([]);
  });

  test("never reaches into another dataset", async () => {
    const { store } = await emptyStore();
    const { files } = await add(store, [sampleFile({ extraMeta: { kind: "a" } })], { datasetName: "other" });
    await add(store, [sampleFile({ extraMeta: { kind: "b" } })]);
    expect(matchingIds(store, { key: "kind", value: "a" })).toEqual([]);
    expect(matchingIds(store, { key: "fileId", value: files[0]!.fileId })).toEqual([]);
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
    expect(matchingIds(store, { key, value })).toEqual([1]);
    expect(matchingIds(store, { key, value: `${value}x` })).toEqual([]);
    expect(matchingIds(store, { key: `${key}x`, value })).toEqual([]);
  });

  test("sees files added since it was first asked", async () => {
    const { store } = await emptyStore();
    const file = () => sampleFile({ chunkCount: 1, extraMeta: { kind: "a" } });
    await add(store, [file()]);
    const before = store.matching(store.dataset("acme", "letters")!, [{ key: "kind", value: "a" }]);
    await add(store, [sampleFile({ chunkCount: 1 }), file(), file()]);
    expect(matchingIds(store, { key: "kind", value: "a" })).toEqual([1, 3, 4]);
    expect(idsIn(before)).toEqual([1]);
  });
});

test("any set of files, filters and deletes gives what looking at every file gives", async () => {
  const scalar = fc.oneof(fc.constantFrom("a", "1", "true"), fc.constantFrom(1, 2), fc.boolean());
  const meta = fc.dictionary(fc.constantFrom("x", "y", "__proto__"), scalar, { maxKeys: 3 });
  const filter = fc.record({ key: fc.constantFrom("x", "y", "__proto__", "chunkIndex"), value: scalar });
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
              filters.every(({ key, value }) =>
                key === "chunkIndex" ? index === value : Object.hasOwn(metadata, key) && metadata[key] === value,
              ),
            );
          });
          expect(idsIn(store.matching(dataset, filters))).toEqual(expected.map(({ id }) => id));
        }
      },
    ),
    { numRuns: 40 },
  );
});
