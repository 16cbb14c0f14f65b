/** What is said in recordings, or stands in the subtitles they carry, becomes passages with times. */
import { describe, expect, test } from "bun:test";
import { zipSync } from "fflate";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { plainRecognition, type SpeechSettings } from "../../../src/documents/text-recognition.ts";
import type { SubtitleEntry } from "../../../src/documents/types.ts";
import type { LecternError } from "../../../src/foundation/errors.ts";
import { Random } from "../../../bench/random.ts";
import { failureOf } from "../../harness.ts";
import { sample, tone, wavFile } from "../audio/sounds.ts";

const ENGLISH = sample("english.opus");
const SPANISH = sample("spanish.opus");

interface Expected {
  language?: string;
  speech?: Partial<SpeechSettings>;
  progress?: (fraction: number) => void;
}

function read(name: string, bytes: Uint8Array, { language, speech, progress = () => {} }: Expected = {}) {
  return readBlocks(
    bytes,
    name,
    null,
    {},
    {
      ...plainRecognition,
      speech: { ...plainRecognition.speech, ...speech },
      expected: { language: language ?? null, ocrLanguages: [] },
      progress,
    },
  );
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z ]/g, "");

describe("English speech", () => {
  test("is found out to be English, and becomes sentences with their times", async () => {
    const fractions: number[] = [];
    const { blocks, subtitles, properties, loaderId, mimeType, extension } = await read("talk.opus", ENGLISH, {
      progress: (fraction) => void fractions.push(fraction),
    });
    expect({ loaderId, mimeType, extension }).toEqual({ loaderId: "audio", mimeType: "audio/ogg", extension: "opus" });
    expect(properties.language).toBe("en");
    const text = plain(blocks.map((block) => block.text).join(" "));
    for (const word of ["leaves", "seven", "morning", "tickets", "board", "bicycles", "travel", "without", "charge"])
      expect(text).toContain(word);
    expect(blocks[0]?.place?.startTime).toBeWithin(0, 0.5);
    expect(subtitles!.length).toBeGreaterThanOrEqual(2);
    expect(subtitles!.map(({ id }) => id)).toEqual(subtitles!.map((_, index) => index + 1));
    // The second sentence begins after the pause behind the first, which ends at 3.4 s.
    const second = subtitles!.find(({ text }) => /ticket/i.test(text)) as SubtitleEntry;
    expect(second.startTime).toBeWithin(2.9, 4.2);
    expect(fractions.at(-1)).toBeWithin(0.9, 1.01);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  });

  test("is heard in a region's English, and where an option says it", async () => {
    expect((await read("a.opus", ENGLISH, { language: "en-GB" })).properties.language).toBe("en-GB");
    expect((await read("a.opus", ENGLISH, { speech: { language: "en" } })).properties.language).toBe("en");
  });

  test("is read within an archive, whose other files are read all the same when it cannot be heard", async () => {
    const zip = zipSync({ "talk.opus": ENGLISH, "es.opus": SPANISH, "a.txt": Buffer.from("The lamp is green.") });
    const { blocks } = await read("a.zip", zip);
    expect(blocks.map(({ place }) => place?.member)).toEqual(["talk.opus", "a.txt"]);
  });
});

describe("subtitles", () => {
  test("are short enough to be read, in order, and within the recording", async () => {
    const { subtitles } = await read("talk.opus", ENGLISH);
    let last = 0;
    for (const { startTime, endTime, text } of subtitles!) {
      expect(text.length).toBeLessThanOrEqual(84);
      expect(startTime).toBeGreaterThanOrEqual(last);
      expect(endTime - startTime).toBeWithin(0, 7.001);
      last = endTime;
    }
    expect(last).toBeLessThan(9);
  });

  test.each([
    ["a.mp4", "subtitled.mp4", "video/mp4"],
    ["a.mkv", "subtitled.mkv", "video/x-matroska"],
    ["a.webm", "subtitled.webm", "video/webm"],
  ])("that lie in a video are taken as they are: %s", async (name, file, type) => {
    const { blocks, subtitles, mimeType, loaderId } = await read(name, sample(file));
    expect({ mimeType, loaderId }).toEqual({ mimeType: type, loaderId: "video" });
    expect(subtitles!.map(({ startTime, endTime, text }) => [startTime, endTime, text])).toEqual([
      [0.5, 2, "The harbour opens at dawn."],
      [6, 8, "Bring a lamp\nand a rope."],
    ]);
    expect(blocks.map(({ text, place }) => [text, place?.startTime, place?.endTime])).toEqual([
      ["The harbour opens at dawn.", 0.5, 2],
      ["Bring a lamp and a rope.", 6, 8],
    ]);
  });
});

