/** Models in the shape of Whisper that say what a test wants: which token follows depends on how many there are already. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BOOL, FLOAT, INT64, type Node, onnxFile, type Value } from "./onnx-writer.ts";

export const WORDS = [
  "Hello",
  "Ġworld",
  "!",
  "Ġagain",
  "Ġbrisk",
  "Ġumbrella",
  "Ġquartz",
  "Ġfjord",
  "Ġplinth",
  "Ġzephyr",
  "Ġmuffin",
  "Ġgalaxy",
  "Ġhÿmn",
  "Ã",
  "¼",
  "Ġoxide",
] as const;
const SPECIAL = [
  "<|endoftext|>",
  "<|startoftranscript|>",
  "<|en|>",
  "<|de|>",
  "<|translate|>",
  "<|transcribe|>",
  "<|startofprev|>",
  "<|nospeech|>",
  "<|notimestamps|>",
] as const;
const TIMES = 1501;
/** Tokens that a decoder can look back on. */
const POSITIONS = 512;
/** `<|startoftranscript|>`, the language, and the task. */
export const PROMPT = 3;

const pieces: string[] = [
  ...WORDS,
  ...SPECIAL,
  ...Array.from({ length: TIMES }, (_, index) => `<|${(index * 0.02).toFixed(2)}|>`),
];

export const idOf = (piece: (typeof WORDS)[number] | (typeof SPECIAL)[number]): number => pieces.indexOf(piece);
/** The token of a time in seconds. */
export const timeId = (seconds: number): number => WORDS.length + SPECIAL.length + Math.round(seconds / 0.02);
export const vocabulary: readonly string[] = pieces;

export type Form = "merged" | "two files" | "without a cache";

/** Of tokens that may follow when there are so many, how likely each is. */
export type Script = Readonly<Record<number, ReadonlyMap<number, number>>>;

/** These tokens one after the other, when there are `from`. */
export function saying(from: number, tokens: readonly number[]): Script {
  return Object.fromEntries(tokens.map((token, index) => [from + index, new Map([[token, 20]])]));
}

export function writeWhisper(folder: string, script: Script, form: Form = "merged"): void {
  mkdirSync(folder, { recursive: true });
  const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content);
  put(
    "tokenizer.json",
    JSON.stringify({
      model: { vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])) },
      added_tokens: pieces.slice(WORDS.length).map((content, index) => ({ id: WORDS.length + index, content })),
    }),
  );
  put(
    "config.json",
    JSON.stringify({ model_type: "whisper", d_model: 1, decoder_attention_heads: 1, num_mel_bins: 80 }),
  );
  put(
    "generation_config.json",
    JSON.stringify({
      suppress_tokens: [idOf("!")],
      lang_to_id: { "<|en|>": idOf("<|en|>"), "<|de|>": idOf("<|de|>") },
    }),
  );
  put("encoder_model.onnx", encoder());
  if (form === "merged")
    put("decoder_model_merged.onnx", decoder(script, { past: true, hidden: true, isMerged: true }));
  else if (form === "two files") {
    put("decoder_model.onnx", decoder(script, { past: false, hidden: true, isMerged: false }));
    put("decoder_with_past_model.onnx", decoder(script, { past: true, hidden: false, isMerged: false }));
  } else put("decoder_model.onnx", decoder(script, { past: false, hidden: true, isMerged: false }, false));
}

function encoder(): Uint8Array {
  return onnxFile({
    inputs: [{ name: "input_features", type: FLOAT, shape: ["batch", 80, 3000] }],
    outputs: [{ name: "last_hidden_state", type: FLOAT, shape: ["batch", 1, 1] }],
    constants: [],
    nodes: [
      {
        operator: "ReduceMean",
        inputs: ["input_features"],
        outputs: ["last_hidden_state"],
        attributes: [["axes", [1, 2]]],
      },
    ],
  });
}

interface Parts {
  readonly past: boolean;
  readonly hidden: boolean;
  readonly isMerged: boolean;
}

/** Its memory holds a number for each token; how many there are says which row of a table is the answer. */
function decoder(script: Script, { past, hidden, isMerged }: Parts, remembers = true): Uint8Array {
  const table = new Float32Array(POSITIONS * pieces.length).fill(0);
  for (const [position, likely] of Object.entries(script))
    for (const [token, logit] of likely) table[Number(position) * pieces.length + token] = logit;
  const memory: Value = { name: "past_key_values.0.decoder.key", type: FLOAT, shape: ["batch", 1, "past", 1] };
  const inputs: Value[] = [
    { name: "input_ids", type: INT64, shape: ["batch", "length"] },
    ...(hidden ? [{ name: "encoder_hidden_states", type: FLOAT, shape: ["batch", 1, 1] }] : []),
    ...(past ? [memory] : []),
    ...(isMerged ? [{ name: "use_cache_branch", type: BOOL, shape: [1] }] : []),
  ];
  const nodes: Node[] = [
    { operator: "Cast", inputs: ["input_ids"], outputs: ["numbers"], attributes: [["to", FLOAT]] },
    { operator: "Reshape", inputs: ["numbers", "row"], outputs: ["added"] },
    past
      ? {
          operator: "Concat",
          inputs: [memory.name, "added"],
          outputs: ["present.0.decoder.key"],
          attributes: [["axis", 2]],
        }
      : { operator: "Identity", inputs: ["added"], outputs: ["present.0.decoder.key"] },
    { operator: "Shape", inputs: ["present.0.decoder.key"], outputs: ["shape"] },
    { operator: "Gather", inputs: ["shape", "second"], outputs: ["count"], attributes: [["axis", 0]] },
    { operator: "Gather", inputs: ["table", "count"], outputs: ["answer"], attributes: [["axis", 0]] },
    { operator: "Reshape", inputs: ["answer", "single"], outputs: [hidden ? "plain" : "logits"] },
    ...(hidden
      ? [
          { operator: "Mul", inputs: ["encoder_hidden_states", "zero"], outputs: ["nothing"] },
          { operator: "Add", inputs: ["plain", "nothing"], outputs: ["logits"] },
        ]
      : []),
  ];
  return onnxFile({
    inputs,
    nodes,
    outputs: [
      { name: "logits", type: FLOAT, shape: ["batch", "length", pieces.length] },
      ...(remembers ? [{ name: "present.0.decoder.key", type: FLOAT, shape: ["batch", 1, "present", 1] }] : []),
    ],
    constants: [
      { name: "table", values: table, shape: [POSITIONS, pieces.length] },
      { name: "row", values: BigInt64Array.of(1n, 1n, -1n, 1n), shape: [4] },
      { name: "single", values: BigInt64Array.of(1n, 1n, -1n), shape: [3] },
      { name: "second", values: BigInt64Array.of(2n), shape: [1] },
      ...(hidden ? [{ name: "zero", values: Float32Array.of(0), shape: [1] }] : []),
    ],
  });
}
