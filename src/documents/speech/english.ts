/**
 * Whether a recording is in English, by what a model of English makes of it. In other languages it is unsure of its tokens, says the same
 * over and over, or spells what it hears in words that are none. Each of the three alone misses some.
 */
import type { Transcript } from "./speech-model.ts";

/** Words that make up half of what is said in English, whatever it is about. */
const COMMON = new Set(
  (
    "the be to of and a in that have i it for not on with he as you do at this but his by from they we say her she or an will my one all " +
    "would there their what so up out if about who get which go me when make can like time no just him know take people into year your good " +
    "some could them see other than then now look only come its over think also back after use two how our work first well way even new want " +
    "because any these give day most us is are was were has had been did said am don't it's i'm that's yes please thank very more here where " +
    "why may should off down too much many before again own through each same few three four five six press call number"
  ).split(" "),
);

/** Natural logarithm of the tokens' probability on average, below which it is no English. */
const LEAST_LOG_PROBABILITY = -0.42;
/** Of all words, those of the list at least. */
const LEAST_COMMON = 0.24;
/** Words for that share to say anything. */
const LEAST_WORDS = 10;
/** What a word that was said in the same company before costs, of the logarithm, beyond the share that people repeat. */
const REPETITION_COST = 1;
const USUAL_REPETITION = 0.15;

/** What a model of English made of the stretches of one recording. */
export class EnglishEvidence {
  /** Seconds of what was heard. */
  seconds = 0;
  private logProbability = 0;
  private words = 0;
  private common = 0;
  private repeated = 0;

  add({ pieces, meanLogProbability, repetition }: Transcript, seconds: number): void {
    const words = pieces.flatMap(({ text }) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []);
    this.seconds += seconds;
    this.logProbability += meanLogProbability * seconds;
    this.repeated += repetition * seconds;
    this.words += words.length;
    this.common += words.filter((word) => COMMON.has(word) || /^\d+$/.test(word)).length;
  }

  get isEnglish(): boolean {
    if (this.seconds === 0) return true;
    const repetition = Math.max(0, this.repeated / this.seconds - USUAL_REPETITION);
    const sureness = this.logProbability / this.seconds - REPETITION_COST * repetition;
    const isSpelt = this.words < LEAST_WORDS || this.common / this.words >= LEAST_COMMON;
    return sureness >= LEAST_LOG_PROBABILITY && isSpelt;
  }
}
