/**
 * How well English is written down by the built-in models, how long that takes on one core, and how right the times are: sentences spoken by
 * espeak-ng, alone and in noise, and Asterisk's English prompts, whichever of them the machine has; then noise and silence.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBlocks } from "../src/documents/read-document.ts";
import { plainRecognition } from "../src/documents/text-recognition.ts";
import type { SubtitleEntry } from "../src/documents/types.ts";
import { LecternError } from "../src/foundation/errors.ts";
import { wavFile } from "../test/documents/audio/sounds.ts";
import { Random } from "./random.ts";
import { prompts, sentences } from "./speech/sentences.ts";
import { wordErrors, wordsOf } from "./speech/word-errors.ts";

const RATE = 16_000;
const WAV_HEAD_BYTES = 44;
const PROMPTS = "/usr/share/asterisk/sounds/en_US_f_Allison";
const VOICES = ["en-us", "en-gb", "en-us+f3"];
/** Seconds between two sentences of one recording. */
const PAUSE = 1.5;
const SENTENCES_OF_A_RECORDING = 8;
/** Power of the speech over that of the noise, in decibels. */
const NOISE_DECIBELS = 15;

interface Spoken {
  readonly text: string;
  readonly samples: Float32Array;
  readonly rate: number;
}

interface Sum {
  words: number;
  errors: number;
  seconds: number;
  processorSeconds: number;
  readonly offsets: number[];
}

export async function benchSpeech(): Promise<void> {
  if (Bun.which("espeak-ng") === null) console.log("Left out: sentences spoken by espeak-ng, which is not here.");
  else {
    for (const voice of VOICES) {
      const spoken = sentences.map((text) => ({ text, ...speak(voice, text) }));
      tell(`${spoken.length} sentences, ${voice}`, await measure(spoken, null));
      if (voice === VOICES[0]) tell(`the same in noise, ${NOISE_DECIBELS} dB`, await measure(spoken, NOISE_DECIBELS));
    }
  }
  if (existsSync(PROMPTS)) {
    const found = Object.entries(prompts).filter(([name]) => existsSync(join(PROMPTS, `${name}.wav`)));
    const spoken = found.map(([name, text]) => ({ text, ...decoded(join(PROMPTS, `${name}.wav`)) }));
    tell(`${spoken.length} prompts of a person`, await measure(spoken, null));
  } else console.log("Left out: prompts of a person, package asterisk-core-sounds-en-wav.");
  const random = new Random(3);
  for (const loudness of [0, 0.005, 0.05, 0.5]) {
    const samples = Float32Array.from({ length: 60 * RATE }, () => (random.below(2001) / 1000 - 1) * loudness);
    const { entries } = await heard(samples, RATE);
    console.log(
      `a minute of noise, ${loudness} loud: ${wordsOf(entries.map(({ text }) => text).join(" ")).length} words`,
    );
  }
}

async function measure(spoken: readonly Spoken[], decibels: number | null): Promise<Sum> {
  const sum: Sum = { words: 0, errors: 0, seconds: 0, processorSeconds: 0, offsets: [] };
  for (let first = 0; first < spoken.length; first += SENTENCES_OF_A_RECORDING) {
    const some = spoken.slice(first, first + SENTENCES_OF_A_RECORDING);
    const starts: number[] = [];
    const pieces: Float32Array[] = [];
    let seconds = 0;
    const rate = some[0]!.rate;
    for (const { samples } of some) {
      pieces.push(new Float32Array(PAUSE * rate), samples);
      starts.push(seconds + PAUSE);
      seconds += PAUSE + samples.length / rate;
    }
    const all = Float32Array.from(pieces.flatMap((piece) => [...piece]));
    if (decibels !== null) addNoise(all, decibels);
    const { entries, processorSeconds } = await heard(all, rate);
    const said = wordsOf(some.map(({ text }) => text).join(" "));
    sum.words += said.length;
    sum.errors += wordErrors(said, wordsOf(entries.map(({ text }) => text).join(" ")));
    sum.seconds += seconds;
    sum.processorSeconds += processorSeconds;
    for (const start of starts)
      sum.offsets.push(Math.min(...entries.map(({ startTime }) => Math.abs(startTime - start)), PAUSE));
  }
  return sum;
}

async function heard(
  samples: Float32Array,
  sampleRate: number,
): Promise<{ entries: SubtitleEntry[]; processorSeconds: number }> {
  const before = process.cpuUsage();
  let entries: SubtitleEntry[] = [];
  try {
    const expected = { language: "en", ocrLanguages: [] };
    const read = await readBlocks(
      wavFile(samples, { sampleRate }),
      "a.wav",
      null,
      {},
      { ...plainRecognition, expected },
    );
    entries = read.subtitles ?? [];
  } catch (error) {
    if (!(error instanceof LecternError) || error.code !== "NO_TEXT") throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return { entries, processorSeconds: (user + system) / 1e6 };
}

function tell(what: string, { words, errors, seconds, processorSeconds, offsets }: Sum): void {
  const median = offsets.toSorted((a, b) => a - b)[Math.floor(offsets.length / 2)]!;
  console.log(
    `${what}: ${((errors / words) * 100).toFixed(1)} % of ${words} words wrong, ${(processorSeconds / seconds).toFixed(3)} s of a processor a second (loading included), sentences begin ${median.toFixed(2)} s off (median)`,
  );
}

function speak(voice: string, text: string): { samples: Float32Array; rate: number } {
  const folder = mkdtempSync(join(tmpdir(), "lectern-speech-"));
  try {
    const path = join(folder, "said.wav");
    const { success } = Bun.spawnSync(["espeak-ng", "-v", voice, "-s", "150", "-w", path, text]);
    if (!success) throw new Error(`espeak-ng does not speak ${voice}`);
    return decoded(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A WAV file of 16 bits. */
function decoded(path: string): { samples: Float32Array; rate: number } {
  const view = viewOf(readFileSync(path));
  const rate = view.getUint32(24, true);
  const count = Math.floor((view.byteLength - WAV_HEAD_BYTES) / 2);
  const samples = Float32Array.from(
    { length: count },
    (_, index) => view.getInt16(WAV_HEAD_BYTES + 2 * index, true) / 32_768,
  );
  return { samples, rate };
}

function addNoise(samples: Float32Array, decibels: number): void {
  const random = new Random(11);
  const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
  const loudness = Math.sqrt(3 * power * 10 ** (-decibels / 10));
  for (let index = 0; index < samples.length; index += 1) samples[index]! += (random.below(2001) / 1000 - 1) * loudness;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
