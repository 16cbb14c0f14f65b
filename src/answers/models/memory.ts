/** How much memory a language model takes. */
import type { AnswerModel } from "./answer-model.ts";

export interface MemoryEstimate {
  /** Bytes of weights: mapped from the file, so that the system may drop and read them again. */
  readonly weights: number;
  /** Bytes of the sequences' states and of the computation: must be free. */
  readonly working: number;
  readonly total: number;
}

/** Tokens computed at once, by llama.cpp's default; the buffers grow with it. */
const BATCH = 512;
/** The child process itself. */
const PROCESS_BYTES = 120e6;
const HALF = 2;
const FLOAT = 4;

/** Estimates what `sequences` contexts of `contextSize` tokens take: keys and values in half precision, and one batch's buffers. */
export function estimateMemory(
  model: Pick<AnswerModel, "head" | "architecture" | "weightBytes">,
  contextSize: number,
  sequences: number,
): MemoryEstimate {
  const { metadata } = model.head;
  const number = (key: string, otherwise: number): number => {
    const value = Number(metadata.get(`${model.architecture}.${key}`));
    return Number.isFinite(value) && value > 0 ? value : otherwise;
  };
  const width = number("embedding_length", 4096);
  const heads = number("attention.head_count", 32);
  const keyHeads = number("attention.head_count_kv", heads);
  const keyLength = number("attention.key_length", width / heads);
  const valueLength = number("attention.value_length", width / heads);
  const layers = number("block_count", 32);
  const cache = layers * contextSize * sequences * keyHeads * (keyLength + valueLength) * HALF;
  const vocabulary = Number(metadata.get("tokenizer.ggml.tokens.length") ?? 32_000);
  const buffers = BATCH * (number("feed_forward_length", width * 4) + 6 * width) * FLOAT + BATCH * vocabulary * FLOAT;
  const working = Math.round(cache + buffers + PROCESS_BYTES);
  return { weights: model.weightBytes, working, total: model.weightBytes + working };
}

/** Parallel sequences by cores and memory: one for each core, at most four, as long as half of the free memory holds them. */
export function defaultSequences(
  model: Pick<AnswerModel, "head" | "architecture" | "weightBytes">,
  contextSize: number,
  cores: number,
  freeBytes: number,
): number {
  let sequences = Math.max(1, Math.min(4, cores));
  while (sequences > 1 && estimateMemory(model, contextSize, sequences).total > freeBytes / 2) sequences--;
  return sequences;
}
