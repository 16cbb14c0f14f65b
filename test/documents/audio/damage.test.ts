/** Damaged recordings end in sound or in a sentence, and never in more than the file is worth. */
import { expect, test } from "bun:test";
import { RecordingFault } from "../../../src/documents/audio/sound.ts";
import { mutantsOf } from "../mutants.ts";
import { hear, sample, tone, wavFile } from "./sounds.ts";

const MUTANTS = 24;
/** Beyond what any of the samples holds, times that are claimed to lie ahead included: they take no memory. */
const MOST_SECONDS = 30;

const names = [
  "tone.mp3",
  "tone-vbr.mp3",
  "tone.flac",
  "tone-24.flac",
  "tone-vorbis.ogg",
  "tone.opus",
  "tone-6.opus",
  "tone-flac.oga",
  "tone.webm",
  "tone-vorbis.webm",
  "tone-mp3.mka",
  "tone-pcm.mka",
  "tone-opus.mp4",
  "tone-flac.mp4",
  "tone-mp3.mp4",
  "tone-pcm.mov",
  "tone-fragments.mp4",
  "subtitled.mp4",
  "subtitled.mkv",
];

async function expectCleanEnd(bytes: Uint8Array): Promise<void> {
  try {
    const { samples } = await hear(bytes);
    expect(samples.length / 16_000).toBeLessThan(MOST_SECONDS);
  } catch (error) {
    // A RangeError is a number that should stand behind the end of the file: it is told as damage.
    const isDamage = error instanceof RecordingFault || error instanceof RangeError;
    if (!isDamage && !/^this is no recording/.test((error as Error).message)) throw error;
  }
}

test.each(names)("%s", async (name) => {
  for (const mutant of mutantsOf(sample(name), MUTANTS)) await expectCleanEnd(mutant);
});

test("WAV", async () => {
  for (const mutant of mutantsOf(wavFile(tone(0.05, 8000), { sampleRate: 8000 }), 300)) await expectCleanEnd(mutant);
});
