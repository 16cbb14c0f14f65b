/** How well each sentence of some passages answers a question, by what reading found in it and before it. Pure. */
import type { QuestionReading } from "../ranking/index.ts";

/** A sentence, in reading order. */
export interface ReadSentence {
  /** Which passage it stands in. */
  readonly passage: number;
  /** How much of the question its passage holds. */
  readonly heldByPassage: number;
}

/** How much of what a sentence holds of the question is still on the next one's mind: "it was built in 1900" says of what before. */
const FADING = 0.7;

/** One value for each sentence; `reading.texts` are the sentences' own, in the same order. */
export function sentenceValues({ weights, texts }: QuestionReading, sentences: readonly ReadSentence[]): number[] {
  const held = new Float32Array(weights.length);
  let passage: number | null = null;
  return sentences.map((sentence, at) => {
    if (sentence.passage !== passage) held.fill(0);
    ({ passage } = sentence);
    const { matches } = texts[at]!;
    let sum = 0;
    for (let unit = 0; unit < weights.length; unit++) {
      held[unit] = Math.max(matches[unit]!, FADING * held[unit]!);
      sum += weights[unit]! * held[unit]! ** 2;
    }
    return sum + sentence.heldByPassage;
  });
}
