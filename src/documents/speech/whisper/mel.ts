/** What Whisper sees of sound: the logarithm of its energy in 80 or 128 bands of Slaney's mel scale, a hundred times a second. */
import { SPEECH_RATE } from "../../audio/resample.ts";

const WINDOW = 400;
const HOP = 160;
const BINS = WINDOW / 2 + 1;
/** Every window of the model is so many seconds long, and silence where there is less. */
export const WINDOW_SECONDS = 30;
export const FRAMES = (WINDOW_SECONDS * SPEECH_RATE) / HOP;
const LEAST_ENERGY = 1e-10;
/** Of the logarithm to the base of ten, below the loudest. */
const RANGE = 8;

/** Periodic, by Hann. */
const hann = Float64Array.from({ length: WINDOW }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / WINDOW));
const cosines = Float64Array.from({ length: WINDOW }, (_, index) => Math.cos((2 * Math.PI * index) / WINDOW));
const sines = Float64Array.from({ length: WINDOW }, (_, index) => Math.sin((2 * Math.PI * index) / WINDOW));

/** `bands` rows of 3000 columns, for up to 30 s of sound at 16 kHz. */
export function logMel(samples: Float32Array, filters: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(filters.length * FRAMES);
  const heard = samples.length > FRAMES * HOP ? samples.subarray(0, FRAMES * HOP) : samples;
  const frames = Math.min(FRAMES, Math.ceil((heard.length + WINDOW / 2) / HOP));
  const silence = Math.log10(LEAST_ENERGY);
  let loudest = silence;
  out.fill(silence);
  const window = new Float64Array(WINDOW);
  const energies = new Float64Array(BINS);
  for (let frame = 0; frame < frames; frame += 1) {
    for (let index = 0; index < WINDOW; index += 1)
      window[index] = hann[index]! * reflected(heard, frame * HOP + index - WINDOW / 2);
    energiesOf(window, energies);
    for (const [band, filter] of filters.entries()) {
      let sum = 0;
      for (let bin = 0; bin < BINS; bin += 1) sum += filter[bin]! * energies[bin]!;
      const value = Math.log10(Math.max(LEAST_ENERGY, sum));
      if (value > loudest) loudest = value;
      out[band * FRAMES + frame] = value;
    }
  }
  for (let index = 0; index < out.length; index += 1) out[index] = (Math.max(out[index]!, loudest - RANGE) + 4) / 4;
  return out;
}

/** The sound goes on backwards before its beginning; behind its end is silence, up to the end of the window. */
function reflected(samples: Float32Array, at: number): number {
  const last = FRAMES * HOP - 1;
  const place = at < 0 ? -at : at > last ? 2 * last - at : at;
  return samples[place] ?? 0;
}

/** Weights of the bins in each band, as librosa makes them. */
export function melFilters(bands: number): Float32Array[] {
  const top = melOf(SPEECH_RATE / 2);
  const edges = Array.from({ length: bands + 2 }, (_, index) => hertzOf((top * index) / (bands + 1)));
  return Array.from({ length: bands }, (_, band) => {
    const [low, middle, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    return Float32Array.from({ length: BINS }, (_, bin) => {
      const hertz = (bin * SPEECH_RATE) / WINDOW;
      const height = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
      return (Math.max(0, height) * 2) / (high - low);
    });
  });
}

/** Slaney's scale: even up to 1000 Hz, and by the logarithm above. */
const HERTZ_PER_MEL = 200 / 3;
const BEND = 1000;
const LOG_STEP = Math.log(6.4) / 27;

function melOf(hertz: number): number {
  return hertz < BEND ? hertz / HERTZ_PER_MEL : BEND / HERTZ_PER_MEL + Math.log(hertz / BEND) / LOG_STEP;
}

function hertzOf(mel: number): number {
  const bend = BEND / HERTZ_PER_MEL;
  return mel < bend ? mel * HERTZ_PER_MEL : BEND * Math.exp(LOG_STEP * (mel - bend));
}

/** The energy of each frequency in a window. */
function energiesOf(window: Float64Array, energies: Float64Array): void {
  const [real, imaginary] = transformed(window, 0, 1, WINDOW);
  for (let bin = 0; bin < BINS; bin += 1) energies[bin] = real[bin]! ** 2 + imaginary[bin]! ** 2;
}

/** Fourier's transform of every `step`-th value from `start` on, by halves as long as their number is even. */
function transformed(values: Float64Array, start: number, step: number, count: number): [Float64Array, Float64Array] {
  const real = new Float64Array(count);
  const imaginary = new Float64Array(count);
  if (count % 2 === 1) {
    for (let bin = 0; bin < count; bin += 1) {
      for (let index = 0; index < count; index += 1) {
        const angle = (bin * index * step) % WINDOW;
        const value = values[start + index * step]!;
        real[bin]! += value * cosines[angle]!;
        imaginary[bin]! -= value * sines[angle]!;
      }
    }
    return [real, imaginary];
  }
  const half = count / 2;
  const [evenReal, evenImaginary] = transformed(values, start, step * 2, half);
  const [oddReal, oddImaginary] = transformed(values, start + step, step * 2, half);
  for (let bin = 0; bin < half; bin += 1) {
    const angle = bin * step;
    const [cosine, sine] = [cosines[angle]!, -sines[angle]!];
    const turnedReal = oddReal[bin]! * cosine - oddImaginary[bin]! * sine;
    const turnedImaginary = oddReal[bin]! * sine + oddImaginary[bin]! * cosine;
    real[bin] = evenReal[bin]! + turnedReal;
    imaginary[bin] = evenImaginary[bin]! + turnedImaginary;
    real[bin + half] = evenReal[bin]! - turnedReal;
    imaginary[bin + half] = evenImaginary[bin]! - turnedImaginary;
  }
  return [real, imaginary];
}
