/** Any sentence embedder works by its manifest alone: the expected vectors are computed here from the tables' rows. */

import { afterEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEmbedder, openTokenCounter, type Embedder, type ModelManifest } from "../../src/embedding/index.ts";
import { rowOf, writeTinyModel, type TinyModel } from "./tiny-model.ts";

const opened: Array<{ embedder?: Embedder; folder: string }> = [];

afterEach(async () => {
  for (const { embedder, folder } of opened.splice(0)) {
    await embedder?.close();
    rmSync(folder, { recursive: true });
  }
});

async function open(model: TinyModel): Promise<Embedder> {
  const folder = writeTinyModel(model);
  const entry: { embedder?: Embedder; folder: string } = { folder };
  opened.push(entry);
  entry.embedder = await openEmbedder({ modelDirectory: folder, threads: 1, maxQueuedTexts: 100 });
  return entry.embedder;
}

const add = (...rows: number[][]) =>
  (rows[0] as number[]).map((_, axis) => rows.reduce((sum, row) => sum + (row[axis] as number), 0));
const unit = (vector: number[]) => vector.map((value) => value / Math.hypot(...vector));
const rows = (...tokens: string[]) => tokens.map(rowOf);

async function expectVectors(
  embedder: Embedder,
  expected: Record<string, number[]>,
  kind: "query" | "passage" = "passage",
  digits = 5,
) {
  const vectors = await embedder.embed(Object.keys(expected), kind, "upload");
  Object.values(expected).forEach((vector, at) => {
    unit(vector).forEach((value, axis) => expect(vectors[at]?.[axis]).toBeCloseTo(value, digits));
  });
}

test("mean pooling averages the tokens, special ones included and padding left out", async () => {
  await expectVectors(await open({ pooling: "mean" }), {
    "red rock": add(...rows("[CLS]", "red", "rock", "[SEP]")),
    sea: add(...rows("[CLS]", "sea", "[SEP]")),
  });
});

test("cls pooling takes the first token", async () => {
  const embedder = await open({ pooling: "cls", positions: true });
  await expectVectors(embedder, { "red rock": rowOf("[CLS]"), sea: rowOf("[CLS]") });
});

for (const side of ["right", "left"] as const) {
  test(`last pooling takes the last token, with padding on the ${side}`, async () => {
    const embedder = await open({ pooling: "last", positions: true, manifest: { padding: { side, tokenId: 0 } } });
    const at = (position: number) => rowOf("[SEP]").map((value) => value + position);
    await expectVectors(embedder, { "red green blue": at(4), sea: at(2) });
  });
}

test("a graph that pools itself is only brought to unit length", async () => {
  await expectVectors(await open({ pooling: "none" }), { "green sea": add(...rows("[CLS]", "green", "sea", "[SEP]")) });
});

test("queries and passages get their prefixes", async () => {
  const embedder = await open({ pooling: "mean", manifest: { queryPrefix: "query : " } });
  await expectVectors(embedder, { sea: add(...rows("[CLS]", "query", ":", "sea", "[SEP]")) }, "query");
  await expectVectors(embedder, { sea: add(...rows("[CLS]", "sea", "[SEP]")) }, "passage");
});

test("a text beyond maxTokens is cut, and the closing special token stays", async () => {
  const embedder = await open({ pooling: "mean", manifest: { maxTokens: 8 } });
  const cut = add(...rows("[CLS]", "red", "red", "red", "red", "red", "red", "[SEP]"));
  await expectVectors(embedder, { [`red red red red red red ${"sea ".repeat(5000)}`]: cut });
});

test("32-bit inputs, token types and half-precision outputs are understood", async () => {
  const embedder = await open({ pooling: "mean", inputType: "int32", outputType: "float16", tokenTypes: true });
  await expectVectors(embedder, { blue: add(...rows("[CLS]", "blue", "[SEP]")) }, "passage", 2);
});

test("the token counter ignores special tokens, cutting and padding, and leaves room for them", async () => {
  const folder = writeTinyModel({ pooling: "mean", manifest: { passagePrefix: "query : " } });
  opened.push({ folder });
  const counter = await openTokenCounter({ modelDirectory: folder });
  expect(await counter.offsets("red green  blue sea rock")).toEqual([
    [0, 3],
    [4, 9],
    [11, 15],
    [16, 19],
    [20, 24],
  ]);
  expect(counter.maxTokens).toBe(8 - 2 - 2);
});

const unusable: Array<[string, Partial<TinyModel> & { manifest?: Partial<ModelManifest> }, RegExp]> = [
  [
    "an input that the graph lacks",
    {
      manifest: {
        inputs: { inputIds: "tokens", attentionMask: "attention_mask", tokenTypeIds: null, positionIds: null },
      },
    },
    /no input "tokens"; it has input_ids, attention_mask/,
  ],
  [
    "an input that the manifest forgets",
    { manifest: { inputs: { inputIds: "input_ids", attentionMask: null, tokenTypeIds: null, positionIds: null } } },
    /needs an input "attention_mask"/,
  ],
  ["an output that the graph lacks", { manifest: { output: "embedding" } }, /no output "embedding"; it has out/],
  [
    "the wrong number of dimensions",
    { manifest: { dimensions: 8 } },
    /has the shape \[1, 3, 4\] where the manifest promises \[1, 3, 8\]/,
  ],
  ["vectors that are not of unit length", { manifest: { normalise: false } }, /should say "normalise": true/],
];

for (const [what, model, sentence] of unusable) {
  test(`a model with ${what} is refused when it is opened`, async () => {
    expect(await open({ pooling: "mean", ...model }).catch((error: Error) => error.message)).toMatch(sentence);
  });
}

test("a changed file, a broken graph and a missing manifest are refused, each by its own sentence", async () => {
  const open = (folder: string) =>
    openEmbedder({ modelDirectory: folder, threads: 1, maxQueuedTexts: 10 }).catch((error: Error) => error.message);
  const folder = writeTinyModel({ pooling: "mean" });
  opened.push({ folder });
  writeFileSync(join(folder, "model.onnx"), "not a graph");
  expect(await open(folder)).toMatch(/model\.onnx is damaged or of another version/);
  const hash = new Bun.CryptoHasher("sha256").update("not a graph").digest("hex");
  const manifest = (await Bun.file(join(folder, "manifest.json")).json()) as ModelManifest;
  writeFileSync(
    join(folder, "manifest.json"),
    JSON.stringify({ ...manifest, files: { ...manifest.files, "model.onnx": hash } }),
  );
  expect(await open(folder)).toMatch(/cannot be used/);
  rmSync(join(folder, "manifest.json"));
  expect(await open(folder)).toMatch(/has no readable manifest\.json/);
});
