/**
 * Writes small language models in GGUF (version 3) for tests: llama architecture, byte-level vocabulary, a chat template.
 *
 * A scripted model says exactly what a test wants: its layers add nothing, and its output row for each piece of the script is
 * the embedding of the piece before it, so that the most probable token after one piece is always the next.
 */

/** Value types of GGUF metadata that are written here. */
type Field = readonly [
  key: string,
  type: "u32" | "f32" | "string" | "bool" | "strings" | "f32s" | "i32s",
  value: unknown,
];
type Tensor = readonly [name: string, dimensions: readonly number[], values: Float32Array];

const TYPE_F32 = 0;
const ALIGNMENT = 32;

/** The pieces of chat markup that the tests' template writes; control tokens of the vocabulary. */
const START = "<|start|>";
export const END = "<|end|>";

/** A template of the usual kind: role between markers, content trimmed, the reply opened at the end. */
export const CHAT_TEMPLATE =
  "{{ bos_token }}{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] | trim }}<|end|>\n{% endfor %}{% if add_generation_prompt %}<|start|>assistant\n<|reply|>{% endif %}";

export interface TinyModel {
  /** What it says, piece by piece, no piece twice, then it stops; `<0xC3>` is that byte. Without: random weights. */
  readonly script?: readonly string[];
  /** Begins the script again instead of stopping. */
  readonly endless?: boolean;
  /** null: a model without one. */
  readonly chatTemplate?: string | null;
  readonly architecture?: string;
  /** Counts its markup among ordinary words, as careless conversions do; then only care keeps it out of texts. */
  readonly markupIsOrdinary?: boolean;
  /** Width of the model; more is slower. */
  readonly embedding?: number;
  readonly layers?: number;
  readonly feedForward?: number;
  readonly contextLength?: number;
  /** Declares this many rows in one tensor, whose values are not written: a model far beyond any memory. */
  readonly declaredRows?: number;
}

