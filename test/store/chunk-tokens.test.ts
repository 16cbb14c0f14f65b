/** How a chunk's terms are kept: its tokens come back in their order, all of its terms counted, and damage is refused. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openTokenReader, TermCounts } from "../../src/store/index.ts";
import { appendTermCounts, encodeChunkTokens, tokensInOrder } from "../../src/store/chunk-tokens.ts";
import { MOST_COUNTED } from "../../src/store/term-counts.ts";
import { FIRST_WORD } from "../../src/foundation/term-ids.ts";
import { add, cleanUp, emptyStore, sampleFile } from "./samples.ts";
import { encodeUnorderedTerms, entriesOf, forgetOrder } from "./unordered-terms.ts";

afterEach(cleanUp);

const someToken = fc.oneof(fc.nat(30), fc.nat(300), fc.nat(64_000), fc.nat(FIRST_WORD - 1));
const someWord = fc
  .oneof(fc.nat(10), fc.nat(2 ** 22), fc.nat(2 ** 24 - FIRST_WORD - 1))
  .map((word) => FIRST_WORD + word);
const someTokens = fc.oneof(
  fc.array(someToken, { maxLength: 600 }),
  fc.tuple(someToken, fc.nat(4000)).map(([token, length]) => new Array<number>(length).fill(token)),
  fc.array(fc.nat(64_000), { minLength: 4000, maxLength: 4000, size: "max" }),
);

function counted(terms: readonly number[]): [number, number][] {
  return [...Map.groupBy(terms, (one) => one)]
    .map(([one, all]): [number, number] => [one, Math.min(MOST_COUNTED, all.length)])
    .sort((left, right) => left[0] - right[0]);
}

function decodeCounts(...encoded: Uint8Array[]): [number, number][][] {
  const contents = new TermCounts();
  for (const bytes of encoded) appendTermCounts(contents, bytes);
  return entriesOf(contents);
}

test("tokens come back in their order, and all terms with how often they occur", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ tokens: someTokens, words: fc.array(someWord, { maxLength: 200 }) }), { maxLength: 4 }),
      (chunks) => {
        const encoded = chunks.map(({ tokens, words }) => encodeChunkTokens(Uint32Array.from([...tokens, ...words])));
        expect(encoded.map((bytes) => [...tokensInOrder(bytes)])).toEqual(chunks.map(({ tokens }) => tokens));
        expect(decodeCounts(...encoded)).toEqual(chunks.map(({ tokens, words }) => counted([...tokens, ...words])));
      },
    ),
  );
});

test.each([
  ["no terms", []],
  ["one token", [0]],
  ["the last token and the last word", [FIRST_WORD - 1, 2 ** 24 - 1]],
  ["words alone", [FIRST_WORD, FIRST_WORD]],
  ["one token a thousand times", new Array(1000).fill(7)],
  ["as many different tokens as a byte tells apart", Array.from({ length: 256 }, (_, index) => 255 - index)],
  ["one more", Array.from({ length: 257 }, (_, index) => 256 - index)],
] as [string, number[]][])("%s", (_what, terms) => {
  const encoded = encodeChunkTokens(Uint32Array.from(terms));
  expect([...tokensInOrder(encoded)]).toEqual(terms.filter((term) => term < FIRST_WORD));
  expect(decodeCounts(encoded)).toEqual([counted(terms)]);
});

test("the order of 300 tokens takes no more than 300 bytes beside what they take without it", () => {
  for (const different of [60, 120, 180, 256]) {
    const terms = Uint32Array.from({ length: 300 }, (_, index) => ((index * 7919) % different) * 350);
    expect(encodeChunkTokens(terms).length - encodeUnorderedTerms(terms).length).toBeLessThanOrEqual(300);
  }
});

test("ids that no tokenizer has, and a token behind a word, are refused", () => {
  expect(() => encodeChunkTokens(Uint32Array.of(2 ** 24))).toThrow(RangeError);
  expect(() => encodeChunkTokens(Uint32Array.of(FIRST_WORD, 5))).toThrow(RangeError);
});

describe("damaged bytes", () => {
  /** What the bytes are read as, or null where they are refused by RangeError; anything else is thrown on. */
  function read<Result>(decode: () => Result): Result | null {
    try {
      return decode();
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  function checkRead(bytes: Uint8Array): void {
    const tokens = read(() => tokensInOrder(bytes));
    // A bit for each token at least.
    if (tokens) expect(tokens.length).toBeLessThanOrEqual(bytes.length * 8);
    const before = Uint32Array.of(3, 3, FIRST_WORD);
    const contents = new TermCounts();
    appendTermCounts(contents, encodeChunkTokens(before));
    const appended = read(() => (appendTermCounts(contents, bytes), true));
    const [first, second] = entriesOf(contents);
    expect(first).toEqual(counted([...before]));
    expect(second === undefined).toBe(appended === null);
    for (const [index, [term, count]] of (second ?? []).entries()) {
      expect(term).toBeLessThan(2 ** 24);
      expect(term).toBeGreaterThan(second![index - 1]?.[0] ?? -1);
      expect(count).toBeGreaterThan(0);
    }
  }

  test("are refused, or read as something sound, whatever they are", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), checkRead), { numRuns: 2000 });
  });

  test("so are good ones that were changed or cut short", () => {
    fc.assert(
      fc.property(
        fc.array(someToken, { minLength: 1, maxLength: 40 }),
        fc.array(someWord, { maxLength: 10 }),
        fc.nat(),
        fc.nat(255),
        fc.boolean(),
        (tokens, words, place, value, cut) => {
          const bytes = encodeChunkTokens(Uint32Array.from([...tokens, ...words]));
          const at = place % bytes.length;
          if (!cut) bytes[at] = value;
          checkRead(cut ? bytes.subarray(0, at) : bytes);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["no bytes at all", []],
    ["more different tokens than bytes", [0xff, 0xff, 0xff, 0x7f]],
    ["a number without end", [0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
    ["a hundred million tokens", [1, 5, 0xff, 0xff, 0xff, 0x7f, 0]],
    ["tokens, none of them different", [0, 9, 0, 0]],
    ["a place behind the last", [3, 0, 0, 0, 3, 0b111111]],
  ])("%s", (_what, bytes) => {
    expect(() => tokensInOrder(Uint8Array.from(bytes))).toThrow(RangeError);
    expect(() => decodeCounts(Uint8Array.from(bytes))).toThrow(RangeError);
  });

  test("a token that occurs nowhere, and a word cut short, are told by who counts", () => {
    expect(() => decodeCounts(Uint8Array.of(2, 0, 0, 2, 0b00))).toThrow(RangeError);
    expect(() => decodeCounts(Uint8Array.of(0, 0, 0x85))).toThrow(RangeError);
    expect(() => decodeCounts(Uint8Array.of(0, 0, 0x85, 0x01))).toThrow(RangeError);
  });
});

test("the database gives tokens in their order; none of a chunk that an older version stored, or that is gone", async () => {
  const { store, dataDirectory } = await emptyStore();
  const { files } = await add(store, [
    sampleFile({ chunkCount: 3, terms: [Uint32Array.of(9, 3, 9, FIRST_WORD), new Uint32Array(), Uint32Array.of(4)] }),
    sampleFile({ chunkCount: 1 }),
  ]);
  forgetOrder(dataDirectory, (chunkId) => chunkId === 3);
  const reader = openTokenReader({ dataDirectory });
  const read = () => reader.tokens([2, 1, 4, 3, 99, 1]).map((tokens) => tokens && [...tokens]);
  expect(read()).toEqual([[], [9, 3, 9], [7, 1000], null, null, [9, 3, 9]]);
  await store.deleteFiles({ fileRows: [files[0]!.id] });
  expect(read()).toEqual([null, null, [7, 1000], null, null, null]);
  reader.close();
});
