/**
 * Ways in which a stretch of speech may be heard once more by a model that was unsure of it. Each makes it err elsewhere, and what it is surest
 * of is right most often: in espeak-ng's three voices words wrong went from 8.4, 15.3 and 10.6 of 100 to 5.0, 7.4 and 9.5 (`bench speech`).
 */

export type Hearing = (samples: Float32Array) => Float32Array;

/** What a sample keeps of the one before it is taken away by this share: consonants, which are high, become as loud as vowels. */
const EMPHASIS = 0.8;
/** How much longer it is spoken for. */
const SLOWNESS = 1.1;

/** Pre-emphasis, as speech coders have it. */
export const emphasised: Hearing = (samples) =>
  samples.map((value, index) => value - EMPHASIS * (samples[index - 1] ?? 0));

/** Spoken more slowly, and lower with it. */
export const slowed: Hearing = (samples) =>
  Float32Array.from({ length: Math.floor(samples.length * SLOWNESS) }, (_, index) => {
    const at = Math.floor(index / SLOWNESS);
    const share = index / SLOWNESS - at;
    return samples[at]! * (1 - share) + (samples[at + 1] ?? 0) * share;
  });