/** The bytes of a model file. */
export function tinyModel(model: TinyModel = {}): Uint8Array<ArrayBuffer> {
  const {
    script,
    endless = false,
    chatTemplate = CHAT_TEMPLATE,
    architecture = "llama",
    embedding = 64,
    layers = 2,
    contextLength = 8192,
  } = model;
  const feedForward = model.feedForward ?? embedding * 2;
  const random = generator(42);
  const draw = (count: number, scale: number): Float32Array => {
    const values = new Float32Array(count);
    if (scale > 0) for (let index = 0; index < count; index++) values[index] = (random() - 0.5) * 2 * scale;
    return values;
  };

  const tokens = ["<unk>", "<s>", "</s>", START, END, "<|reply|>"];
  const markupType = model.markupIsOrdinary ? 4 : 3;
  const types: number[] = [2, 3, 3, markupType, markupType, markupType];
  for (let byte = 0; byte < 256; byte++) {
    tokens.push(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
    types.push(6);
  }
  // SentencePiece's sign for a space; without it texts would come back with the sign.
  tokens.push("▁");
  types.push(1);
  // A byte is there already, so that a script can cut a character in two; text carries SentencePiece's sign for a space.
  const spoken = (script ?? []).map((piece) => {
    const text = piece.replaceAll(" ", "▁");
    if (!tokens.includes(text)) {
      tokens.push(text);
      types.push(1);
    }
    return tokens.indexOf(text);
  });
  const embeddings = draw(tokens.length * embedding, 1);
  const output =
    script === undefined
      ? draw(tokens.length * embedding, 0.5)
      : scriptedOutput(embeddings, embedding, tokens.length, spoken, endless);

  const layerScale = script === undefined ? 0.1 : 0;
  const tensors: Tensor[] = [["token_embd.weight", [embedding, tokens.length], embeddings]];
  for (let layer = 0; layer < layers; layer++) {
    const square = (name: string): Tensor => [
      `blk.${layer}.${name}.weight`,
      [embedding, embedding],
      draw(embedding * embedding, layerScale),
    ];
    const norm = (name: string): Tensor => [
      `blk.${layer}.${name}.weight`,
      [embedding],
      new Float32Array(embedding).fill(1),
    ];
    tensors.push(
      norm("attn_norm"),
      square("attn_q"),
      square("attn_k"),
      square("attn_v"),
      square("attn_output"),
      norm("ffn_norm"),
    );
    tensors.push([`blk.${layer}.ffn_gate.weight`, [embedding, feedForward], draw(embedding * feedForward, layerScale)]);
    tensors.push([`blk.${layer}.ffn_up.weight`, [embedding, feedForward], draw(embedding * feedForward, layerScale)]);
    tensors.push([`blk.${layer}.ffn_down.weight`, [feedForward, embedding], draw(embedding * feedForward, layerScale)]);
  }
  tensors.push(["output_norm.weight", [embedding], new Float32Array(embedding).fill(1)]);
  tensors.push([
    "output.weight",
    [embedding, model.declaredRows ?? tokens.length],
    model.declaredRows === undefined ? output : new Float32Array(0),
  ]);

  const heads = Math.max(1, embedding / 32);
  return write(
    [
      ["general.architecture", "string", architecture],
      ["general.name", "string", "tiny"],
      ["general.file_type", "u32", 0],
      [`${architecture}.context_length`, "u32", contextLength],
      [`${architecture}.embedding_length`, "u32", embedding],
      [`${architecture}.block_count`, "u32", layers],
      [`${architecture}.feed_forward_length`, "u32", feedForward],
      [`${architecture}.attention.head_count`, "u32", heads],
      [`${architecture}.attention.head_count_kv`, "u32", heads],
      [`${architecture}.attention.layer_norm_rms_epsilon`, "f32", 1e-5],
      [`${architecture}.rope.dimension_count`, "u32", embedding / heads],
      [`${architecture}.vocab_size`, "u32", tokens.length],
      ["tokenizer.ggml.model", "string", "llama"],
      ["tokenizer.ggml.tokens", "strings", tokens],
      ["tokenizer.ggml.scores", "f32s", tokens.map((_, index) => -index)],
      ["tokenizer.ggml.token_type", "i32s", types],
      ["tokenizer.ggml.bos_token_id", "u32", 1],
      ["tokenizer.ggml.eos_token_id", "u32", 2],
      ["tokenizer.ggml.unknown_token_id", "u32", 0],
      ["tokenizer.ggml.add_bos_token", "bool", true],
      ["tokenizer.ggml.add_space_prefix", "bool", false],
      ...(chatTemplate === null ? [] : [["tokenizer.chat_template", "string", chatTemplate] as Field]),
    ],
    tensors,
  );
}

const REPLY = 5;
const END_OF_TEXT = 2;

/** Row of each successor = embedding of its predecessor: reply → first piece → … → last piece → end of text, or the first again. */
function scriptedOutput(
  embeddings: Float32Array,
  width: number,
  tokenCount: number,
  spoken: readonly number[],
  endless: boolean,
): Float32Array {
  const output = new Float32Array(tokenCount * width);
  const chain = [REPLY, ...spoken, endless ? spoken[0]! : END_OF_TEXT];
  for (let index = 0; index + 1 < chain.length; index++) {
    const [from, to] = [chain[index]!, chain[index + 1]!];
    for (let column = 0; column < width; column++) output[to * width + column]! += embeddings[from * width + column]!;
  }
  return output;
}

function write(fields: readonly Field[], tensors: readonly Tensor[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const put = (bytes: Uint8Array): void => void (parts.push(bytes), (length += bytes.length));
  const number = (size: 1 | 4 | 8, set: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    put(new Uint8Array(view.buffer));
  };
  const u32 = (value: number): void => number(4, (view) => view.setUint32(0, value, true));
  const i32 = (value: number): void => number(4, (view) => view.setInt32(0, value, true));
  const f32 = (value: number): void => number(4, (view) => view.setFloat32(0, value, true));
  const u64 = (value: number): void => number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  const string = (value: string): void => {
    const bytes = new TextEncoder().encode(value);
    u64(bytes.length);
    put(bytes);
  };
  const pad = (): void => put(new Uint8Array((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT));
  const list = <Item>(elementType: number, items: readonly Item[], each: (item: Item) => void): void => {
    u32(9);
    u32(elementType);
    u64(items.length);
    items.forEach(each);
  };

  put(new TextEncoder().encode("GGUF"));
  u32(3);
  u64(tensors.length);
  u64(fields.length);
  for (const [key, type, value] of fields) {
    string(key);
    if (type === "u32") u32(4), u32(value as number);
    else if (type === "f32") u32(6), f32(value as number);
    else if (type === "bool") u32(7), number(1, (view) => view.setUint8(0, value ? 1 : 0));
    else if (type === "string") u32(8), string(value as string);
    else if (type === "strings") list(8, value as string[], string);
    else if (type === "f32s") list(6, value as number[], f32);
    else list(5, value as number[], i32);
  }
  let offset = 0;
  for (const [name, dimensions, values] of tensors) {
    string(name);
    u32(dimensions.length);
    dimensions.forEach(u64);
    u32(TYPE_F32);
    u64(offset);
    offset = Math.ceil((offset + values.byteLength) / ALIGNMENT) * ALIGNMENT;
  }
  pad();
  for (const [, , values] of tensors) {
    put(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    pad();
  }
  return Buffer.concat(parts) as Uint8Array<ArrayBuffer>;
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
