/**
 * Steady noise out of a stretch of speech: the log-spectral amplitude estimator of Ephraim and Malah (1985) with their decision-directed estimate
 * of how far speech stands out. Pure.
 */

/** Samples of a window, and from one to the next: 32 and 8 ms. */
const WINDOW = 512;
const HOP = 128;
const BINS = WINDOW / 2 + 1;
/** A pause in at least this share of the windows shows the noise, in each band by itself. */
const PAUSES = 0.2;
/** Bands on either side over which the noise is evened out. */
const NEIGHBOURS = 2;
/** How much of how far speech stood out before is kept. */
const MEMORY = 0.98;
const LEAST_PRIOR = 0.003;
const MOST_POSTERIOR = 1000;
/** What is taken for noise alone becomes so loud, as a share: none at all sounds, to a model as well, like something else. */
const FLOOR = 0.1;
const TINY = 1e-12;
/** Where the integral of the estimator is taken from a series, and where from a continued fraction, and of how many terms. */
const SERIES_UP_TO = 1;
const SERIES_TERMS = 20;
const FRACTION_TERMS = 40;
const EULER = 0.5772156649;

const shape = Float64Array.from({ length: WINDOW }, (_, at) => Math.sin((Math.PI * (at + 0.5)) / WINDOW));

const angles = Array.from({ length: WINDOW / 2 }, (_, step) => (2 * Math.PI * step) / WINDOW);
const cosines = Float64Array.from(angles, Math.cos);
const sines = Float64Array.from(angles, Math.sin);

/** A stretch in windows, and the noise in it. */
export class NoisySpeech {
  private readonly windows: readonly { readonly real: Float64Array; readonly imaginary: Float64Array }[];
  /** Power of the noise, by band. */
  private readonly noise: Float64Array;

  constructor(private readonly samples: Float32Array) {
    const count = Math.ceil((samples.length + WINDOW) / HOP);
    this.windows = Array.from({ length: count }, (_, window) => {
      const real = Float64Array.from(shape, (weight, at) => (samples[firstOf(window) + at] ?? 0) * weight);
      const imaginary = new Float64Array(WINDOW);
      transform(real, imaginary);
      return { real, imaginary };
    });
    this.noise = this.noiseByBand();
  }

  /** Power of the speech over that of the noise, in decibels. */
  get signalToNoise(): number {
    const noise = this.noise.reduce((sum, power) => sum + power, 0) + TINY;
    let all = 0;
    for (const window of this.windows) for (let band = 0; band < BINS; band += 1) all += powerOf(window, band);
    return 10 * Math.log10(Math.max(TINY, all / this.windows.length - noise) / noise);
  }

  /** As many samples, with less noise. */
  reduced(): Float32Array {
    const sum = new Float64Array(this.windows.length * HOP + WINDOW);
    const weights = new Float64Array(sum.length);
    const before = new Float64Array(BINS);
    for (const [index, window] of this.windows.entries()) {
      const [real, imaginary] = [window.real.slice(), window.imaginary.slice()];
      for (let band = 0; band < BINS; band += 1) {
        const noise = this.noise[band]! + TINY;
        const posterior = Math.min(powerOf(window, band) / noise, MOST_POSTERIOR);
        const prior = (MEMORY * before[band]!) / noise + (1 - MEMORY) * Math.max(posterior - 1, 0);
        const found = gain(Math.max(prior, LEAST_PRIOR), posterior);
        before[band] = found * found * powerOf(window, band);
        const kept = Math.max(FLOOR, Math.min(1, found));
        scale(real, band, kept);
        scale(imaginary, band, kept);
      }
      // The inverse is the transform with its parts exchanged.
      transform(imaginary, real);
      for (let at = 0; at < WINDOW; at += 1) {
        sum[index * HOP + at]! += (real[at]! / WINDOW) * shape[at]!;
        weights[index * HOP + at]! += shape[at]! ** 2;
      }
    }
    const start = -firstOf(0);
    return this.samples.map((_, at) => sum[start + at]! / Math.max(weights[start + at]!, TINY));
  }

  private noiseByBand(): Float64Array {
    // Those at the ends reach beyond the stretch.
    const inside = this.windows.slice(WINDOW / HOP, -WINDOW / HOP);
    const raw = Float64Array.from({ length: BINS }, (_, band) => {
      const powers = Float64Array.from(inside, (window) => powerOf(window, band)).sort();
      // Power of noise is distributed exponentially.
      return (powers[Math.floor(PAUSES * powers.length)] ?? 0) / -Math.log(1 - PAUSES);
    });
    return raw.map((_, band) => {
      const near = raw.subarray(Math.max(0, band - NEIGHBOURS), band + NEIGHBOURS + 1);
      return near.reduce((sum, power) => sum + power, 0) / near.length;
    });
  }
}

const firstOf = (window: number): number => window * HOP - WINDOW + HOP;

const powerOf = (window: { real: Float64Array; imaginary: Float64Array }, band: number): number =>
  window.real[band]! ** 2 + window.imaginary[band]! ** 2;

/** A band, and its mirror image in the upper half. */
function scale(part: Float64Array, band: number, factor: number): void {
  part[band]! *= factor;
  const mirror = (WINDOW - band) % WINDOW;
  if (mirror !== band) part[mirror]! *= factor;
}

function gain(prior: number, posterior: number): number {
  const wiener = prior / (1 + prior);
  return wiener * Math.exp(0.5 * exponentialIntegral(Math.max(wiener * posterior, 1e-4)));
}

/** E1, for what is greater than 0. */
function exponentialIntegral(value: number): number {
  if (value <= SERIES_UP_TO) {
    let sum = -EULER - Math.log(value);
    for (let term = 1, power = 1; term < SERIES_TERMS; term += 1) {
      power *= -value / term;
      sum -= power / term;
    }
    return sum;
  }
  let fraction = 0;
  for (let term = FRACTION_TERMS; term > 0; term -= 1) fraction = term / (1 + term / (value + fraction));
  return Math.exp(-value) / (value + fraction);
}

/** The fast Fourier transform of Cooley and Tukey of a window, in place. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const { length } = real;
  for (let index = 1, other = 0; index < length; index += 1) {
    let bit = length >> 1;
    for (; other & bit; bit >>= 1) other ^= bit;
    other ^= bit;
    if (index >= other) continue;
    [real[index], real[other]] = [real[other]!, real[index]!];
    [imaginary[index], imaginary[other]] = [imaginary[other]!, imaginary[index]!];
  }
  for (let size = 2; size <= length; size *= 2) {
    const half = size / 2;
    for (let step = 0; step < half; step += 1) {
      const cosine = cosines[(step * WINDOW) / size]!;
      const sine = -sines[(step * WINDOW) / size]!;
      for (let low = step; low < length; low += size) {
        const high = low + half;
        const re = real[high]! * cosine - imaginary[high]! * sine;
        const im = real[high]! * sine + imaginary[high]! * cosine;
        real[high] = real[low]! - re;
        imaginary[high] = imaginary[low]! - im;
        real[low]! += re;
        imaginary[low]! += im;
      }
    }
  }
}
