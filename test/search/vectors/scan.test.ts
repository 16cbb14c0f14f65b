/** The kernels and what stands on them, against plain arithmetic. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assemble } from "../../../scripts/assemble.ts";
import { Best } from "../../../src/search/best.ts";
import { Closest } from "../../../src/search/vectors/closest.ts";
import { VectorMatrix } from "../../../src/search/vectors/matrix.ts";
import { quantiseToInt8 } from "../../../src/foundation/quantise.ts";
import { RowDirectory } from "../../../src/search/vectors/row-directory.ts";
import { RowMemory } from "../../../src/search/vectors/row-memory.ts";
import { SignBlocks } from "../../../src/search/vectors/sign-blocks.ts";
import { signTables, TABLE_ENTRIES, type SignTables } from "../../../src/search/vectors/sign-tables.ts";
import { sketchBytesOf, writeSketch } from "../../../src/search/vectors/sketch.ts";
import { quantised, unitVectors } from "./vectors.ts";

function finish<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

test.each(["scan", "sieve"] as const)("%s.wasm is what its .wat says", async (name) => {
  const committed = await Bun.file(new URL(`../../../src/search/vectors/${name}.wasm`, import.meta.url)).bytes();
  expect(Buffer.from(await assemble(`src/search/vectors/${name}`)).equals(Buffer.from(committed))).toBe(true);
});

describe("RowMemory", () => {
  test("dot products and bit distances equal plain arithmetic, extremes included", () => {
    const row = fc.int8Array({ minLength: 48, maxLength: 48 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), row, (rows, query) => {
        const memory = new RowMemory(48);
        for (const values of rows) memory.append(1).set(values);
        const dots: number[] = [];
        const all = [{ start: 0, end: rows.length }];
        const none = new Uint8Array(rows.length);
        finish(memory.dots(query, all, none, (_rows, results, count) => void dots.push(...results.subarray(0, count))));
        expect(dots).toEqual(
          rows.map((values) => values.reduce((sum, value, index) => sum + value * query[index]!, 0)),
        );

        const bits = (byte: number) => (byte & 255).toString(2).replaceAll("0", "").length;
        const distances = rows.map((values) =>
          values.reduce((sum, value, index) => sum + bits(value ^ query[index]!), 0),
        );
        expect([...finish(memory.distances(query, Uint32Array.from(rows.keys()).reverse()))]).toEqual(
          distances.toReversed(),
        );
      }),
    );
  });

  test("sign bits are set where a component is positive", () => {
    fc.assert(
      fc.property(
        fc.array(fc.int8Array({ minLength: 128, maxLength: 128 }), { minLength: 1, maxLength: 20 }),
        (rows) => {
          const memory = new RowMemory(128);
          memory.append(rows.length).set(rows.flatMap((row) => [...row]));
          const expected = (row: Int8Array) =>
            Array.from({ length: 16 }, (_, byte) =>
              row.subarray(byte * 8, byte * 8 + 8).reduce((bits, value, bit) => bits | (value > 0 ? 1 << bit : 0), 0),
            );
          expect([...new Uint8Array(memory.signs(0, rows.length, 16))]).toEqual(rows.flatMap(expected));
          const sketch = new Int8Array(sketchBytesOf(128));
          writeSketch(rows[0]!, sketch);
          expect([...new Uint8Array(sketch.buffer, 0, 16)]).toEqual(expected(rows[0]!));
          expect(new DataView(sketch.buffer).getInt32(sketch.length - 4, true)).toBe(memory.squares(0, 1)[0]!);
        },
      ),
    );
  });

  test("skips dead rows and keeps row numbers over many batches", () => {
    const rows = 20_000;
    const memory = new RowMemory(16);
    for (let row = 0; row < rows; row++) memory.append(1);
    const dead = new Uint8Array(rows);
    for (let row = 0; row < rows; row += 3) dead[row] = 1;
    const visited: number[] = [];
    finish(
      memory.dots(
        new Int8Array(16),
        [
          { start: 10, end: 9000 },
          { start: 9500, end: rows },
        ],
        dead,
        (list, _, count, base) => {
          for (const row of list.subarray(0, count)) visited.push(base + row);
        },
      ),
    );
    const expected = Array.from({ length: rows }, (_, row) => row).filter(
      (row) => row % 3 !== 0 && row >= 10 && (row < 9000 || row >= 9500),
    );
    expect(visited).toEqual(expected);
  });
});

describe("SignBlocks", () => {
  const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const distanceOf = (tables: SignTables, signs: Uint8Array, bytes: number): number => {
    let distance = 0;
    for (let half = 0; half < bytes * 2; half++)
      distance += tables.entries[half * TABLE_ENTRIES + ((signs[half >> 1]! >> (4 * (half & 1))) & 15)]!;
    return distance;
  };

  test("keeps the rows that are nearest by the tables, whatever a row's length and however many are wanted", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(16, 48, 64),
        fc.array(bytesOf(80), { minLength: 1, maxLength: 70 }),
        fc.int8Array({ minLength: 640, maxLength: 640 }),
        fc.integer({ min: 1, max: 80 }),
        (bytes, rows, query, wanted) => {
          const blocks = new SignBlocks(bytes);
          // Added in two parts: the second begins in the middle of a block.
          const half = rows.length >> 1;
          for (const part of [rows.slice(0, half), rows.slice(half)])
            blocks.append(Uint8Array.from(part.flatMap((row) => [...row])), 80);
          const tables = signTables(query, bytes);
          const closest = new Closest(wanted, tables.farthest);
          finish(blocks.sieve(tables, [{ start: 0, end: rows.length }], new Uint8Array(rows.length), closest));
          const distances = rows.map((row) => distanceOf(tables, row, bytes));
          const last = [...distances].sort((left, right) => left - right)[Math.min(wanted, rows.length) - 1]!;
          const kept = distances.flatMap((distance, row) => (distance <= last ? [row] : []));
          expect([...closest.kept().rows]).toEqual(kept);
          expect([...closest.kept().distances]).toEqual(kept.map((row) => distances[row]!));
          for (const [row, signs] of rows.entries()) {
            const told = new Int8Array(signs.buffer, signs.byteOffset, bytes);
            expect(blocks.equals(row, told)).toBe(true);
            const other = told.slice();
            other[row % bytes]! ^= 1 << (row % 8);
            expect(blocks.equals(row, other)).toBe(false);
          }
        },
      ),
    );
  });

  test("a bit that differs counts as much as the question's component there", () => {
    const query = new Int8Array(128);
    query.set([100, -50, 0, 1]);
    const { entries, perBit, farthest } = signTables(query, 16);
    // Signs as the question's, the first one not, the second one not, neither.
    expect([0b1001, 0b1000, 0b1011, 0b1010].map((signs) => entries[signs])).toEqual([0, 42, 21, 63]);
    expect(entries[0b1101]).toBe(0);
    expect(farthest).toBe(32 * 63);
    expect(perBit).toBeCloseTo(63 / 128);
    expect([...signTables(new Int8Array(128), 16).entries]).toEqual(Array(32 * 16).fill(0));
  });

  test("leaves out dead rows and rows between intervals, and keeps row numbers over many batches", () => {
    const rows = 150_001;
    const blocks = new SignBlocks(16);
    blocks.append(new Uint8Array(rows * 32), 32);
    const dead = new Uint8Array(rows);
    for (let row = 0; row < rows; row += 3) dead[row] = 1;
    const intervals = [
      { start: 10, end: 90_000 },
      { start: 90_005, end: 90_006 },
      { start: 95_000, end: 95_017 },
      { start: 120_500, end: rows },
    ];
    const closest = new Closest(rows, 100);
    const tables = signTables(new Int8Array(128), 16);
    finish(blocks.sieve(tables, intervals, dead, closest));
    const expected = Array.from({ length: rows }, (_, row) => row).filter(
      (row) => row % 3 !== 0 && intervals.some(({ start, end }) => row >= start && row < end),
    );
    expect([...closest.kept().rows]).toEqual(expected);
  });

  test("two searches of the same rows, each let in while the other pauses, find what each finds alone", () => {
    const rows = 200_000;
    const blocks = new SignBlocks(16);
    blocks.append(crypto.getRandomValues(new Uint8Array(65_536)), 32);
    while (blocks.rows < rows) blocks.append(crypto.getRandomValues(new Uint8Array(65_536)), 32);
    const all = [{ start: 0, end: blocks.rows }];
    const searches = [0, 1].map((seed) => {
      const tables = signTables(
        Int8Array.from({ length: 128 }, (_, at) => ((at * 37 + seed * 91) % 255) - 127),
        16,
      );
      return { tables, alone: new Closest(500, tables.farthest), together: new Closest(500, tables.farthest) };
    });
    const dead = new Uint8Array(blocks.rows);
    for (const { tables, alone } of searches) finish(blocks.sieve(tables, all, dead, alone));
    const steps = searches.map(({ tables, together }) => blocks.sieve(tables, all, dead, together));
    while (steps.map((step) => step.next().done).includes(false));
    for (const { alone, together } of searches) expect(together.kept()).toEqual(alone.kept());
  });
});

describe("VectorMatrix", () => {
  test("the nearest rows are those of an exhaustive comparison, whatever the dimensions", () => {
    for (const dimensions of [3, 128, 200, 1536, 4096]) {
      const vectors = unitVectors(300, dimensions, dimensions);
      const matrix = new VectorMatrix(dimensions, 1000);
      matrix.append(quantised(vectors));
      for (const query of unitVectors(5, dimensions, 7)) {
        const cosines = vectors.map((vector) => vector.reduce((sum, value, index) => sum + value * query[index]!, 0));
        const found = finish(matrix.nearest(matrix.quantise(query), [{ start: 0, end: 300 }], new Uint8Array(300), 10));
        expect(found).toHaveLength(10);
        const tenth = [...cosines].sort((left, right) => right - left)[9]!;
        for (const { row, score } of found) {
          expect(Math.abs(score - cosines[row]!)).toBeLessThan(0.02);
          expect(cosines[row]!).toBeGreaterThan(tenth - 0.02);
        }
      }
    }
  });

  test("sieving by sign bits finds the neighbours that comparing everything finds", () => {
    const vectors = unitVectors(5000, 256, 3, 40);
    const exact = new VectorMatrix(256, 5000);
    const sieved = new VectorMatrix(256, 100);
    for (const matrix of [exact, sieved]) matrix.append(quantised(vectors));
    let shared = 0;
    const queries = unitVectors(40, 256, 3, 40);
    for (const query of queries) {
      const nearest = (matrix: VectorMatrix) =>
        finish(matrix.nearest(matrix.quantise(query), [{ start: 0, end: 5000 }], new Uint8Array(5000), 10)).map(
          ({ row }) => row,
        );
      const truth = new Set(nearest(exact));
      shared += nearest(sieved).filter((row) => truth.has(row)).length;
    }
    expect(shared / (queries.length * 10)).toBeGreaterThan(0.98);
  });
});

describe("quantiseToInt8", () => {
  test("uses the whole range, keeps signs, and leaves zero alone", () => {
    const target = new Int8Array(4);
    quantiseToInt8([0.5, -0.25, 0, 0.001], target);
    expect([...target]).toEqual([127, -63, 0, 0]);
    quantiseToInt8([0, 0, 0, 0], target);
    expect([...target]).toEqual([0, 0, 0, 0]);
  });
});

describe("Best", () => {
  test("keeps what sorting would keep", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1, max: 1 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 20 }),
        (scores, limit) => {
          const best = new Best(limit);
          scores.forEach((score, row) => best.offer(row, score));
          const expected = [...scores].sort((left, right) => right - left).slice(0, limit);
          expect(best.ranked().map(({ score }) => score)).toEqual(expected);
          for (const { row, score } of best.ranked()) expect(scores[row]).toBe(score);
        },
      ),
    );
  });
});

describe("Closest", () => {
  test("keeps what sorting would keep, ties of the last included", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 40 }), { maxLength: 300 }),
        fc.integer({ min: 1, max: 30 }),
        (distances, wanted) => {
          const closest = new Closest(wanted, 40);
          distances.forEach((distance, row) => closest.offer(row, distance));
          const last = [...distances].sort((left, right) => left - right)[Math.min(wanted, distances.length) - 1] ?? -1;
          expect([...closest.kept().rows]).toEqual(
            distances.flatMap((distance, row) => (distance <= last ? [row] : [])),
          );
        },
      ),
    );
  });

  test("holds more than it first made room for", () => {
    const closest = new Closest(50_000, 3);
    for (let row = 0; row < 60_000; row++) closest.offer(row, row % 4);
    expect(closest.kept().rows).toHaveLength(60_000);
    const few = new Closest(10, 60_000);
    for (let row = 60_000; row > 0; row--) few.offer(row, row);
    expect([...few.kept().rows]).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect([...few.kept().distances]).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });
});

describe("RowDirectory", () => {
  test("finds every chunk's row in whatever order the files came", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lengths, fc.infiniteStream(fc.nat()), (files, shuffle) => {
        let next = 1;
        const runs = files.map((length) => ({ first: (next += length + (length % 3)) - length, length }));
        runs.sort(() => (shuffle.next().value % 2 ? 1 : -1));
        const directory = new RowDirectory();
        const rowOf = new Map<number, number>();
        let row = 0;
        for (const { first, length } of runs) {
          directory.add(first, length, row);
          for (let index = 0; index < length; index++) rowOf.set(first + index, row++);
        }
        for (let chunkId = 0; chunkId <= next; chunkId++)
          expect(directory.rowOf(chunkId)).toBe(rowOf.get(chunkId) ?? -1);
        expect(
          directory
            .held()
            .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at)),
        ).toEqual([...rowOf.keys()].sort((left, right) => left - right));
        const middle = Math.floor(next / 2);
        const rows = directory
          .rowsWithin([{ first: middle, last: next }])
          .flatMap(({ start, end }) => Array.from({ length: end - start }, (_, index) => start + index));
        expect(rows.sort((a, b) => a - b)).toEqual(
          [...rowOf]
            .filter(([chunkId]) => chunkId >= middle)
            .map(([, at]) => at)
            .sort((a, b) => a - b),
        );
      }),
    );
  });
});
