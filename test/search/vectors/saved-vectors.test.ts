/** Vectors that lie in a file alone are compared as those in memory are, and what is not what was saved is never compared. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BLOCK_ROWS } from "../../../src/search/vectors/checkpoint-file.ts";
import { DamagedVectors, VectorMatrix } from "../../../src/search/vectors/matrix.ts";
import { quantiseToInt8 } from "../../../src/search/vectors/quantise.ts";
import { RowFileReader, RowFileWriter } from "../../../src/search/vectors/row-file.ts";
import { SavedVectors } from "../../../src/search/vectors/saved-vectors.ts";
import { sketchBytesOf, writeSketch } from "../../../src/search/vectors/sketch.ts";
import { unitVectors } from "./vectors.ts";

const DIMENSIONS = 600;
const ROWS = BLOCK_ROWS + 500;
const FILE = "vectors-a-00000000.int8";
const vectors = unitVectors(ROWS + 100, DIMENSIONS, 8);
const [query] = unitVectors(1, DIMENSIONS, 9) as [Float32Array];
const nobody = new Uint8Array(vectors.length);

let folder: string;
let saved: SavedVectors;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "lectern-saved-vectors-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function finish<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A matrix whose first rows are saved and not in memory yet, and one with all of them in memory. `damage` is done to the file before it is opened. */
function matrices(
  damage: (path: string) => void = () => {},
  exactLimit = 1e6,
): { inFile: VectorMatrix; inMemory: VectorMatrix } {
  const inMemory = new VectorMatrix(DIMENSIONS, exactLimit);
  for (const vector of vectors) inMemory.append(vector);
  const writer = new RowFileWriter(folder, FILE, null, DIMENSIONS);
  const sketches = new Int8Array(ROWS * sketchBytesOf(DIMENSIONS));
  for (let row = 0; row < ROWS; row++) {
    const quantised = new Int8Array(DIMENSIONS);
    quantiseToInt8(vectors[row]!, quantised);
    writer.append(quantised);
    writeSketch(quantised, sketches.subarray(row * sketchBytesOf(DIMENSIONS)));
  }
  const file = writer.finish();
  writer.close();
  damage(join(folder, FILE));
  const inFile = new VectorMatrix(DIMENSIONS, exactLimit);
  saved = new SavedVectors(new RowFileReader(folder, file, ROWS, DIMENSIONS), DIMENSIONS, inFile.stride);
  inFile.adopt(saved);
  inFile.appendSketches(sketches);
  for (const vector of vectors.slice(ROWS)) inFile.append(vector);
  return { inFile, inMemory };
}

const nearest = (matrix: VectorMatrix, start = 0, end = vectors.length, dead = nobody) =>
  finish(matrix.nearest(matrix.quantise(query), [{ start, end }], dead, 20));

for (const [kind, exactLimit] of [
  ["compared exactly", 1e6],
  ["sieved", 10],
] as const) {
  test(`${kind}: the same before, while and after they are taken into memory`, () => {
    const { inFile, inMemory } = matrices(() => {}, exactLimit);
    const dead = nobody.slice().fill(1, 100, 200);
    for (let blocks = 0; ; blocks++) {
      for (const [start, end] of [
        [0, vectors.length],
        [50, 300],
        [BLOCK_ROWS - 10, BLOCK_ROWS + 10],
        [ROWS - 5, ROWS + 50],
      ] as const)
        expect(nearest(inFile, start, end, dead)).toEqual(nearest(inMemory, start, end, dead));
      for (const row of [0, BLOCK_ROWS, ROWS, vectors.length - 1]) expect(inFile.row(row)).toEqual(inMemory.row(row));
      expect(saved.resident.rows).toBe(Math.min(blocks * BLOCK_ROWS, ROWS));
      if (!saved.takeNext()) break;
    }
    expect(inFile.bytes).toBe(inMemory.bytes);
  });
}

const changes: [name: string, change: (path: string) => void][] = [
  ...[0x01, 0x40, 0x80].map((mask): (typeof changes)[number] => [
    `bit ${mask} of a component changes`,
    (path) => {
      const bytes = readFileSync(path);
      bytes[7 * DIMENSIONS + 300]! ^= mask;
      writeFileSync(path, bytes);
    },
  ]),
  ["the file ends before it", (path) => truncateSync(path, 7 * DIMENSIONS + 5)],
];
test.each(changes)("where %s, the row is not compared, and the block is not taken into memory", (_, change) => {
  const { inFile } = matrices(change);
  expect(() => nearest(inFile, 0, 20)).toThrow(DamagedVectors);
  expect(() => inFile.row(7)).toThrow(DamagedVectors);
  expect(nearest(inFile, 0, 7)).toHaveLength(7);
  expect(() => saved.takeNext()).toThrow("the saved vectors are damaged");
});
