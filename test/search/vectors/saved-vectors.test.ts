/** Vectors that lie in SQLite alone are compared as those in memory are, and what is saved of other vectors is never used. */
import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { DamagedVectors, VectorMatrix } from "../../../src/search/vectors/matrix.ts";
import { SavedVectors } from "../../../src/search/vectors/saved-vectors.ts";
import { sketchBytesOf, writeSketch } from "../../../src/search/vectors/sketch.ts";
import { documentsDatabasePath } from "../../../src/store/database.ts";
import { openVectorReader } from "../../../src/store/index.ts";
import { add, cleanUp, emptyStore, sampleFile } from "../../store/samples.ts";
import { quantised, unitVectors } from "./vectors.ts";

const DIMENSIONS = 600;
const ROWS = 4600;
/** Taken into memory at a time. */
const STEP = 4096;
const vectors = unitVectors(ROWS + 100, DIMENSIONS, 8);
const [query] = unitVectors(1, DIMENSIONS, 9) as [Float32Array];
const nobody = new Uint8Array(vectors.length);

const readers: Disposable[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) reader[Symbol.dispose]();
  await cleanUp();
});

function finish<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A matrix whose first rows are saved and not in memory yet, and one with all of them in memory. `change` is done to the database in between. */
async function matrices(
  change: (database: Database) => void = () => {},
  exactLimit = 1e6,
): Promise<{ inStore: VectorMatrix; inMemory: VectorMatrix; saved: SavedVectors }> {
  const { store, dataDirectory } = await emptyStore();
  await add(store, [sampleFile({ chunkCount: ROWS, vectors: vectors.slice(0, ROWS) })]);
  await store.close();
  const inMemory = new VectorMatrix(DIMENSIONS, exactLimit);
  inMemory.append(quantised(vectors));
  const sketches = new Int8Array(ROWS * sketchBytesOf(DIMENSIONS));
  quantised(vectors.slice(0, ROWS)).forEach((vector, row) =>
    writeSketch(vector, sketches.subarray(row * sketchBytesOf(DIMENSIONS))),
  );
  {
    using database = new Database(documentsDatabasePath(dataDirectory));
    change(database);
  }
  const reader = openVectorReader({ dataDirectory, dimensions: DIMENSIONS });
  readers.push({ [Symbol.dispose]: () => reader.close() });
  const inStore = new VectorMatrix(DIMENSIONS, exactLimit);
  const chunkIds = Float64Array.from({ length: ROWS }, (_, row) => row + 1);
  const saved = new SavedVectors(reader, chunkIds, inStore.stride);
  inStore.adopt(saved);
  inStore.appendSketches(sketches);
  inStore.append(quantised(vectors.slice(ROWS)));
  return { inStore, inMemory, saved };
}

const nearest = (matrix: VectorMatrix, start = 0, end = vectors.length, dead = nobody) =>
  finish(matrix.nearest(matrix.quantise(query), [{ start, end }], dead, 20));

for (const [kind, exactLimit] of [
  ["compared exactly", 1e6],
  ["sieved", 10],
] as const) {
  test(`${kind}: the same before, while and after they are taken into memory`, async () => {
    const { inStore, inMemory, saved } = await matrices(() => {}, exactLimit);
    const dead = nobody.slice().fill(1, 100, 200);
    for (let steps = 0; ; steps++) {
      for (const [start, end] of [
        [0, vectors.length],
        [50, 300],
        [STEP - 10, STEP + 10],
        [ROWS - 5, ROWS + 50],
      ] as const)
        expect(nearest(inStore, start, end, dead)).toEqual(nearest(inMemory, start, end, dead));
      expect(saved.resident.rows).toBe(Math.min(steps * STEP, ROWS));
      if (!inStore.takeNext()) break;
    }
    expect(inStore.bytes).toBe(inMemory.bytes);
  });
}

test("a chunk that is deleted meanwhile is found no more, and no damage", async () => {
  const { inStore, inMemory } = await matrices((database) => database.run("DELETE FROM vectors WHERE chunkId = 8"));
  const others = nobody.slice().fill(1, 7, 8);
  expect(nearest(inStore, 0, 20)).toEqual(nearest(inMemory, 0, 20, others));
  while (inStore.takeNext());
  expect(nearest(inStore, 0, ROWS)).toEqual(nearest(inMemory, 0, ROWS, others));
});

const changes: [name: string, change: (stored: Uint8Array) => void][] = [
  ...[0x01, 0x40, 0x80].map((mask): (typeof changes)[number] => [
    `bit ${mask} of a component changes`,
    (stored) => void (stored[300]! ^= mask),
  ]),
  ["another vector lies in its place", (stored) => void stored.set(stored.slice(1, 301), 300)],
];
test.each(changes)("where %s, the row is not compared, and what is saved is not used", async (_, change) => {
  const { inStore } = await matrices((database) => {
    const { vector } = database
      .query<{ vector: Uint8Array }, []>("SELECT vector FROM vectors WHERE chunkId = 8")
      .get()!;
    change(vector);
    database.run("UPDATE vectors SET vector = ? WHERE chunkId = 8", [vector]);
  });
  expect(() => nearest(inStore, 0, 20)).toThrow(DamagedVectors);
  expect(nearest(inStore, 0, 7)).toHaveLength(7);
  expect(() => inStore.takeNext()).toThrow(DamagedVectors);
});
