/** Moonshine (version 1) in ONNX: an encoder of samples, and a decoder whose two branches, with and without a cache, are one graph. */
import { join } from "node:path";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openSession } from "../../native/onnx-graph.ts";
import { SPEECH_RATE } from "../audio/resample.ts";
import { hearingsFor } from "./hearings.ts";
import { repetitionOf, withoutLoops } from "./loops.ts";
import type { SpeechModel, Transcript } from "./speech-model.ts";
import { mostProbable } from "./token-choice.ts";
import type { Vocabulary } from "./vocabulary.ts";

const BEGIN = 1;
const END = 2;
/** Nobody says more; a model that goes on repeats itself. */
const MOST_TOKENS_PER_SECOND = 6.5;
/** Tokens so probable, by the logarithm on average, are hardly ever wrong: the stretch is not heard again. */
const SURE = -0.12;
/** The encoder's windows need so many samples. */
const LEAST_SAMPLES = SPEECH_RATE / 4;

type Tensors = Record<string, Tensor>;

interface Heard extends Pick<Transcript, "meanLogProbability" | "repetition"> {
  readonly text: string;
}

export class MoonshineModel implements SpeechModel {
  /** What is asked of every step but the first: the encoder's side of the cache, which is most of it, stays as it is. */
  private readonly changing: readonly string[];

  private constructor(
    private readonly encoder: InferenceSession,
    private readonly decoder: InferenceSession,
    private readonly vocabulary: Vocabulary,
    readonly languages: readonly string[],
  ) {
    this.changing = decoder.outputNames.filter((name) => !name.includes(".encoder."));
  }

  /** Loads `encoder_model.onnx` and `decoder_model_merged.onnx` of a folder. */
  static async open(folder: string, vocabulary: Vocabulary, languages: readonly string[]): Promise<MoonshineModel> {
    const encoder = await openSession(join(folder, "encoder_model.onnx"), 1);
    const decoder = await openSession(join(folder, "decoder_model_merged.onnx"), 1);
    return new MoonshineModel(encoder, decoder, vocabulary, languages);
  }

  detectLanguage(): Promise<null> {
    return Promise.resolve(null);
  }

  /** How sure it is, and how often it repeats itself, is told of the stretch as it is: that says whether it is English at all. */
  async transcribe(samples: Float32Array): Promise<Transcript> {
    const plain = await this.hear(samples);
    if (plain.meanLogProbability >= SURE) return transcriptOf(plain, plain);
    let surest = plain;
    for (const hearing of hearingsFor(samples)) {
      if (surest.meanLogProbability >= SURE) break;
      const heard = await this.hear(hearing(samples));
      if (heard.text !== "" && heard.meanLogProbability > surest.meanLogProbability) surest = heard;
    }
    return transcriptOf(surest, plain);
  }

  private async hear(samples: Float32Array): Promise<Heard> {
    const heard = samples.length >= LEAST_SAMPLES ? samples : padded(samples);
    const hidden = await this.encode(heard);
    let cache = this.emptyCache();
    const tokens: number[] = [];
    let [next, sum] = [BEGIN, 0];
    const most = Math.ceil((heard.length / SPEECH_RATE) * MOST_TOKENS_PER_SECOND);
    while (tokens.length < most) {
      const isFirst = tokens.length === 0;
      const out = await this.decoder.run(
        { ...this.inputs(next, hidden, !isFirst), ...cache },
        isFirst ? this.decoder.outputNames : this.changing,
      );
      const { dims, data } = out.logits as Tensor;
      const logits = (data as Float32Array).subarray(-dims[2]!);
      // Some speech comes out empty otherwise, and that there is speech is known.
      const { token, logProbability } = mostProbable(logits, (one) => isFirst && one === END);
      if (token === END) break;
      sum += logProbability;
      tokens.push(token);
      next = token;
      cache = nextCache(cache, out as Tensors, isFirst);
    }
    const said = this.vocabulary.decode(tokens).trim();
    return {
      text: withoutLoops(said),
      repetition: repetitionOf(said),
      meanLogProbability: tokens.length === 0 ? 0 : sum / tokens.length,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.encoder.release(), this.decoder.release()]);
  }

  private async encode(samples: Float32Array): Promise<Tensor> {
    const feeds: Tensors = { input_values: new Tensor("float32", samples, [1, samples.length]) };
    if (this.encoder.inputNames.includes("attention_mask")) feeds.attention_mask = ones(samples.length);
    return Object.values(await this.encoder.run(feeds))[0] as Tensor;
  }

  private inputs(token: number, hidden: Tensor, isCached: boolean): Tensors {
    const inputs: Tensors = {
      input_ids: new Tensor("int64", BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: hidden,
      use_cache_branch: new Tensor("bool", [isCached], [1]),
    };
    if (this.decoder.inputNames.includes("encoder_attention_mask"))
      inputs.encoder_attention_mask = ones(hidden.dims[1]!);
    return inputs;
  }

  private emptyCache(): Tensors {
    const cache: Tensors = {};
    for (const input of this.decoder.inputMetadata) {
      if (!input.isTensor || !input.name.startsWith("past_key_values.")) continue;
      const [, heads, , width] = input.shape;
      if (typeof heads !== "number" || typeof width !== "number")
        throw new Error(`the decoder does not say the shape of its input ${input.name}`);
      cache[input.name] = new Tensor("float32", new Float32Array(0), [0, heads, 1, width]);
    }
    return cache;
  }
}

function transcriptOf(surest: Heard, { repetition, meanLogProbability }: Heard): Transcript {
  return { repetition, pieces: surest.text === "" ? [] : [{ text: surest.text, times: null }], meanLogProbability };
}

/** What the decoder remembers; of the encoder's side it says everything in the first step. */
function nextCache(cache: Tensors, out: Tensors, isFirst: boolean): Tensors {
  return Object.fromEntries(
    Object.entries(cache).map(([name, before]) => {
      const present = out[name.replace("past_key_values", "present")];
      return [name, present !== undefined && (isFirst || name.includes(".decoder.")) ? present : before];
    }),
  );
}

const ones = (count: number): Tensor => new Tensor("int64", new BigInt64Array(count).fill(1n), [1, count]);

function padded(samples: Float32Array): Float32Array {
  const longer = new Float32Array(LEAST_SAMPLES);
  longer.set(samples);
  return longer;
}
