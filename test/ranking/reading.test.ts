/** The kernels and what stands on them, against plain arithmetic. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assemble } from "../../scripts/assemble.ts";
import { MATCH_INPUTS, CHUNK_INPUTS } from "../../src/ranking/inputs.ts";
import { Reader } from "../../src/ranking/reader.ts";
import { MOST_UNITS, UnitVectors } from "../../src/ranking/unit-vectors.ts";
import { tinyLexicon } from "../embedding/tiny-lexicon.ts";
import { DIMENSIONS, tinyTable } from "./tiny-table.ts";

test("reading.wasm is what reading.wat says", async () => {
  const committed = await Bun.file(new URL("../../src/ranking/reading.wasm", import.meta.url)).bytes();
  expect(Buffer.from(await assemble("src/ranking/reading")).equals(Buffer.from(committed))).toBe(true);
});

// Every piece is a word of its own but the last ten, which continue one.
const letter = (at: number): string => String.fromCharCode(97 + at);
const PIECES = [
  ...Array.from({ length: 50 }, (_, at) => `▁w${letter(at % 26)}${letter(Math.floor(at / 26))}`),
  ...Array.from({ length: 10 }, (_, at) => `x${letter(at)}`),
];
const table = tinyTable(PIECES);
const WORDS = 50;

/** A word is its tokens. */
type Word = readonly number[];
const word = fc
  .tuple(fc.nat(WORDS - 1), fc.array(fc.integer({ min: WORDS, max: PIECES.length - 1 }), { maxLength: 2 }))
  .map(([first, rest]): Word => [first, ...rest]);
const sameWord = (left: Word, right: Word): boolean => left.join() === right.join();

function signsOf(tokens: Word): boolean[] {
  return Array.from(
    { length: DIMENSIONS },
    (_, at) => tokens.reduce((sum, token) => Math.fround(sum + Math.fround(table.rows[token]![at]!)), 0) < 0,
  );
}

function nearness(left: Word, right: Word): number {
  if (sameWord(left, right)) return 1;
  const [a, b] = [signsOf(left), signsOf(right)];
  return Math.sin((Math.PI / 2) * (1 - (2 * a.filter((sign, at) => sign !== b[at]).length) / DIMENSIONS));
}

interface Plain {
  nearest: number[];
  nearestOther: number[];
  same: number[];
  inWindow: number[];
  pairs: number[];
  window: number;
}

function plainReading(question: readonly Word[], weights: readonly number[], text: readonly Word[]): Plain {
  const near = question.map((asked) => text.map((said) => nearness(asked, said)));
  const most = (values: readonly number[]): number => Math.max(0, ...values);
  const windows = Array.from({ length: Math.max(1, Math.ceil(text.length / 8) - 4) }, (_, block) =>
    near.map((row) => most(row.slice(block * 8, block * 8 + 40))),
  );
  const worth = (window: readonly number[]): number =>
    window.reduce((sum, value, unit) => sum + weights[unit]! * value ** 2, 0);
  const best = windows.reduce((left, right) => (worth(right) > worth(left) ? right : left));
  return {
    nearest: near.map(most),
    nearestOther: near.map((row) => most(row.filter((value) => value < 0.999))),
    same: near.map((row) => row.filter((value) => value >= 0.999).length),
    inWindow: best,
    pairs: near.map((row, unit) =>
      most(
        row.flatMap((value, at) => [
          Math.min(value, near[unit + 1]?.[at + 1] ?? 0),
          0.9 * Math.min(value, near[unit + 1]?.[at + 2] ?? 0),
        ]),
      ),
    ),
    window: worth(best),
  };
}

const vectors = new UnitVectors(table.vocabulary, table.bytes, null);

function expectNear(found: Float32Array, expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  found.forEach((value, at) => expect(value).toBeCloseTo(expected[at]!, 5));
}

