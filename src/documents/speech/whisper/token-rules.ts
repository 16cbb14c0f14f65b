/** Which tokens may come next, by the rules of Whisper's own decoder: times come in pairs, never go back, and win where they are likely. */
import type { WhisperTokens } from "./whisper-tokens.ts";

/** The first time is at most this one: one second. */
const LATEST_FIRST_TIME = 50;

export interface Suppressed {
  /** Never said, e.g. notes and brackets. */
  readonly always: readonly number[];
  /** Not said first. */
  readonly first: readonly number[];
}

/** Takes the probability from tokens that may not follow on those that were said since the prompt. Changes the logits. */
export function applyRules(
  logits: Float32Array,
  said: readonly number[],
  tokens: WhisperTokens,
  suppressed: Suppressed,
): void {
  const forbid = (token: number | null): void => {
    if (token !== null && token < logits.length) logits[token] = Number.NEGATIVE_INFINITY;
  };
  for (const token of suppressed.always) forbid(token);
  for (const token of tokens.special) forbid(token);
  const isFirst = said.length === 0;
  if (isFirst) {
    for (const token of suppressed.first) forbid(token);
    forbid(tokens.end);
  }
  const { firstTime } = tokens;
  const wasTime = !isFirst && tokens.isTime(said.at(-1)!);
  const wasTimeBefore = said.length < 2 || tokens.isTime(said.at(-2)!);
  if (wasTime && wasTimeBefore) logits.fill(Number.NEGATIVE_INFINITY, firstTime);
  else if (wasTime) logits.fill(Number.NEGATIVE_INFINITY, 0, tokens.end);
  const last = said.findLast((token) => tokens.isTime(token));
  // A time that closes what was said may open the next; one that opened it is over.
  if (last !== undefined) logits.fill(Number.NEGATIVE_INFINITY, firstTime, wasTime && !wasTimeBefore ? last : last + 1);
  if (isFirst) {
    logits.fill(Number.NEGATIVE_INFINITY, 0, firstTime);
    logits.fill(Number.NEGATIVE_INFINITY, Math.min(logits.length, firstTime + LATEST_FIRST_TIME + 1));
  }
  if (timesAreLikelier(logits, firstTime)) logits.fill(Number.NEGATIVE_INFINITY, 0, firstTime);
}

/** Whether all times together are more probable than any one word. */
function timesAreLikelier(logits: Float32Array, firstTime: number): boolean {
  const most = maximum(logits, firstTime, logits.length);
  if (most === Number.NEGATIVE_INFINITY) return false;
  let sum = 0;
  for (let index = firstTime; index < logits.length; index += 1) sum += Math.exp(logits[index]! - most);
  return most + Math.log(sum) > maximum(logits, 0, firstTime);
}

function maximum(logits: Float32Array, from: number, to: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let index = from; index < to; index += 1) if (logits[index]! > most) most = logits[index]!;
  return most;
}
