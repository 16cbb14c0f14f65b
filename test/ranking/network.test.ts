/** The judgement: the layers are plain arithmetic, and scores keep their promises whatever the weights. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scoreMap } from "../../src/embedding/calibration.ts";
import {
  CHUNK_INPUTS,
  DATASET_INPUTS,
  MATCH_INPUTS,
  QUESTION_INPUTS,
  UNIT_INPUTS,
  type Inputs,
} from "../../src/ranking/inputs.ts";
import { judge, judgePlainly } from "../../src/ranking/network.ts";
import { MOST_UNITS } from "../../src/ranking/unit-vectors.ts";
import { parseWeights, readWeights } from "../../src/ranking/weights.ts";
import { failureOf } from "../harness.ts";

const file = join(import.meta.dir, "../../models/default/ranking.json");
const weights = await readWeights(file);
const share = fc.float({ min: 0, max: 1, noNaN: true });

const someInputs = fc
  .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: MOST_UNITS }), fc.infiniteStream(share))
  .map(([candidates, units, numbers]): Inputs => {
    const take = (length: number): Float32Array => Float32Array.from({ length }, () => numbers.next().value as number);
    return {
      candidates,
      units,
      matches: take(candidates * MOST_UNITS * MATCH_INPUTS),
      unitInputs: take(MOST_UNITS * UNIT_INPUTS),
      chunks: take(candidates * CHUNK_INPUTS),
      question: take(QUESTION_INPUTS),
      dataset: take(DATASET_INPUTS),
      isNamed: false,
    };
  });

describe.each([
  ["by the network", judge],
  ["by the plain sum", judgePlainly],
] as const)("%s", (_, order) => {
  test("every candidate comes once, by falling values, with scores in 0-1 that never rise; what is hardly ever right supports nothing", () => {
    fc.assert(
      fc.property(someInputs, (inputs) => {
        const judged = order(weights, inputs);
        expect(judged.map(({ candidate }) => candidate).sort((left, right) => left - right)).toEqual([
          ...Array(inputs.candidates).keys(),
        ]);
        judged.forEach(({ value, score, support }, rank) => {
          expect(Number.isFinite(value)).toBe(true);
          expect(support >= 0 && support <= 1).toBe(true);
          if (score < 0.1) expect(support).toBe(0);
          expect(score >= 0 && score <= 1).toBe(true);
          if (rank > 0) expect(value <= judged[rank - 1]!.value && score <= judged[rank - 1]!.score).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });

  test("the order in which candidates come makes no difference", () => {
    fc.assert(
      fc.property(
        someInputs.filter(({ candidates }) => candidates > 1),
        (inputs) => {
          const last = inputs.candidates - 1;
          const turned = (rows: Float32Array, width: number): Float32Array =>
            Float32Array.from(rows, (_, at) => rows[(last - Math.floor(at / width)) * width + (at % width)]!);
          const other = {
            ...inputs,
            matches: turned(inputs.matches, MOST_UNITS * MATCH_INPUTS),
            chunks: turned(inputs.chunks, CHUNK_INPUTS),
          };
          const values = new Map(order(weights, inputs).map(({ candidate, value }) => [candidate, value]));
          for (const { candidate, value } of order(weights, other))
            expect(value).toBeCloseTo(values.get(last - candidate)!, 3);
        },
      ),
      { numRuns: 30 },
    );
  });
});

test("scores follow the line through the points, level beyond its ends", () => {
  const levelAt = scoreMap([
    [-1, 0.1],
    [0, 0.5],
    [2, 0.9],
  ]);
  expect([-9, -1, -0.5, 0, 1, 2, 9].map((at) => Number(levelAt(at).toFixed(6)))).toEqual([
    0.1, 0.1, 0.3, 0.5, 0.7, 0.9, 0.9,
  ]);
});

describe("a file of weights that is not one is refused, and the sentence names the file", () => {
  const whole = JSON.parse(readFileSync(file, "utf8")) as {
    network: { single: { linear: { weights: number[][]; bias: number[] } } };
    confidence: { full: { calibration: number[][] } };
  };
  const changed = (change: (copy: typeof whole) => void): string => {
    const copy = structuredClone(whole);
    change(copy);
    return JSON.stringify(copy);
  };
  test.each<[title: string, json: string, says: string]>([
    ["not JSON", "{", "x.json"],
    ["nothing in it", "{}", "x.json"],
    ["a layer that lacks a number", changed(({ network }) => network.single.linear.weights[0]!.pop()), "inputs"],
    [
      "a number that is none",
      changed(({ network }) => (network.single.linear.bias[0] = null as unknown as number)),
      "number",
    ],
    ["a calibration that falls", changed(({ confidence }) => confidence.full.calibration.reverse()), "calibration"],
  ])("%s", (_, json, says) => {
    let message = "";
    try {
      parseWeights(json, "x.json");
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain("x.json");
    expect(message).toContain(says);
  });

  test("a file that is not there", async () => {
    expect((await failureOf(readWeights("/nowhere/ranking.json"))).message).toContain("/nowhere/ranking.json");
  });
});