describe("reading a text for a question", () => {
  const question = fc.uniqueArray(word, { minLength: 1, maxLength: MOST_UNITS, comparator: sameWord });
  test("nearest, repeats, best window and neighbours are what plain arithmetic says, however long the text", () => {
    fc.assert(
      fc.property(
        question,
        fc.array(word, { maxLength: 90 }),
        fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 2 }),
        (asked, text, others) => {
          const weights = asked.map((_, unit) => (unit + 1) / ((asked.length * (asked.length + 1)) / 2));
          vectors.begin();
          const slots = asked.map((one) => vectors.slot(one, 0, one.length));
          const texts = [text, ...others].map((words) => vectors.slotsOf(words.flat()));
          vectors.ask(slots, weights);
          vectors.compare(texts);
          [text, ...others].forEach((words, at) => {
            const found = vectors.read(texts[at]!);
            const plain = plainReading(asked, weights, words);
            for (const kind of ["nearest", "nearestOther", "same", "inWindow", "pairs"] as const)
              expectNear(found[kind], plain[kind]);
            expect(found.window).toBeCloseTo(plain.window, 5);
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  test("words that differ in accents only are the same", () => {
    const accented = tinyTable(["▁cafe", "▁café", "▁tee"], 7);
    const own = new UnitVectors(accented.vocabulary, accented.bytes, null);
    own.begin();
    own.ask([own.slot([0], 0, 1)], [1]);
    own.compare([own.slotsOf([2, 1])]);
    expect([...own.read(own.slotsOf([2, 1])).same]).toEqual([1]);
  });

  test("a word that the lexicon knows comes near to what stands for it in English", () => {
    const mixed = tinyTable(["▁haus", "▁house", "▁tree", "▁home"], 5);
    const lexicon = tinyLexicon({ house: [1], home: [3] }, [
      {
        word: "haus",
        means: [
          ["house", 0.8],
          ["home", 0.2],
        ],
      },
    ]);
    const nearest = (known: typeof lexicon | null): number[] => {
      const own = new UnitVectors(mixed.vocabulary, mixed.bytes, known);
      own.begin();
      const texts = [1, 3, 2].map((token) => own.slotsOf([token]));
      own.ask([own.slot([0], 0, 1)], [1]);
      own.compare(texts);
      return texts.map((text) => own.read(text).nearest[0]!);
    };
    const [unknown, known] = [nearest(null), nearest(lexicon)];
    for (const value of unknown) expect(Math.abs(value)).toBeLessThan(0.1);
    // The sum of the word's own vector, .8 of another and .2 of a third, all of one length and at right angles to one another.
    const length = Math.hypot(1, 0.8, 0.2);
    expect(known[0]).toBeCloseTo(0.8 / length, 1);
    expect(known[1]).toBeCloseTo(0.2 / length, 1);
    expect(Math.abs(known[2]!)).toBeLessThan(0.1);
  });

  test("more different words than there is room for: those kept are right, the rest is not read, and the next search is whole again", () => {
    const many = new UnitVectors(table.vocabulary, table.bytes, null);
    const tokens: number[] = [];
    for (let first = 0; first < WORDS; first++)
      for (let a = WORDS; a < 60; a++)
        for (let b = WORDS; b < 60; b++) for (let c = WORDS; c < 60; c++) tokens.push(first, a, b, c);
    many.begin();
    const read: Int32Array[] = [];
    for (let start = 0; start < tokens.length; start += 8000)
      read.push(many.slotsOf(tokens.slice(start, start + 8000)));
    expect(read[0]!.length).toBe(2000);
    expect(read.reduce((sum, { length }) => sum + length, 0)).toBe(49_152);
    many.begin();
    expect(many.slotsOf(tokens.slice(-8000)).length).toBe(2000);
  });
});

describe("what the network is given", () => {
  const reader = new Reader(table.vocabulary, table.bytes, null);
  const asked = (words: readonly number[], holders: readonly number[]) => ({
    terms: Uint32Array.from(words),
    importance: new Float32Array(words.length).fill(1),
    holders: Uint32Array.from(holders),
    chunks: 100,
    common: { tokens: new Uint32Array(0), shares: new Float32Array(0) },
  });

  test("rare words weigh more, repeats of a word count once, and the weights sum to 1", () => {
    const { weights } = reader.read(asked([1, 2, 1], [50, 1, 50]), [[1]]);
    expect(weights.length).toBe(2);
    expect(weights[0]! + weights[1]!).toBeCloseTo(1, 6);
    expect(weights[1]!).toBeGreaterThan(3 * weights[0]!);
  });

  test("of a long question the units that weigh most are read", () => {
    const words = Array.from({ length: 40 }, (_, at) => at);
    const { candidates, units, unitInputs } = reader.inputs(
      asked(
        words,
        words.map((at) => (at < 20 ? 90 : 1)),
      ),
      [{ chunkId: 1, cosine: 0.5, overlap: 0.5 }],
      [words],
    );
    expect([candidates, units]).toEqual([1, MOST_UNITS]);
    expect(unitInputs[0]).toBeGreaterThan(0.5);
  });

  test("a candidate that holds the question has its units near, one without text has none", () => {
    const { matches, chunks } = reader.inputs(
      asked([3, 4], [5, 5]),
      [
        { chunkId: 1, cosine: 0.4, overlap: 0.3 },
        { chunkId: 2, cosine: 0.1, overlap: 0 },
      ],
      [[9, 3, 4], []],
    );
    expect(matches[0]).toBe(1);
    expect(matches[MOST_UNITS * MATCH_INPUTS]).toBe(0);
    expect(chunks[3]).toBeCloseTo(1, 5);
    expect(chunks[4]).toBeCloseTo(0.5, 5);
    expect([...chunks.subarray(CHUNK_INPUTS + 3)]).toEqual([0, 0, 0]);
  });

  test("a question without words is read without a fault", () => {
    const { texts, weights } = reader.read(asked([], []), [[1, 2], []]);
    expect([weights.length, texts.length, texts[0]!.pairs]).toEqual([0, 2, 0]);
  });

  test("how much of a dataset is in the question's language shows in its commonest tokens", () => {
    const share = (holders: number[]) =>
      reader.inputs(asked([1, 2, 3], holders), [{ chunkId: 1, cosine: 0, overlap: 0 }], [[1]]).question[2];
    expect(share([100, 90, 80])).toBeCloseTo(0.9, 5);
    expect(share([0, 0, 0])).toBe(0);
  });

  test("how much of one language it is shows in its commonest tokens of letters", () => {
    const question = {
      ...asked([1], [1]),
      common: { tokens: Uint32Array.from([7, 8]), shares: Float32Array.from([0.8, 0.4]) },
    };
    const [common, commonest] = reader.inputs(question, [{ chunkId: 1, cosine: 0, overlap: 0 }], [[1]]).dataset;
    expect([common, commonest].map((share) => Number(share!.toFixed(5)))).toEqual([0.15, 0.8]);
  });
});
