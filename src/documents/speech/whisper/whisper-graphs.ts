/** Whisper's graphs as Hugging Face's Optimum exports them: the decoder merged, in two files, or without a cache. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openSession } from "../../../native/onnx-graph.ts";

type Tensors = Record<string, Tensor>;

/** The shape of a decoder's memory. */
export interface DecoderShape {
  readonly heads: number;
  readonly headWidth: number;
}

/** Logits of the tokens that were put in, one row each. */
export interface Step {
  readonly logits: Float32Array;
  readonly vocabulary: number;
}

export class WhisperGraphs {
  private constructor(
    private readonly encoder: InferenceSession,
    private readonly decoder: InferenceSession,
    /** For every step but the first; null: the decoder does those too. */
    private readonly next: InferenceSession | null,
    private readonly shape: DecoderShape,
  ) {}

  static async open(folder: string, shape: DecoderShape): Promise<WhisperGraphs> {
    const path = (name: string): string => join(folder, name);
    const merged = path("decoder_model_merged.onnx");
    const isMerged = existsSync(merged);
    const withPast = path("decoder_with_past_model.onnx");
    const encoder = await openSession(path("encoder_model.onnx"), 1);
    const decoder = await openSession(isMerged ? merged : path("decoder_model.onnx"), 1);
    const next = !isMerged && existsSync(withPast) ? await openSession(withPast, 1) : null;
    return new WhisperGraphs(encoder, decoder, next, shape);
  }

  async encode(features: Float32Array, bands: number): Promise<Tensor> {
    const input = new Tensor("float32", features, [1, bands, features.length / bands]);
    return Object.values(await this.encoder.run({ [this.encoder.inputNames[0]!]: input }))[0] as Tensor;
  }

  /** A decoder at the beginning of what it says of an encoded window. */
  begin(hidden: Tensor): WhisperDecoder {
    return new WhisperDecoder(this.decoder, this.next, hidden, this.shape);
  }

  async close(): Promise<void> {
    await Promise.all([this.encoder, this.decoder, this.next].map((session) => session?.release()));
  }
}

export class WhisperDecoder {
  private readonly said: number[] = [];
  private cache: Tensors | null = null;

  constructor(
    private readonly first: InferenceSession,
    private readonly next: InferenceSession | null,
    private readonly hidden: Tensor,
    private readonly shape: DecoderShape,
  ) {}

  /** Puts tokens behind those before. */
  async step(tokens: readonly number[]): Promise<Step> {
    this.said.push(...tokens);
    const session = this.cache !== null && this.next !== null ? this.next : this.first;
    const isMerged = session.inputNames.includes("use_cache_branch");
    const remembers = isMerged || this.next !== null;
    const fed = remembers ? tokens : this.said;
    const feeds: Tensors = {
      input_ids: new Tensor("int64", BigInt64Array.from(fed, BigInt), [1, fed.length]),
      ...(session.inputNames.includes("encoder_hidden_states") && { encoder_hidden_states: this.hidden }),
      ...(isMerged && { use_cache_branch: new Tensor("bool", [this.cache !== null], [1]) }),
    };
    for (const name of session.inputNames)
      if (name.startsWith("past_key_values.")) feeds[name] = this.cache?.[name] ?? this.nothing();
    // The encoder's side of the cache, which is most of it, is asked for once.
    const names = session.outputNames.filter((name) => this.cache === null || !name.includes(".encoder."));
    const out = await session.run(feeds, names);
    if (remembers) this.remember(out as Tensors);
    const { data, dims } = out.logits as Tensor;
    return { logits: data as Float32Array, vocabulary: dims[2]! };
  }

  /** What the encoder's side is in the cache is said in the first step alone. */
  private remember(out: Tensors): void {
    const before = this.cache;
    const cache: Tensors = { ...before };
    for (const [name, tensor] of Object.entries(out)) {
      if (!name.startsWith("present.")) continue;
      cache[name.replace("present.", "past_key_values.")] = tensor;
    }
    this.cache = cache;
  }

  private nothing(): Tensor {
    return new Tensor("float32", new Float32Array(0), [1, this.shape.heads, 0, this.shape.headWidth]);
  }
}
