/** How a chunk's terms are kept: whatever they are, they come back as what they were, counted. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openTermReader, TermCounts } from "../../src/store/index.ts";
import { encodeTermCounts, MOST_COUNTED } from "../../src/store/term-counts.ts";
import { add, cleanUp, emptyStore, sampleFile } from "./samples.ts";

afterEach(cleanUp);

/** The entries of each chunk: [term, count] in ascending order of term. */
function entriesOf(contents: TermCounts): [number, number][][] {
  return contents.ends.map((end, chunk) => {
    const start = contents.ends[chunk - 1] ?? 0;
    return Array.from({ length: end - start }, (_, at) => [contents.terms[start + at]!, contents.counts[start + at]!]);
  });
}

const decode = (...encoded: Uint8Array[]) => {
  const contents = new TermCounts();
  for (const bytes of encoded) contents.append(bytes);
  return entriesOf(contents);
};

describe("encoding", () => {
  test("keeps which terms there are and how often, whatever their order", () => {
    const term = fc.oneof(fc.nat(300), fc.nat(2 ** 24 - 1));
    fc.assert(
      fc.property(fc.array(fc.array(term, { maxLength: 400 }), { maxLength: 5 }), (chunks) => {
        const expected = chunks.map((terms) => [...Map.groupBy(terms, (one) => one)].map(([one, all]) => [one, Math.min(MOST_COUNTED, all.length)]).sort((left, right) => left[0]! - right[0]!));
        expect(decode(...chunks.map((terms) => encodeTermCounts(Uint32Array.from(terms))))).toEqual(expected as [number, number][][]);
      }),
    );
  });

  test("counts no further than a byte", () => {
    expect(decode(encodeTermCounts(new Uint32Array(1000).fill(5)))).toEqual([[[5, 255]]]);
  });

  test("takes about two bytes for a term", () => {
    const terms = Uint32Array.from({ length: 150 }, (_, index) => index * 400);
    expect(encodeTermCounts(terms).length).toBeLessThanOrEqual(300);
  });

  test("refuses ids that no termizer has, and bytes that were cut short", () => {
    expect(() => encodeTermCounts(Uint32Array.of(2 ** 24))).toThrow(RangeError);
    const bytes = encodeTermCounts(Uint32Array.of(1000, 1000));
    expect(() => decode(bytes.slice(0, -1))).toThrow(RangeError);
    expect(() => decode(Uint8Array.of(0x80))).toThrow(RangeError);
  });
});

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
    expect(entriesOf(contents)).toEqual([[[3, 1], [9, 2]], [], [[4, 1]]]);

    await store.deleteFiles({ fileRows: [files[0]!.id] });
    expect(reader.ranges(datasetId)).toEqual([]);
    expect(reader.read(range!, 9, new TermCounts())).toEqual([]);
    reader.close();
  });

  test("a file comes with terms for each of its chunks", async () => {
    const { store } = await emptyStore();
    expect(await add(store, [sampleFile({ chunkCount: 2, terms: [new Uint32Array()] })]).catch((error: unknown) => error)).toBeInstanceOf(RangeError);
  });
});
