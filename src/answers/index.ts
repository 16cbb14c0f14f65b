/**
 * Question + passages → answer. This file is the interface; each way of answering is one file beside it.
 *
 * An answer cites its passages by number: `[1]` is the first one it was given.
 */
export { createExtractiveAnswerer } from "./extractive.ts";

export interface AnswerRequest {
  readonly question: string;
  /** Texts of the passages, most relevant first. May be empty. */
  readonly passages: readonly string[];
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What a language model read and wrote; zero where none was used. */
export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
}

export interface Answer {
  /** Who answers, e.g. "extractive". */
  readonly model: string;
  /** The answer in pieces, to be joined as they are. Read once. */
  readonly text: AsyncIterable<string>;
  /** Final once `text` has been read to its end. */
  usage(): TokenUsage;
}

export interface Answerer {
  /** Resolves when the first words are ready. Throws BUSY, or what the model's failure is. */
  answer(request: AnswerRequest): Promise<Answer>;
  close(): Promise<void>;
}

/** What is answered, without any model, when no passage was found. */
export const NOTHING_FOUND = "The documents in this dataset hold nothing that answers the question.";
