/** The built-in model's vectors, computed by its table, are those of its whole graph. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assemble } from "../../scripts/assemble.ts";
import type { ModelManifest } from "../../src/embedding/index.ts";
import { modelFolder, readManifest } from "../../src/embedding/model-folder.ts";
import { fieldsOf } from "../../src/embedding/onnx-file.ts";
import { tableGraphOf } from "../../src/embedding/table-graph.ts";
import type { TextModel } from "../../src/embedding/text-embedder.ts";
import { setNativeEnvironment } from "../../src/native/index.ts";

/** What the whole graph's own vectors differ by with the texts beside which they are computed. */
const LAST_DIGITS = 3e-6;

const folder = modelFolder(null);
const file = readFileSync(join(folder, "model.onnx"));

test("weighted-sum.wasm is what weighted-sum.wat says", async () => {
  const committed = readFileSync(join(import.meta.dir, "../../src/embedding/weighted-sum.wasm"));
  expect(committed.equals(Buffer.from(await assemble("src/embedding/weighted-sum")))).toBe(true);
});

describe("the vectors", () => {
  let manifest: ModelManifest;
  let whole: TextModel;
  let table: TextModel;
  beforeAll(async () => {
    await setNativeEnvironment();
    manifest = await readManifest(null);
    const { ModelSession } = await import("../../src/embedding/model-session.ts");
    const { TableModel } = await import("../../src/embedding/table-model.ts");
    whole = await ModelSession.load(folder, manifest, 1);
    table = (await TableModel.load(folder, manifest, 1))!;
  });
  afterAll(() => Promise.all([whole.release(), table.release()]));

  let state = 1;
  const tokens = (length: number, vocabulary = 64_000): number[] =>
    Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) % vocabulary);
  const cases: Array<[string, number[][]]> = [
    ["one token", [[300]]],
    ["a text without tokens, alone and among others", [[], [300, 301], []]],
    ["a token that occurs again and again", [[300, 300, 301, 300], Array.from({ length: 500 }, () => 300)]],
    ["texts of all lengths", Array.from({ length: 40 }, (_, index) => tokens(1 + index * 7))],
    ["more different tokens than are added up at a time", [tokens(1000), tokens(4096), tokens(257, 257)]],
    [
      "every token",
      Array.from({ length: 64 }, (_, index) => Array.from({ length: 1000 }, (_, at) => index * 1000 + at)),
    ],
  ];
  for (const [what, texts] of cases)
    test(`of ${what}`, async () => {
      const [found, expected] = [await table.embed(texts), await whole.embed(texts)];
      expect(found.length).toBe(texts.length * manifest.dimensions);
      expect(found.reduce((most, value, at) => Math.max(most, Math.abs(value - expected[at]!)), 0)).toBeLessThan(
        LAST_DIGITS,
      );
    });

  test("do not depend on what was embedded before", async () => {
    const first = await table.embed([[300, 301]]);
    await table.embed([tokens(4096)]);
    expect(await table.embed([[300, 301]])).toEqual(first);
  });
});

test("what is left to ONNX Runtime has none of the table, and one input", () => {
  const { parameters, rest } = tableGraphOf(file)!;
  expect(parameters.rows).toEqual({ location: "model.onnx.data", offset: 0, length: 49_152_000 });
  expect(parameters).toMatchObject({ firstFaded: 21, fade: -24, fading: Math.fround(0.73), least: Math.fround(0.27) });
  expect(Buffer.from(rest).includes("model.onnx.data")).toBe(false);
  expect(Buffer.from(rest).includes("input_ids")).toBe(false);
});

/** The file with the first occurrence of some bytes changed to others of the same length. */
function changed(from: string, to: string): Uint8Array {
  const copy = Buffer.from(file);
  copy.write(to, copy.indexOf(from), "latin1");
  return copy;
}
const others: Array<[string, Uint8Array]> = [
  ["with another operator", changed("Sqrt", "Sign")],
  ["with another zero point", changed("zero_pointJ\x04\x00\x00\x00\x41", "zero_pointJ\x04\x00\x00\x00\x40")],
  ["with another constant's name", changed("fifteen", "sixteen")],
  ["without operators", new Uint8Array()],
];
for (const [what, bytes] of others)
  test(`a graph ${what} is another model's`, () => {
    expect(tableGraphOf(bytes)).toBeNull();
  });

test("what is no graph is told", () => {
  expect(() => fieldsOf(new Uint8Array([0x0a, 0x7f, 1]))).toThrow(RangeError);
  expect(() => fieldsOf(new Uint8Array([0xff]))).toThrow(RangeError);
  expect(() => fieldsOf(new Uint8Array([0x0f]))).toThrow(RangeError);
});