describe("no words are made up", () => {
  const random = new Random(7);
  const noise = (loudness: number): number[] =>
    Array.from({ length: 16_000 * 6 }, () => (random.below(2000) / 1000 - 1) * loudness);
  const silences: [string, ArrayLike<number>][] = [
    ["of silence", new Float32Array(16_000 * 5)],
    ["of soft noise", noise(0.01)],
    ["of loud noise", noise(0.8)],
    ["of a tone", tone(4, 16_000)],
    ["of clicks", Array.from({ length: 80_000 }, (_, index) => (index % 4000 < 20 ? 0.9 : 0))],
    ["of a tenth of a second", tone(0.1, 16_000)],
  ];
  test.each(silences)("%s", async (_, samples) => {
    expect(await failureOf(read("a.wav", wavFile(samples)))).toMatchObject({ code: "NO_TEXT", status: 400 });
  });
});

describe("a recording is refused", () => {
  const refused: [string, string, Uint8Array, Expected, string, string][] = [
    ["that does not sound like English", "es.opus", SPANISH, {}, "NO_SPEECH_MODEL", "does not sound like English"],
    [
      "said to be in another language",
      "a.opus",
      SPANISH,
      { language: "es" },
      "NO_SPEECH_MODEL",
      'is spoken in "es", which no speech model here understands',
    ],
    ["by an option", "a.opus", SPANISH, { speech: { language: "es-MX" } }, "NO_SPEECH_MODEL", 'is spoken in "es-MX"'],
    ["of pictures alone", "a.mp4", sample("silent.mp4"), {}, "UNREADABLE_FILE", "it holds pictures without sound"],
    ["whose AAC nobody decodes", "a.m4a", sample("tone-aac.m4a"), {}, "UNREADABLE_FILE", "this server has no ffmpeg"],
    ["of no bytes", "a.mp3", new Uint8Array(), {}, "EMPTY_FILE", '"a.mp3" is empty'],
    [
      "that is no recording",
      "a.mp3",
      Uint8Array.from({ length: 500 }, (_, index) => (index * 7 + 3) % 251),
      {},
      "UNSUPPORTED_FILE_TYPE",
      "binary data of an unknown type",
    ],
    [
      "that is cut off in its head",
      "a.wav",
      wavFile(tone(0.1, 8000)).subarray(0, 30),
      {},
      "UNREADABLE_FILE",
      "a WAV file without its sound",
    ],
  ];
  test.each(refused)("%s", async (_, name, bytes, expected, code, sentence) => {
    const failure = (await failureOf(read(name, bytes, expected))) as LecternError;
    expect(failure).toMatchObject({ code, status: 400 });
    expect(failure.message).toContain(sentence);
    expect(failure.message).toContain(`"${name}"`);
  });

  test("that is longer than recordings may be", async () => {
    const long = readBlocks(wavFile(tone(3, 8000), { sampleRate: 8000 }), "a.wav", null, { maxRecordingSeconds: 2 });
    expect(((await failureOf(long)) as Error).message).toContain("it is longer than");
  });

  test("with a sentence that says what to do", async () => {
    const undeclared = ((await failureOf(read("a.opus", SPANISH))) as Error).message;
    expect(undeclared).toContain("send it with the field language=en");
    expect(undeclared).toContain("lectern model add FOLDER");
  });
});

test("a file is what its bytes say, whatever it is called", async () => {
  const { mimeType, extension } = await read("talk.mp3", ENGLISH);
  expect({ mimeType, extension }).toEqual({ mimeType: "audio/ogg", extension: "ogg" });
});
