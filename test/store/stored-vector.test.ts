/** Vectors as they are stored: int8 keeps a unit vector's direction, and half precision is still read. */
import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import fc from "fast-check";
import { compactDocuments } from "../../src/store/compact.ts";
import { documentsDatabasePath } from "../../src/store/database.ts";
import { openVectorReader } from "../../src/store/index.ts";
import { decodeVector, encodeAnew, encodeVector, storedBytesOf } from "../../src/store/stored-vector.ts";
import { unitVectors } from "../search/vectors/vectors.ts";
import { leaveInHalfPrecision } from "./earlier-schemas.ts";
import { add, cleanUp, DIMENSIONS, emptyStore, sampleFile } from "./samples.ts";

afterEach(cleanUp);

const halves = (...components: number[]): Uint8Array => new Uint8Array(new Float16Array(components).buffer);

test("every component comes back within half a step of the largest's 127 steps", () => {
  const component = fc.float({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 33 }), fc.boolean(), (components, isHalf) => {
      const vector = isHalf ? new Float16Array(components) : new Float32Array(components);
      const step = Math.max(...vector.map(Math.abs)) / 127;
      const stored = encodeVector(vector);
      expect(stored.byteLength).toBe(storedBytesOf(components.length));
      decodeVector(stored, components.length).forEach((level, at) =>
        expect(Math.abs(level * step - vector[at]!)).toBeLessThanOrEqual(step * 0.501),
      );
    }),
  );
});

test("cosines of unit vectors of 1536 dimensions move by less than 0.001, in 1,537 bytes", () => {
  const vectors = unitVectors(60, 1536, 3);
  const cosine = (left: ArrayLike<number>, right: ArrayLike<number>): number => {
    const product = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
      Array.from(one).reduce((sum, value, at) => sum + value * other[at]!, 0);
    return product(left, right) / Math.sqrt(product(left, left) * product(right, right));
  };
  for (const left of vectors.slice(0, 10))
    for (const right of vectors) {
      const stored = encodeVector(right);
      expect(stored.byteLength).toBe(1537);
      expect(Math.abs(cosine(left, decodeVector(stored, 1536)) - cosine(left, right))).toBeLessThan(0.001);
    }
});

test("bytes at an odd address are read all the same", () => {
  const shifted = new Uint8Array(9);
  shifted.set(halves(1, 0.5, -2, 0), 1);
  expect([...decodeVector(shifted.subarray(1), 4)]).toEqual([64, 32, -127, 0]);
  shifted.set(encodeVector(Float32Array.of(0.25, -1, 0, 1)), 3);
  expect([...decodeVector(shifted.subarray(3, 8), 4)]).toEqual([32, -127, 0, 127]);
});

test("a vector of zeros stays one", () => {
  expect([...decodeVector(encodeVector(new Float32Array(5)), 5)]).toEqual([0, 0, 0, 0, 0]);
});

test("no stored vector has the bytes of one in half precision", () => {
  for (let dimensions = 1; dimensions < 100; dimensions++) expect(storedBytesOf(dimensions) % 2).toBe(1);
});

test("a vector of other dimensions is refused", () => {
  for (const stored of [encodeVector(new Float32Array(4)), halves(1, 0, 0, 0), new Uint8Array(0)])
    expect(() => decodeVector(stored, 8)).toThrow("does not have 8 dimensions");
});

for (const unfit of [NaN, Infinity, -Infinity])
  test(`a vector that holds ${unfit} is refused`, () => {
    for (const vector of [Float32Array.of(0, unfit, 1), Float16Array.of(unfit, 1, 0)])
      expect(() => encodeVector(vector)).toThrow("no finite number");
  });

test("vectors that an earlier version stored are read as they are, and take the present form by compacting", async () => {
  const { store, dataDirectory } = await emptyStore();
  await add(store, [sampleFile({ vectors: [Float32Array.of(0.6, -0.8, 0, 0), Float32Array.of(0.5, 0.5, 0.5, -0.5)] })]);
  await store.close();
  const present = storedVectors(dataDirectory);
  leaveInHalfPrecision(dataDirectory);
  const bytes = () => storedVectors(dataDirectory).map(({ byteLength }) => byteLength);
  expect(bytes()).toEqual([8, 8]);

  const reopened = await emptyStore({ dataDirectory });
  const read = [
    [95, -127, 0, 0],
    [127, 127, 127, -127],
  ];
  expect(readAll(dataDirectory)).toEqual(read);
  await add(reopened.store, [sampleFile({ chunkCount: 1 })]);
  await reopened.store.close();
  const earlier = storedVectors(dataDirectory);
  expect(bytes()).toEqual([8, 8, 5]);

  compactDocuments(dataDirectory);
  expect(bytes()).toEqual([5, 5, 5]);
  expect(storedVectors(dataDirectory).slice(0, 2)).toEqual(earlier.slice(0, 2).map(encodeAnew));
  expect(storedVectors(dataDirectory).slice(0, 2)).toEqual(present);
  expect(readAll(dataDirectory).slice(0, 2)).toEqual(read);
});

function storedVectors(dataDirectory: string): Uint8Array[] {
  using database = new Database(documentsDatabasePath(dataDirectory), { readonly: true });
  return database
    .query<{ vector: Uint8Array }, []>("SELECT vector FROM vectors ORDER BY chunkId")
    .all()
    .map(({ vector }) => vector);
}

/** Every vector of the only dataset. */
function readAll(dataDirectory: string): number[][] {
  using database = new Database(documentsDatabasePath(dataDirectory), { readonly: true });
  const { id } = database.query<{ id: number }, []>("SELECT id FROM datasets").get()!;
  const reader = openVectorReader({ dataDirectory, dimensions: DIMENSIONS });
  try {
    return reader.page(id, 0, 100).vectors.map((vector) => [...vector]);
  } finally {
    reader.close();
  }
}
