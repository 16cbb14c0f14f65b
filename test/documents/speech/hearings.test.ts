/** Ways in which speech is heard once more. */
import { expect, test } from "bun:test";
import { emphasised, slowed } from "../../../src/documents/speech/hearings.ts";

const RATE = 16_000;

function tone(hertz: number): Float32Array {
  return Float32Array.from({ length: RATE }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / RATE));
}

const power = (samples: Float32Array): number =>
  samples.reduce((sum, value) => sum + value * value, 0) / samples.length;

/** Times that it passes through zero upwards. */
const periods = (samples: Float32Array): number =>
  samples.reduce((count, value, index) => count + (index > 0 && samples[index - 1]! < 0 && value >= 0 ? 1 : 0), 0);

test("high sounds are emphasised over low ones", () => {
  const gain = (hertz: number) => power(emphasised(tone(hertz))) / power(tone(hertz));
  expect(gain(4000)).toBeGreaterThan(10 * gain(200));
});

test("slower is longer and lower, and as loud", () => {
  const slow = slowed(tone(440));
  expect(slow.length).toBe(1.1 * RATE);
  expect(Math.abs(periods(slow) - 440)).toBeLessThanOrEqual(1);
  expect(power(slow)).toBeCloseTo(0.5, 1);
});

test("nothing is heard of nothing", () => {
  expect(emphasised(new Float32Array(0))).toHaveLength(0);
  expect(slowed(new Float32Array(0))).toHaveLength(0);
});
