/** Chunks' terms for lexical search: whether a chunk's were stored with their order or, by an older version, without, they are read alike. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { indexedChunk, openTermReader, TermCounts, type TermReader } from "../../src/store/index.ts";
import { appendUnorderedTerms, MOST_COUNTED } from "../../src/store/term-counts.ts";
import { add, cleanUp, emptyStore, sampleFile, unitVector } from "./samples.ts";
import { encodeUnorderedTerms, entriesOf, forgetOrder, storedTerms } from "./unordered-terms.ts";

afterEach(cleanUp);

const decode = (...encoded: Uint8Array[]) => {
  const contents = new TermCounts();
  for (const bytes of encoded) appendUnorderedTerms(contents, bytes);
  return entriesOf(contents);
};

describe("stored without their order", () => {
  test("terms come back with how often they occur", () => {
    const term = fc.oneof(fc.nat(300), fc.nat(2 ** 24 - 1));
    fc.assert(
      fc.property(fc.array(fc.array(term, { maxLength: 400 }), { maxLength: 5 }), (chunks) => {
        const expected = chunks.map((terms) =>
          [...Map.groupBy(terms, (one) => one)]
            .map(([one, all]) => [one, Math.min(MOST_COUNTED, all.length)])
            .sort((left, right) => left[0]! - right[0]!),
        );
        expect(decode(...chunks.map(encodeUnorderedTerms))).toEqual(expected as [number, number][][]);
      }),
    );
  });

  test("bytes that were cut short are refused", () => {
    expect(() => decode(encodeUnorderedTerms([1000, 1000]).slice(0, -1))).toThrow(RangeError);
    expect(() => decode(Uint8Array.of(0x80))).toThrow(RangeError);
  });
});

/** All terms of a range, read in pages of so many chunks. */
function readAll(
  reader: TermReader,
  [range]: { first: number; last: number }[],
  pageSize: number,
): [chunkId: number, entries: [number, number][]][] {
  const contents = new TermCounts();
  const chunkIds: number[] = [];
  for (let page = [range!.first - 1]; page.length > 0; chunkIds.push(...page))
    page = reader.read({ first: page.at(-1)! + 1, last: range!.last }, pageSize, contents);
  return entriesOf(contents).map((entries, at) => [chunkIds[at]!, entries]);
}

