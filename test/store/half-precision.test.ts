/** Half precision keeps a unit vector's direction. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeHalfInto, encodeHalf } from "../../src/store/half-precision.ts";

test("a unit vector comes back with a cosine of at least 0.9999", () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 16, maxLength: 16 }),
      (components) => {
        const length = Math.hypot(...components);
        fc.pre(length > 0.01);
        const vector = Float32Array.from(components, (component) => component / length);
        const target = new Float32Array(20);
        decodeHalfInto(target, 4, encodeHalf(vector), 16);
        const back = target.subarray(4);
        const dot = vector.reduce((sum, component, i) => sum + component * back[i]!, 0);
        expect(dot / Math.hypot(...back)).toBeGreaterThan(0.9999);
        expect([...target.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
      },
    ),
  );
});

test("bytes at an odd address are read all the same", () => {
  const bytes = new Uint8Array(9);
  bytes.set(encodeHalf(new Float32Array([1, 0.5, -2, 0])), 1);
  const target = new Float32Array(4);
  decodeHalfInto(target, 0, bytes.subarray(1), 4);
  expect([...target]).toEqual([1, 0.5, -2, 0]);
});

test("a vector of other dimensions is refused", () => {
  expect(() => decodeHalfInto(new Float32Array(8), 0, encodeHalf(new Float32Array(4)), 8)).toThrow(RangeError);
});

for (const unfit of [NaN, Infinity, -Infinity, 70_000])
  test(`a vector that holds ${unfit} is refused`, () => {
    expect(() => encodeHalf(new Float32Array([0, unfit]))).toThrow(`A vector holds ${unfit} `);
  });
