/** What turns a stretch of speech into words, of whatever family. */

/** Something said, with its place in the stretch where the model tells it. */
export interface SpokenPiece {
  readonly text: string;
  /** Seconds from the beginning of the stretch; null: it is told by the length of the text. */
  readonly times: readonly [start: number, end: number] | null;
}

export interface Transcript {
  readonly pieces: readonly SpokenPiece[];
  /** Of the tokens, the natural logarithm of their probability on average: about -0.3 where the model is sure. */
  readonly meanLogProbability: number;
  /** The share of words that were said in the same company before, 0 to 1. */
  readonly repetition: number;
}

export interface SpeechModel {
  /** BCP 47 tags of what it understands, without regions. */
  readonly languages: readonly string[];
  /** The language most likely spoken, where the model can tell; null: it cannot. */
  detectLanguage(samples: Float32Array): Promise<{ readonly language: string; readonly probability: number } | null>;
  /** `samples`: one channel at 16 kHz, at most 30 s, in the order in which they were spoken: some models go by what was said before. */
  transcribe(samples: Float32Array, language: string): Promise<Transcript>;
  close(): Promise<void>;
}

/** A model that is here, not yet loaded. */
export interface KnownModel {
  readonly name: string;
  readonly languages: readonly string[];
  open(): Promise<SpeechModel>;
}
