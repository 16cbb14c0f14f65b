/** Steady noise is found in speech, and taken out of it. */
import { describe, expect, test } from "bun:test";
import { hearingsFor, slowed } from "../../../src/documents/speech/hearings.ts";
import { NoisySpeech } from "../../../src/documents/speech/noise-reduction.ts";
import { Random } from "../../../bench/random.ts";

const RATE = 16_000;
const SECONDS = 4;

/** Half a second of three tones, half a second of nothing, and so on. */
const spoken = Float32Array.from({ length: SECONDS * RATE }, (_, at) =>
  at % RATE < RATE / 2
    ? [220, 660, 1540].reduce((sum, hertz) => sum + 0.1 * Math.sin((2 * Math.PI * hertz * at) / RATE), 0)
    : 0,
);

const powerOf = (samples: Float32Array): number =>
  samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length);

/** With white noise of so many decibels below it. */
function noisy(decibels: number): Float32Array {
  const random = new Random(5);
  const loudness = Math.sqrt(3 * powerOf(spoken) * 10 ** (-decibels / 10));
  return spoken.map((value) => value + (random.below(2001) / 1000 - 1) * loudness);
}

describe("noise", () => {
  test.each([5, 15, 25])("of %i dB is measured", (decibels) => {
    expect(new NoisySpeech(noisy(decibels)).signalToNoise).toBeWithin(decibels - 2, decibels + 2);
  });

  test("is taken out where nobody speaks, and speech stays", () => {
    const before = noisy(15);
    const after = new NoisySpeech(before).reduced();
    const [pause, speech] = [
      [2.6, 2.9],
      [2.1, 2.4],
    ].map(([from, to]) => [from! * RATE, to! * RATE] as const) as [
      readonly [number, number],
      readonly [number, number],
    ];
    expect(after).toHaveLength(before.length);
    expect(powerOf(after.subarray(...pause)) / powerOf(before.subarray(...pause))).toBeLessThan(0.05);
    expect(powerOf(after.subarray(...speech)) / powerOf(spoken.subarray(...speech))).toBeWithin(0.7, 1.1);
  });

  test("is not found in what has none, is silent or short", () => {
    expect(new NoisySpeech(spoken).signalToNoise).toBeGreaterThan(40);
    expect(
      Math.max(...new NoisySpeech(spoken).reduced().map((value, at) => Math.abs(value - spoken[at]!))),
    ).toBeLessThan(0.01);
    for (const length of [0, 1, 100, 5000]) {
      const reduced = new NoisySpeech(new Float32Array(length)).reduced();
      expect(reduced).toHaveLength(length);
      expect(reduced.every((value) => value === 0)).toBe(true);
    }
  });

  test("decides how speech is heard once more", () => {
    expect(hearingsFor(spoken)[1]).toBe(slowed);
    const heard = noisy(15);
    const [quietened, slow] = hearingsFor(heard).map((hearing) => hearing(heard));
    expect(quietened).toHaveLength(heard.length);
    expect(powerOf(quietened!.subarray(2.6 * RATE, 2.9 * RATE))).toBeLessThan(
      0.05 * powerOf(heard.subarray(2.6 * RATE, 2.9 * RATE)),
    );
    expect(slow).toHaveLength(Math.floor(heard.length * 1.1));
  });
});
