/** Writes answers on one sequence of the model: reads the prompt in small steps, then one token at a time, and stops when told. */
import type { LlamaContextSequence, Token } from "node-llama-cpp";

export interface WritingOptions {
  /** Tokens of the answer, at most. */
  readonly answerLength: number;
  readonly temperature: number;
}

/** A step of the prompt is as long as computes in about this time, so that a stop is not waited for longer … */
const STEP_MILLISECONDS = 80;
/**
 * … but not shorter than this, even where it takes longer: in smaller batches llama.cpp needs more for each token (a twentieth
 * more in steps of 128, a fifth in steps of 64, five times as long in steps of 32), and every answer would wait for its first …
 */
const CHEAP_STEP = 256;
/** … unless it takes longer than this, for which other answers stand still; then no shorter than the shortest. */
const LONGEST_STEP_MILLISECONDS = 1000;
const SHORTEST_STEP = 64;
const LONGEST_STEP = 512;

/** How many tokens a step holds, learnt from the last; shared by all sequences of a model. */
export class StepLength {
  tokens = CHEAP_STEP;

  learn(tokens: number, milliseconds: number): void {
    // At most twice as long as the last, so that one lucky measurement does no harm.
    const tokensIn = (budget: number): number =>
      Math.min(tokens * 2, Math.round((tokens * budget) / Math.max(1, milliseconds)));
    const shortest = Math.max(SHORTEST_STEP, Math.min(CHEAP_STEP, tokensIn(LONGEST_STEP_MILLISECONDS)));
    this.tokens = Math.max(shortest, Math.min(LONGEST_STEP, tokensIn(STEP_MILLISECONDS)));
  }
}

/**
 * Yields the answer's tokens. The first `shared` tokens of the prompt are the same for every answer; they stay in the sequence
 * for the next, and nothing else does. Ends early, within a step, once the signal is aborted.
 */
export async function* writeAnswer(
  sequence: LlamaContextSequence,
  prompt: readonly Token[],
  shared: number,
  step: StepLength,
  options: WritingOptions,
  signal: AbortSignal,
): AsyncGenerator<Token> {
  try {
    let read = sequence.nextTokenIndex;
    while (prompt.length - read > step.tokens && !signal.aborted) {
      const part = prompt.slice(read, read + step.tokens);
      const started = performance.now();
      await sequence.evaluateWithoutGeneratingNewTokens(part);
      step.learn(part.length, performance.now() - started);
      read += part.length;
    }
    if (signal.aborted) return;
    let written = 0;
    for await (const token of sequence.evaluate(prompt.slice(read), { temperature: options.temperature, minP: 0.05 })) {
      if (signal.aborted) return;
      yield token;
      if (++written >= options.answerLength || signal.aborted) return;
    }
  } finally {
    await forget(sequence, shared);
  }
}

/** Takes everything out of the sequence but its first tokens; all, where the model's state cannot be taken apart. */
async function forget(sequence: LlamaContextSequence, shared: number): Promise<void> {
  const { fileInsights } = sequence.model;
  const start =
    fileInsights.isRecurrent || fileInsights.swaSize !== undefined || sequence.nextTokenIndex < shared ? 0 : shared;
  await sequence.eraseContextTokenRanges([{ start, end: sequence.nextTokenIndex }]);
}
