/** The next token by its probability, or by chance where a decoder is to be less sure of itself. */
import { mostProbable } from "../token-choice.ts";

/** `temperature` 0: the most probable. The probability told is that without a temperature. */
export function chosenToken(
  logits: Float32Array,
  temperature: number,
  random: () => number,
): { token: number; logProbability: number } {
  if (temperature === 0) return mostProbable(logits);
  const probabilities = softmax(logits.map((logit) => logit / temperature));
  let left = random();
  let token = probabilities.findIndex((probability) => {
    left -= probability;
    return left < 0;
  });
  if (token < 0) token = mostProbable(logits).token;
  return { token, logProbability: Math.log(softmax(logits)[token]!) };
}

export function softmax(logits: Float32Array): Float32Array {
  let most = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > most) most = logit;
  let sum = 0;
  const out = logits.map((logit) => {
    const value = Math.exp(logit - most);
    sum += value;
    return value;
  });
  for (let index = 0; index < out.length; index += 1) out[index]! /= sum;
  return out;
}

/** Chance that is the same every time, so that a file gives the same text again (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
