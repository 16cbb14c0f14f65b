/** Model folders with a graph of a few rows: each token's vector is its row of a table, plus its position when asked. */

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelManifest } from "../../src/embedding/index.ts";
import type { FamilyTokenizer } from "./family-tokenizers.ts";
import {
  elementTypes,
  externalFloats,
  floats,
  integers,
  node,
  onnxModel,
  port,
  rawTensor,
  type Message,
} from "./onnx-writer.ts";

export const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "blue", "rock", "sea", "query", ":"];
export const dimensions = 4;

/** Row of each word: any numbers that tell the words apart. */
export const rowOf = (word: string): number[] => rowOfId(words.indexOf(word));

export function rowOfId(id: number): number[] {
  return Array.from({ length: dimensions }, (_, axis) => Math.sin(1 + id * 3 + axis * 5));
}

/** As exporters write them: single precision, half, bytes with one scale, or single precision in a file of its own. */
export type Weights = "float" | "float16" | "int8" | "external";

/** One step of the int8 table. */
const INT8_SCALE = 1 / 127;

/** What a number of the table is worth after it was kept so. */
export function keptAs(weights: Weights, value: number): number {
  if (weights === "int8") return Math.round(value / INT8_SCALE) * INT8_SCALE;
  return weights === "float16" ? (Float16Array.of(value)[0] as number) : value;
}

export interface TinyModel {
  readonly pooling: ModelManifest["pooling"];
  readonly inputType?: "int32" | "int64";
  readonly outputType?: "float" | "float16";
  /** Adds each token's position id to its row, so that a test sees what positions the graph was given. */
  readonly positions?: boolean;
  readonly tokenTypes?: boolean;
  /** How the table lies in the files: in the graph as a rule. */
  readonly weights?: Weights;
  /** Instead of whole words. */
  readonly tokenizer?: FamilyTokenizer;
  readonly manifest?: Partial<ModelManifest>;
}

/** Writes a model folder and returns it. With pooling "none" the graph itself sums the rows and leaves their length. */
export function writeTinyModel(model: TinyModel, folder = mkdtempSync(join(tmpdir(), "lectern-model-"))): string {
  mkdirSync(folder, { recursive: true });
  const files: Record<string, Uint8Array> = {
    "model.onnx": tinyGraph(model),
    "tokenizer.json": new TextEncoder().encode(model.tokenizer?.json ?? tokenizer()),
  };
  // Not at the file's beginning, so that the offset counts.
  if (model.weights === "external")
    files[EXTERNAL_FILE] = new Uint8Array(Buffer.concat([new Uint8Array(EXTERNAL_OFFSET), bytesOf(table(model))]));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const manifest: ModelManifest = {
    name: "tiny",
    version: "1",
    dimensions,
    maxTokens: 8,
    pooling: model.pooling,
    normalise: true,
    leadWeighted: false,
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
    files: Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, new Bun.CryptoHasher("sha256").update(bytes).digest("hex")]),
    ),
    licence: "Apache-2.0",
    languages: ["eng"],
    ...model.manifest,
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}

const EXTERNAL_FILE = "model.onnx_data";
const EXTERNAL_OFFSET = 64;

const sizeOf = ({ tokenizer }: TinyModel): number => tokenizer?.pieces.length ?? words.length;
const table = (model: TinyModel): Float32Array =>
  Float32Array.from(Array.from({ length: sizeOf(model) }, (_, id) => rowOfId(id)).flat());
const bytesOf = (values: Float32Array | Float16Array | Int8Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** The table as a constant, and the nodes that make single precision of the rows taken from it. */
function weightsOf(model: TinyModel): { constants: Message[]; nodes: Message[] } {
  const shape = [sizeOf(model), dimensions];
  const values = table(model);
  switch (model.weights ?? "float") {
    case "float":
      return { constants: [floats("table", shape, values)], nodes: [node("Identity", ["taken"], ["rows"])] };
    case "external":
      return {
        constants: [externalFloats("table", shape, EXTERNAL_FILE, EXTERNAL_OFFSET, values.byteLength)],
        nodes: [node("Identity", ["taken"], ["rows"])],
      };
    case "float16":
      return {
        constants: [rawTensor("table", "float16", shape, bytesOf(new Float16Array(values)))],
        nodes: [node("Cast", ["taken"], ["rows"], { to: elementTypes.float })],
      };
    case "int8":
      return {
        constants: [
          rawTensor("table", "int8", shape, bytesOf(Int8Array.from(values, (value) => Math.round(value / INT8_SCALE)))),
          floats("scale", [], Float32Array.of(INT8_SCALE)),
        ],
        nodes: [node("DequantizeLinear", ["taken", "scale"], ["rows"])],
      };
  }
}

function tinyGraph(model: TinyModel): Uint8Array {
  const { pooling, inputType = "int64", outputType = "float", positions, tokenTypes } = model;
  const weights = weightsOf(model);
  const extra = [...(positions ? ["position_ids"] : []), ...(tokenTypes ? ["token_type_ids"] : [])];
  const nodes = [
    node("Gather", ["table", "input_ids"], ["taken"], { axis: 0 }),
    ...weights.nodes,
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
    constants: [...weights.constants, integers("one", [1n]), integers("two", [2n])],
    inputs: ["input_ids", "attention_mask", ...extra].map((name) => port(name, inputType, shape)),
    outputs: [port("out", outputType, pooling === "none" ? ["batch", dimensions] : ["batch", "tokens", dimensions])],
  });
}

/** A BERT-like tokenizer: whole words, [CLS] before and [SEP] behind; its own cutting and padding must be ignored. */
function tokenizer(): string {
  const special = words.slice(0, 4).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return JSON.stringify({
    version: "1.0",
    truncation: { max_length: 3, strategy: "LongestFirst", stride: 0, direction: "Right" },
    padding: {
      strategy: { Fixed: 20 },
      direction: "Right",
      pad_to_multiple_of: null,
      pad_id: 0,
      pad_type_id: 0,
      pad_token: "[PAD]",
    },
    added_tokens: special,
    normalizer: { type: "Lowercase" },
    pre_tokenizer: { type: "Whitespace" },
    post_processor: {
      type: "TemplateProcessing",
      single: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
      ],
      pair: [{ Sequence: { id: "A", type_id: 0 } }, { Sequence: { id: "B", type_id: 1 } }],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
      },
    },
    decoder: null,
    model: { type: "WordLevel", vocab: Object.fromEntries(words.map((word, id) => [word, id])), unk_token: "[UNK]" },
  });
}
