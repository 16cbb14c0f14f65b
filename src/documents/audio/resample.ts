/** Sound of any rate and any channels to one channel at 16 kHz, as it streams by. */

export const SPEECH_RATE = 16_000;

/** Zero crossings of the filter on each side: what lies above half the rate comes through a thousandth as loud. */
const CROSSINGS = 16;
/** The filter's edge, as a share of half the lower rate. */
const EDGE = 0.94;
/** Positions between two samples at which the filter is worked out; with rates of which one is no simple share of the other, the nearest is taken. */
const MOST_PHASES = 1024;

export class Resampler {
  private readonly taps: number;
  private readonly phases: number;
  private readonly filters: Float32Array[] = [];
  /** The samples that are still needed, the first `taps` of which reach before the next sample out. */
  private held: Float32Array;
  /** The next sample's position in `held`, in input samples. */
  private readonly step: number;
  private count = 0;
  /** Inputs dropped from the front of `held`. */
  private dropped = 0;

  constructor(readonly sampleRate: number) {
    const divisor = greatestDivisor(sampleRate, SPEECH_RATE);
    this.phases = Math.min(MOST_PHASES, SPEECH_RATE / divisor);
    const scale = Math.min(1, SPEECH_RATE / sampleRate) * EDGE;
    this.taps = Math.ceil(CROSSINGS / scale);
    this.step = sampleRate / SPEECH_RATE;
    for (let phase = 0; phase < this.phases; phase += 1)
      this.filters.push(filterAt(phase / this.phases, this.taps, scale));
    // As if silence came before.
    this.held = new Float32Array(this.taps - 1);
    this.dropped = -(this.taps - 1);
  }

  /** What comes out when these samples have come in. */
  push(input: Float32Array): Float32Array {
    if (this.sampleRate === SPEECH_RATE) return input;
    const held = new Float32Array(this.held.length + input.length);
    held.set(this.held);
    held.set(input, this.held.length);
    const available = this.dropped + held.length;
    // Sample n lies at n × step and needs `taps` inputs behind it.
    const end = Math.max(this.count, Math.floor((available - this.taps - 1) / this.step) + 1);
    const out = new Float32Array(end - this.count);
    for (let index = 0; index < out.length; index += 1) {
      const position = (this.count + index) * this.step;
      let whole = Math.floor(position);
      let phase = Math.round((position - whole) * this.phases);
      if (phase === this.phases) {
        phase = 0;
        whole += 1;
      }
      const filter = this.filters[phase]!;
      const start = whole - this.taps + 1 - this.dropped;
      let sum = 0;
      for (let tap = 0; tap < filter.length; tap += 1) sum += filter[tap]! * held[start + tap]!;
      out[index] = sum;
    }
    this.count = end;
    const needed = Math.max(0, Math.floor(end * this.step) - this.taps + 1 - this.dropped);
    this.held = held.slice(needed);
    this.dropped += needed;
    return out;
  }

  /** What is left when nothing more comes. */
  end(): Float32Array {
    return this.sampleRate === SPEECH_RATE ? new Float32Array(0) : this.push(new Float32Array(this.taps + 1));
  }
}

/** Weights of the inputs around a position that lies `fraction` behind one: a sinc under a Blackman window, of sum 1. */
function filterAt(fraction: number, taps: number, scale: number): Float32Array {
  const filter = new Float32Array(taps * 2);
  let sum = 0;
  for (let index = 0; index < filter.length; index += 1) {
    const distance = index - (taps - 1) - fraction;
    const x = Math.PI * distance * scale;
    const place = distance / taps;
    const window =
      Math.abs(place) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * place) + 0.08 * Math.cos(2 * Math.PI * place);
    filter[index] = (x === 0 ? 1 : Math.sin(x) / x) * window;
    sum += filter[index]!;
  }
  for (let index = 0; index < filter.length; index += 1) filter[index]! /= sum;
  return filter;
}

/** One channel of several. Where there are many, one that speaks alone is not to become too quiet. */
export function mixed(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0)] = channels;
  if (channels.length <= 1) return first;
  const scale = channels.length === 2 ? 0.5 : 1 / Math.sqrt(channels.length);
  const out = new Float32Array(first.length);
  for (const samples of channels) for (let index = 0; index < out.length; index += 1) out[index]! += samples[index]!;
  for (let index = 0; index < out.length; index += 1) out[index]! *= scale;
  return out;
}

function greatestDivisor(one: number, two: number): number {
  return two === 0 ? one : greatestDivisor(two, one % two);
}
