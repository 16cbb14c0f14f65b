/** Model folders with a graph of a few rows: each token's vector is its row of a table, plus its position when asked. */

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelManifest } from "../../src/embedding/index.ts";
import { elementTypes, floats, integers, node, onnxModel, port } from "./onnx-writer.ts";

export const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "blue", "rock", "sea", "query", ":"];
export const dimensions = 4;

/** Row of each word: any numbers that tell the words apart. */
export function rowOf(word: string): number[] {
  const id = words.indexOf(word);
  return Array.from({ length: dimensions }, (_, axis) => Math.sin(1 + id * 3 + axis * 5));
}

export interface TinyModel {
  readonly pooling: ModelManifest["pooling"];
  readonly inputType?: "int32" | "int64";
  readonly outputType?: "float" | "float16";
  /** Adds each token's position id to its row, so that a test sees what positions the graph was given. */
  readonly positions?: boolean;
  readonly tokenTypes?: boolean;
  readonly manifest?: Partial<ModelManifest>;
}

/** Writes a model folder and returns it. With pooling "none" the graph itself sums the rows and leaves their length. */
export function writeTinyModel(model: TinyModel, folder = mkdtempSync(join(tmpdir(), "lectern-model-"))): string {
  mkdirSync(folder, { recursive: true });
  const files = { "model.onnx": tinyGraph(model), "tokenizer.json": new TextEncoder().encode(tokenizer()) };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const manifest: ModelManifest = {
    name: "tiny",
    version: "1",
    dimensions,
    maxTokens: 8,
    pooling: model.pooling,
    normalise: true,
    queryPrefix: "",
    passagePrefix: "",
    inputs: {
      inputIds: "input_ids",
      attentionMask: "attention_mask",
      tokenTypeIds: model.tokenTypes ? "token_type_ids" : null,
      positionIds: model.positions ? "position_ids" : null,
    },
    output: "out",
    padding: { side: "right", tokenId: 0 },
    search: { mode: "vector", denseWeight: 0.5 },
    files: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, new Bun.CryptoHasher("sha256").update(bytes).digest("hex")])),
    licence: "Apache-2.0",
    languages: ["eng"],
    ...model.manifest,
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}

function tinyGraph({ pooling, inputType = "int64", outputType = "float", positions, tokenTypes }: TinyModel): Uint8Array {
  const extra = [...(positions ? ["position_ids"] : []), ...(tokenTypes ? ["token_type_ids"] : [])];
  const nodes = [
    node("Gather", ["table", "input_ids"], ["rows"], { axis: 0 }),
    node("Cast", ["attention_mask"], ["mask"], { to: elementTypes.float }),
    node("Unsqueeze", ["mask", "two"], ["column"]),
    node("Mul", ["rows", "column"], ["tokens0"]),
    ...extra.flatMap((name, at) => [
      node("Cast", [name], [`${name}_f`], { to: elementTypes.float }),
      node("Unsqueeze", [`${name}_f`, "two"], [`${name}_c`]),
      node("Add", [`tokens${at}`, `${name}_c`], [`tokens${at + 1}`]),
    ]),
    pooling === "none"
      ? node("ReduceSum", [`tokens${extra.length}`, "one"], ["result"], { keepdims: 0 })
      : node("Identity", [`tokens${extra.length}`], ["result"]),
    node("Cast", ["result"], ["out"], { to: elementTypes[outputType] }),
  ];
  const shape = ["batch", "tokens"];
  return onnxModel({
    nodes,
    constants: [floats("table", [words.length, dimensions], Float32Array.from(words.flatMap(rowOf))), integers("one", [1n]), integers("two", [2n])],
    inputs: ["input_ids", "attention_mask", ...extra].map((name) => port(name, inputType, shape)),
    outputs: [port("out", outputType, pooling === "none" ? ["batch", dimensions] : ["batch", "tokens", dimensions])],
  });
}

/** A BERT-like tokenizer: whole words, [CLS] before and [SEP] behind; its own cutting and padding must be ignored. */
function tokenizer(): string {
  const special = words.slice(0, 4).map((content, id) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }));
  return JSON.stringify({
    version: "1.0",
    truncation: { max_length: 3, strategy: "LongestFirst", stride: 0, direction: "Right" },
    padding: { strategy: { Fixed: 20 }, direction: "Right", pad_to_multiple_of: null, pad_id: 0, pad_type_id: 0, pad_token: "[PAD]" },
    added_tokens: special,
    normalizer: { type: "Lowercase" },
    pre_tokenizer: { type: "Whitespace" },
    post_processor: {
      type: "TemplateProcessing",
      single: [{ SpecialToken: { id: "[CLS]", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }, { SpecialToken: { id: "[SEP]", type_id: 0 } }],
      pair: [{ Sequence: { id: "A", type_id: 0 } }, { Sequence: { id: "B", type_id: 1 } }],
      special_tokens: { "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] }, "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] } },
    },
    decoder: null,
    model: { type: "WordLevel", vocab: Object.fromEntries(words.map((word, id) => [word, id])), unk_token: "[UNK]" },
  });
}
