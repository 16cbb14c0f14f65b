/** Stretches of speech in a recording: cut at silences, short enough for the models, each with the times at which somebody speaks. */
import { SPEECH_RATE } from "../audio/resample.ts";
import type { SpeechSound } from "../audio/recording.ts";
import { VOICE_STEP } from "./voice.ts";

/** Whoever tells voices from other sounds. */
export interface Listener {
  probability(samples: Float32Array): Promise<number>;
  reset(): void;
}

export interface Stretch {
  /** The second of its first sample in the recording. */
  readonly time: number;
  readonly samples: Float32Array;
  /** Seconds from its beginning between which somebody speaks. */
  readonly voiced: ReadonlyArray<readonly [start: number, end: number]>;
}

const STEP_SECONDS = VOICE_STEP / SPEECH_RATE;
/** Speech begins at the first probability and goes on down to the second. */
const BEGINS = 0.5;
const GOES_ON = 0.35;
/** Somebody was certainly heard once. */
const CERTAIN = 0.7;
/** Seconds of voice without which a sound is none. */
const LEAST_VOICE = 0.2;
/** Seconds of silence that end a stretch; a short one waits longer, since models do better with more. */
const PAUSE = 0.6;
const SHORT_STRETCH = 12;
const PAUSE_WHEN_SHORT = 2;
/** Seconds of a stretch at most, and how much of its end is looked through for the best place to cut it there. */
const LONGEST = 25;
const CUT_WITHIN = 12;
/** Seconds kept before and behind voices. */
const MARGIN = 0.25;

interface Step {
  readonly samples: Float32Array;
  readonly probability: number;
  readonly isVoice: boolean;
}

/** `heard` is told how far the recording has been listened to, in seconds. */
export async function* stretchesOf(
  sound: AsyncIterable<SpeechSound>,
  listener: Listener,
  heard: (seconds: number) => void = () => {},
): AsyncGenerator<Stretch> {
  const cutter = new Cutter();
  let rest = new Float32Array(0);
  /** The second of the first sample of `rest`. */
  let time = 0;
  for await (const piece of sound) {
    if (Math.abs(piece.time - (time + rest.length / SPEECH_RATE)) > STEP_SECONDS) {
      yield* cutter.end();
      listener.reset();
      rest = new Float32Array(0);
      time = piece.time;
    }
    const joined = new Float32Array(rest.length + piece.samples.length);
    joined.set(rest);
    joined.set(piece.samples, rest.length);
    let at = 0;
    for (; at + VOICE_STEP <= joined.length; at += VOICE_STEP) {
      const samples = joined.slice(at, at + VOICE_STEP);
      yield* cutter.push(samples, await listener.probability(samples), time);
      time += STEP_SECONDS;
    }
    rest = joined.slice(at);
    heard(time);
  }
  if (rest.length > 0) {
    const samples = new Float32Array(VOICE_STEP);
    samples.set(rest);
    yield* cutter.push(samples, await listener.probability(samples), time);
  }
  yield* cutter.end();
}

class Cutter {
  /** From the margin before the first voice on; while nobody speaks, what may become that margin. */
  private steps: Step[] = [];
  private start = 0;
  private isSpeaking = false;
  /** Steps since the last voice. */
  private silence = 0;
  private hasVoice = false;

  *push(samples: Float32Array, probability: number, time: number): Generator<Stretch> {
    if (this.steps.length === 0) this.start = time;
    this.isSpeaking = probability >= (this.isSpeaking ? GOES_ON : BEGINS);
    this.steps.push({ samples, probability, isVoice: this.isSpeaking });
    this.silence = this.isSpeaking ? 0 : this.silence + 1;
    this.hasVoice ||= this.isSpeaking;
    if (!this.hasVoice) {
      this.dropTo(steps(MARGIN));
      return;
    }
    const length = (this.steps.length - this.silence) * STEP_SECONDS;
    const pause = length < SHORT_STRETCH ? PAUSE_WHEN_SHORT : PAUSE;
    if (this.silence * STEP_SECONDS >= pause) yield* this.cut(this.steps.length - this.silence + steps(MARGIN));
    else if (this.steps.length * STEP_SECONDS >= LONGEST) yield* this.cut(this.quietest());
  }

  *end(): Generator<Stretch> {
    if (this.hasVoice) yield* this.cut(Math.min(this.steps.length, this.steps.length - this.silence + steps(MARGIN)));
    this.steps = [];
    this.isSpeaking = false;
    this.hasVoice = false;
    this.silence = 0;
  }

  /** Hands over the first so many steps. */
  private *cut(count: number): Generator<Stretch> {
    const taken = this.steps.slice(0, count);
    const time = this.start;
    this.dropTo(this.steps.length - count);
    this.hasVoice = this.steps.some(({ isVoice }) => isVoice);
    if (!this.hasVoice) this.dropTo(steps(MARGIN));
    const voiced = voicedIn(taken);
    const seconds = voiced.reduce((sum, [from, to]) => sum + to - from, 0);
    if (seconds < LEAST_VOICE || !taken.some(({ probability }) => probability >= CERTAIN)) return;
    const samples = new Float32Array(taken.length * VOICE_STEP);
    for (const [index, step] of taken.entries()) samples.set(step.samples, index * VOICE_STEP);
    yield { time, samples, voiced };
  }

  /** Keeps the last so many steps. */
  private dropTo(count: number): void {
    const dropped = Math.max(0, this.steps.length - count);
    this.steps.splice(0, dropped);
    this.start += dropped * STEP_SECONDS;
  }

  /** Behind the step, towards the end, around which voices are least likely. */
  private quietest(): number {
    const { length } = this.steps;
    let best = length;
    let least = Number.POSITIVE_INFINITY;
    for (let index = length - steps(CUT_WITHIN); index < length - steps(MARGIN); index += 1) {
      let around = 0;
      for (let near = index - 3; near <= index + 3; near += 1) around += this.steps[near]!.probability;
      if (around <= least) {
        least = around;
        best = index + 1;
      }
    }
    return best;
  }
}

const steps = (seconds: number): number => Math.round(seconds / STEP_SECONDS);

function voicedIn(taken: readonly Step[]): [number, number][] {
  const voiced: [number, number][] = [];
  for (const [index, { isVoice }] of taken.entries()) {
    if (!isVoice) continue;
    const last = voiced.at(-1);
    const from = index * STEP_SECONDS;
    if (last !== undefined && from - last[1] < STEP_SECONDS / 2) last[1] = from + STEP_SECONDS;
    else voiced.push([from, from + STEP_SECONDS]);
  }
  return voiced;
}
