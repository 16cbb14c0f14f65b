/** Vectors as they are stored: ten bits a component keep a unit vector's direction, and half precision is still read. */
import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import fc from "fast-check";
import { dotProduct } from "../../src/foundation/dot-product.ts";
import { compactDocuments } from "../../src/store/compact.ts";
import { documentsDatabasePath } from "../../src/store/database.ts";
import { openVectorReader } from "../../src/store/index.ts";
import { decodeVectorInto, encodeAnew, encodeVector, storedBytesOf } from "../../src/store/stored-vector.ts";
import { leaveInHalfPrecision } from "./earlier-schemas.ts";
import { add, cleanUp, DIMENSIONS, emptyStore, sampleFile } from "./samples.ts";

afterEach(cleanUp);

const halves = (...components: number[]): Uint8Array => new Uint8Array(new Float16Array(components).buffer);

function decoded(stored: Uint8Array, dimensions: number): Float32Array {
  const target = new Float32Array(dimensions);
  decodeVectorInto(target, 0, stored, dimensions);
  return target;
}

test("every component comes back within half a step of the largest's 511 steps", () => {
  const component = fc.float({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 33 }), fc.boolean(), (components, isHalf) => {
      const vector = isHalf ? new Float16Array(components) : new Float32Array(components);
      const largest = Math.max(...vector.map(Math.abs));
      const stored = encodeVector(vector);
      expect(stored.byteLength).toBe(storedBytesOf(components.length));
      decoded(stored, components.length).forEach((value, at) =>
        expect(Math.abs(value - vector[at]!)).toBeLessThanOrEqual((largest / 511) * 0.501 + 1e-40),
      );
    }),
  );
});

test("cosines of unit vectors of 1536 dimensions move by less than 0.0003, in 1,925 bytes", () => {
  const vectors = Array.from({ length: 60 }, (_, seed) => pseudoRandomUnit(seed + 1));
  for (const left of vectors)
    for (const right of vectors) {
      const stored = encodeVector(right);
      expect(stored.byteLength).toBe(1925);
      expect(Math.abs(dotProduct(left, decoded(stored, 1536)) - dotProduct(left, right))).toBeLessThan(0.0003);
    }
});

test("what is encoded again stays as it is, byte for byte", () => {
  const stored = encodeVector(pseudoRandomUnit(5));
  expect(encodeVector(decoded(stored, 1536))).toEqual(stored);
});

test("nothing around the target is touched, and bytes at an odd address are read", () => {
  const target = new Float32Array(6).fill(9);
  decodeVectorInto(target, 1, halves(1, 0.5, -2, 0), 4);
  expect([...target]).toEqual([9, 1, 0.5, -2, 0, 9]);
  const shifted = new Uint8Array(9);
  shifted.set(halves(1, 0.5, -2, 0), 1);
  expect([...decoded(shifted.subarray(1), 4)]).toEqual([1, 0.5, -2, 0]);
  const stored = encodeVector(Float32Array.of(0.25, -1, 0, 1));
  const moved = new Uint8Array(stored.byteLength + 1);
  moved.set(stored, 1);
  expect(decoded(moved.subarray(1), 4)).toEqual(decoded(stored, 4));
});

test("a vector of zeros stays one", () => {
  expect([...decoded(encodeVector(new Float32Array(5)), 5)]).toEqual([0, 0, 0, 0, 0]);
});

test("no stored vector has the bytes of one in half precision", () => {
  for (let dimensions = 1; dimensions < 100; dimensions++) expect(storedBytesOf(dimensions) % 2).toBe(1);
});

test("a vector of other dimensions is refused", () => {
  for (const stored of [encodeVector(new Float32Array(4)), halves(1, 0, 0, 0), new Uint8Array(0)])
    expect(() => decodeVectorInto(new Float32Array(8), 0, stored, 8)).toThrow("does not have 8 dimensions");
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
  const earlier = storedVectors(dataDirectory);
  expect(earlier.map(({ byteLength }) => byteLength)).toEqual([8, 8]);

  const reopened = await emptyStore({ dataDirectory });
  const { datasetId, matrix } = readAll(dataDirectory);
  expect(matrix.map((value) => Math.round(value * 100) / 100)).toEqual([0.6, -0.8, 0, 0, 0.5, 0.5, 0.5, -0.5]);
  await add(reopened.store, [sampleFile({ chunkCount: 1 })]);
  await reopened.store.close();
  expect(storedVectors(dataDirectory).map(({ byteLength }) => byteLength)).toEqual([8, 8, 9]);

  compactDocuments(dataDirectory);
  expect(storedVectors(dataDirectory).map(({ byteLength }) => byteLength)).toEqual([9, 9, 9]);
  expect(storedVectors(dataDirectory).slice(0, 2)).toEqual(earlier.map(encodeAnew));
  expect(present.map(({ byteLength }) => byteLength)).toEqual([9, 9]);
  expect(readAll(dataDirectory).datasetId).toBe(datasetId);
});

function storedVectors(dataDirectory: string): Uint8Array[] {
  using database = new Database(documentsDatabasePath(dataDirectory), { readonly: true });
  return database
    .query<{ vector: Uint8Array }, []>("SELECT vector FROM vectors ORDER BY chunkId")
    .all()
    .map(({ vector }) => vector);
}

/** Every vector of the only dataset, one behind the other. */
function readAll(dataDirectory: string): { datasetId: number; matrix: number[] } {
  using database = new Database(documentsDatabasePath(dataDirectory), { readonly: true });
  const { id } = database.query<{ id: number }, []>("SELECT id FROM datasets").get()!;
  const reader = openVectorReader({ dataDirectory, dimensions: DIMENSIONS });
  try {
    return { datasetId: id, matrix: [...reader.page(id, 0, 100).matrix] };
  } finally {
    reader.close();
  }
}

function pseudoRandomUnit(seed: number): Float32Array {
  let state = seed;
  const vector = Float32Array.from({ length: 1536 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}
