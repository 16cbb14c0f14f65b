/** How well each sentence of some passages answers a question, by what reading found in it and before it. Pure. */
import type { QuestionReading } from "../ranking/index.ts";

/** A sentence, in reading order. */
export interface ReadSentence {
  /** Which passage it stands in. */
  readonly passage: number;
  /** UTF-16 units. */
  readonly length: number;
  /** How much of the question its passage holds. */
  readonly heldByPassage: number;
}

/** How much of what a sentence holds of the question is still on the next one's mind: "it was built in 1900" says of what before. */
const FADING = 0.7;
/** What its passage counts beside what the sentence and those before it hold. */
const PASSAGE_WEIGHT = 1.1;
/** Of two sentences that hold as much the shorter one is better. */
const LENGTH_WEIGHT = 0.06;

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
    return sum + PASSAGE_WEIGHT * sentence.heldByPassage - LENGTH_WEIGHT * Math.log(sentence.length);
  });
}
