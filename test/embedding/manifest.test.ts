/** The manifest's checks: each wrong field is named, with what it should be. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { LecternError } from "../../src/foundation/errors.ts";
import { parseManifest } from "../../src/embedding/manifest.ts";

const hash = "0".repeat(64);
const valid = {
  name: "multilingual-e5-small",
  version: "1.0",
  dimensions: 384,
  maxTokens: 512,
  pooling: "mean",
  normalise: true,
  queryPrefix: "query: ",
  passagePrefix: "passage: ",
  inputs: { inputIds: "input_ids", attentionMask: "attention_mask", tokenTypeIds: null, positionIds: null },
  output: "last_hidden_state",
  leadWeighted: true,
  padding: { side: "right", tokenId: 1 },
  files: { "model.onnx": hash, "tokenizer.json": hash, "token-weights.bin": hash },
  calibration: [
    [-1, 0],
    [0.7, 0.5],
    [1, 1],
  ],
  licence: "MIT",
  search: {
    mode: "hybrid",
    denseWeight: 0.3,
    tokenWeights: "token-weights.bin",
    calibration: [
      [0, 0],
      [1, 1],
    ],
  },
  languages: ["eng"],
};

test("a full manifest is read as it is", () => {
  expect(parseManifest(JSON.stringify(valid), "m") as unknown).toEqual(valid);
});

test("prefixes, lead, padding, calibration, search and unused inputs may be left out", () => {
  const { queryPrefix, passagePrefix, leadWeighted, padding, calibration, search, ...rest } = valid;
  expect(parseManifest(JSON.stringify({ ...rest, inputs: { inputIds: "ids" } }), "m")).toMatchObject({
    queryPrefix: "",
    passagePrefix: "",
    leadWeighted: false,
    padding: { side: "right", tokenId: 0 },
    inputs: { inputIds: "ids", attentionMask: null, tokenTypeIds: null, positionIds: null },
    search: { mode: "vector", denseWeight: 0.5 },
  });
});

const wrong: Array<[Record<string, unknown>, RegExp]> = [
  [{ name: "../../etc" }, /"name" should be 1-64 letters/],
  [{ dimensions: 0 }, /"dimensions" should be an integer in 1-16384/],
  [{ maxTokens: 1.5 }, /"maxTokens" should be an integer/],
  [{ pooling: "max" }, /"pooling" should be one of "none", "mean", "cls", "last"/],
  [{ normalise: "yes" }, /"normalise" should be true or false/],
  [{ inputs: null }, /"inputs" should be an object/],
  [{ inputs: {} }, /"inputs.inputIds" should be a string/],
  [{ padding: { side: "top" } }, /"padding.side" should be one of "right", "left"/],
  [{ files: { "model.onnx": hash } }, /"files" should be an entry for tokenizer.json/],
  [{ files: { "../model.onnx": hash } }, /named by a plain file name/],
  [{ files: { "model.onnx": "abc", "tokenizer.json": hash } }, /"files.model.onnx" should be a SHA-256/],
  [{ calibration: [[0, 0]] }, /"calibration" should be at least two points/],
  [
    {
      calibration: [
        [0, 0.5],
        [0.5, 0.4],
      ],
    },
    /"calibration" should be/,
  ],
  [{ search: { mode: "words" } }, /"search.mode" should be one of "hybrid", "vector"/],
  [{ search: { denseWeight: 1.5 } }, /"search.denseWeight" should be a number in 0-1/],
  [{ search: { tokenWeights: "weights.bin" } }, /"search.tokenWeights" should be one of the names in "files"/],
  [{ search: { calibration: [[0, 0]] } }, /"search.calibration" should be at least two points/],
  [{ languages: "eng" }, /"languages" should be an array of strings/],
];

for (const [change, sentence] of wrong) {
  test(`${JSON.stringify(change).slice(0, 60)} is refused`, () => {
    expect(() => parseManifest(JSON.stringify({ ...valid, ...change }), "m")).toThrow(sentence);
  });
}

test("whatever else the file holds is refused with a sentence, never read", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(() => parseManifest(text, "m")).toThrow(LecternError);
    }),
  );
});