describe("in the database", () => {
  test("terms are read in pages, by dataset, and go with their file", async () => {
    const { store, dataDirectory } = await emptyStore();
    const terms = [Uint32Array.of(9, 3, 9), new Uint32Array(), Uint32Array.of(4)];
    const { datasetId, files } = await add(store, [sampleFile({ chunkCount: 3, terms })]);
    await add(store, [sampleFile({ chunkCount: 1 })], { datasetName: "other" });
    const reader = openTermReader({ dataDirectory });
    const [range] = reader.ranges(datasetId);
    expect(range).toEqual({ first: 1, last: 3 });

    const contents = new TermCounts();
    expect(reader.read(range!, 2, contents)).toEqual([1, 2]);
    expect(reader.read({ first: 3, last: 3 }, 2, contents)).toEqual([3]);
    expect(entriesOf(contents)).toEqual([
      [
        [3, 1],
        [9, 2],
      ],
      [],
      [[4, 1]],
    ]);

    await store.deleteFiles({ fileRows: [files[0]!.id] });
    expect(reader.ranges(datasetId)).toEqual([]);
    expect(reader.read(range!, 9, new TermCounts())).toEqual([]);
    reader.close();
  });

  test("those of an older version are read among the others, before and after they were stored with their order", async () => {
    const { store, dataDirectory } = await emptyStore();
    const terms = Array.from({ length: 20 }, (_, index) => Uint32Array.of(50, index, 50, 2 ** 20 + index));
    const { datasetId } = await add(store, [sampleFile({ chunkCount: 20, terms })]);
    const reader = openTermReader({ dataDirectory });
    const ranges = reader.ranges(datasetId);
    const expected = readAll(reader, ranges, 100);
    reader.close();

    forgetOrder(dataDirectory, (chunkId) => chunkId % 3 > 0);
    const later = openTermReader({ dataDirectory });
    for (const pageSize of [1, 2, 7, 20, 100]) expect(readAll(later, ranges, pageSize)).toEqual(expected);
    for (
      let chunks = store.unorderedChunks(0, 5);
      chunks.length > 0;
      chunks = store.unorderedChunks(chunks.at(-1)!.chunkId, 5)
    ) {
      await store.orderTerms({
        chunkIds: chunks.map(({ chunkId }) => chunkId),
        terms: chunks.map(({ chunkId }) => terms[chunkId - 1]!),
      });
      expect(readAll(later, ranges, 3)).toEqual(expected);
    }
    expect(storedTerms(dataDirectory)).toEqual({ ordered: 20, unordered: 0 });
    expect(readAll(later, ranges, 3)).toEqual(expected);
    later.close();
  });

  test("chunks of an older version are told with their texts and their generation's model", async () => {
    const { store, dataDirectory } = await emptyStore();
    await add(store, [sampleFile({ chunkCount: 2 })]);
    const { datasetId } = await add(store, [sampleFile({ chunkCount: 2 })], { datasetName: "other" });
    await store.beginReembedding(datasetId, "model@2");
    await store.addEmbeddings({
      datasetId,
      generation: 1,
      chunkIds: [3],
      vectors: [unitVector(0)],
      terms: [Uint32Array.of(1)],
    });
    forgetOrder(dataDirectory);
    const told = store.unorderedChunks(1, 10);
    expect(told.map(({ chunkId, modelId, text, before }) => [chunkId, modelId, text, before])).toEqual([
      [2, "model@1", "passage 1", "passage 0"],
      [3, "model@1", "passage 0", null],
      [4, "model@1", "passage 1", "passage 0"],
      [indexedChunk(3, 1), "model@2", "passage 0", null],
    ]);
    expect(store.unorderedChunks(2, 1).map(({ chunkId, datasetId }) => [chunkId, datasetId])).toEqual([[3, datasetId]]);
  });

  test("what is deleted while its terms are made anew stays deleted, and what is done already stays as it is", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { files } = await add(store, [sampleFile({ chunkCount: 1 }), sampleFile({ chunkCount: 1 })]);
    forgetOrder(dataDirectory, (chunkId) => chunkId === 1);
    await store.deleteFiles({ fileRows: [files[0]!.id] });
    await store.orderTerms({ chunkIds: [1, 2], terms: [Uint32Array.of(5), Uint32Array.of(5)] });
    expect(storedTerms(dataDirectory)).toEqual({ ordered: 1, unordered: 0 });
    const reader = openTermReader({ dataDirectory });
    expect(readAll(reader, [{ first: 1, last: 2 }], 9)).toEqual([
      [
        2,
        [
          [7, 1],
          [1000, 1],
        ],
      ],
    ]);
    reader.close();
  });

  test("a removed generation leaves none of either kind", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { datasetId } = await add(store, [sampleFile({ chunkCount: 4 })]);
    forgetOrder(dataDirectory, (chunkId) => chunkId < 3);
    await store.beginReembedding(datasetId, "model@2");
    await store.addEmbeddings({
      datasetId,
      generation: 1,
      chunkIds: [1, 2, 3, 4],
      vectors: [0, 1, 2, 3].map(unitVector),
      terms: [1, 2, 3, 4].map((term) => Uint32Array.of(term)),
    });
    expect(await store.switchGeneration(datasetId, 1)).toBe(true);
    while (await store.removeDiscarded(3));
    expect(storedTerms(dataDirectory)).toEqual({ ordered: 4, unordered: 0 });
  });

  test("a file comes with terms for each of its chunks", async () => {
    const { store } = await emptyStore();
    expect(
      await add(store, [sampleFile({ chunkCount: 2, terms: [new Uint32Array()] })]).catch((error: unknown) => error),
    ).toBeInstanceOf(RangeError);
  });
});
