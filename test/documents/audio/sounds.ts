/** Recordings for tests: made by code where a format allows it, else short tones and sentences that encoders have made (samples/). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { containerOf } from "../../../src/documents/audio/containers.ts";
import { openRecording, speechSound } from "../../../src/documents/audio/recording.ts";
import { RecordingFault } from "../../../src/documents/audio/sound.ts";
import { bytesSource } from "../../../src/documents/byte-source.ts";

/** Hertz of every tone. */
export const TONE = 400;

export const sample = (name: string): Uint8Array => readFileSync(join(import.meta.dir, "samples", name));

/** Samples of a tone at half of the greatest loudness. */
export function tone(seconds: number, sampleRate: number, hertz = TONE): Float64Array {
  return Float64Array.from(
    { length: Math.round(seconds * sampleRate) },
    (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / sampleRate),
  );
}

export interface WavForm {
  /** WAVE format tag; 1: linear, 3: floating point. */
  tag?: number;
  bits?: number;
  sampleRate?: number;
  channels?: number;
  isExtensible?: boolean;
  /** What the file says of its sound's length, where that is not the truth. */
  claimed?: number;
}

/** A WAV file with every channel holding the same samples, each written by `write`. */
export function wavFile(
  samples: ArrayLike<number>,
  { tag = 1, bits = 16, sampleRate = 16_000, channels = 1, isExtensible = false, claimed }: WavForm = {},
): Uint8Array {
  const frame = (bits / 8) * channels;
  const formatLength = isExtensible ? 40 : 16;
  const length = samples.length * frame;
  const view = new DataView(new ArrayBuffer(28 + formatLength + length));
  const letters = (at: number, text: string): void => {
    for (const [index, letter] of [...text].entries()) view.setUint8(at + index, letter.charCodeAt(0));
  };
  letters(0, "RIFF");
  view.setUint32(4, view.byteLength - 8, true);
  letters(8, "WAVEfmt ");
  view.setUint32(16, formatLength, true);
  view.setUint16(20, isExtensible ? 0xfffe : tag, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * frame, true);
  view.setUint16(32, frame, true);
  view.setUint16(34, bits, true);
  if (isExtensible) view.setUint16(44, tag, true);
  const start = 20 + formatLength;
  letters(start, "data");
  view.setUint32(start + 4, claimed ?? length, true);
  for (let index = 0; index < samples.length; index += 1)
    for (let channel = 0; channel < channels; channel += 1)
      writeSample(view, start + 8 + index * frame + (channel * bits) / 8, samples[index]!, tag, bits);
  return new Uint8Array(view.buffer);
}

function writeSample(view: DataView, at: number, value: number, tag: number, bits: number): void {
  if (tag === 3) bits === 32 ? view.setFloat32(at, value, true) : view.setFloat64(at, value, true);
  else if (tag === 6 || tag === 7) view.setUint8(at, value);
  else if (bits === 8) view.setUint8(at, Math.round(128 + value * 127));
  else if (bits === 16) view.setInt16(at, Math.round(value * 32767), true);
  else if (bits === 24) {
    const whole = Math.round(value * 8388607);
    view.setUint16(at, whole & 0xffff, true);
    view.setInt8(at + 2, whole >> 16);
  } else view.setInt32(at, Math.round(value * 2147483647), true);
}

export interface Heard {
  /** At 16 kHz. */
  readonly samples: Float32Array;
  /** What the file says of its length. */
  readonly seconds: number | null;
  /** Of the first sample. */
  readonly start: number;
}

/** All of a recording. `ffmpeg`: the program that decodes AAC. */
export async function hear(bytes: Uint8Array, ffmpeg: string | null = null): Promise<Heard> {
  const source = bytesSource(bytes);
  const container = containerOf(source);
  if (container === null) throw new Error("this is no recording");
  const { sound, seconds } = openRecording(source, container, ffmpeg);
  if (sound === null) throw new RecordingFault("it has no sound");
  const pieces: Float32Array[] = [];
  let start = 0;
  for await (const piece of speechSound(sound)) {
    if (pieces.length === 0) start = piece.time;
    pieces.push(piece.samples);
  }
  const samples = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  return { samples, seconds, start };
}

/** The share of the energy, between a tenth and nine tenths of the sound, that lies at a frequency: about 1 for a tone of it. */
export function shareAt(samples: Float32Array, hertz = TONE): number {
  const part = samples.subarray(Math.floor(samples.length * 0.1), Math.floor(samples.length * 0.9));
  let [real, imaginary, energy] = [0, 0, 0];
  for (let index = 0; index < part.length; index += 1) {
    const angle = (2 * Math.PI * hertz * index) / 16_000;
    real += part[index]! * Math.cos(angle);
    imaginary += part[index]! * Math.sin(angle);
    energy += part[index]! ** 2;
  }
  return energy === 0 ? 0 : (2 * (real ** 2 + imaginary ** 2)) / (part.length * energy);
}
