/** Recordings of every kind become one channel of sound at 16 kHz. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RecordingFault } from "../../../src/documents/audio/sound.ts";
import { failureOf } from "../../harness.ts";
import { program, testWith } from "../../requirements.ts";
import { hear, sample, shareAt, tone, wavFile, type WavForm } from "./sounds.ts";

describe("a tone comes out as it went in, from WAV", () => {
  const forms: [string, WavForm][] = [
    ["of 8 bits", { bits: 8 }],
    ["of 16 bits", {}],
    ["of 24 bits", { bits: 24 }],
    ["of 32 bits", { bits: 32 }],
    ["of floating point", { tag: 3, bits: 32 }],
    ["of floating point of 64 bits", { tag: 3, bits: 64 }],
    ["in the extensible form", { isExtensible: true }],
    ["of two channels", { channels: 2 }],
    ["of eight channels", { channels: 8 }],
    ["of a telephone", { sampleRate: 8000 }],
    ["at 11,025 Hz", { sampleRate: 11_025 }],
    ["at 22,050 Hz", { sampleRate: 22_050 }],
    ["at 44,100 Hz", { sampleRate: 44_100 }],
    ["at 48,000 Hz", { sampleRate: 48_000 }],
    ["at 192,000 Hz", { sampleRate: 192_000 }],
    ["at a rate that is no share of 16,000", { sampleRate: 44_099 }],
    ["whose length was left open", { claimed: 0xffffffff }],
    ["whose length is said to be none", { claimed: 0 }],
    ["that is cut off", { claimed: 10_000_000 }],
  ];
  test.each(forms)("%s", async (_, form) => {
    const { samples } = await hear(wavFile(tone(0.5, form.sampleRate ?? 16_000), form));
    expect(samples.length / 16_000).toBeCloseTo(0.5, 2);
    expect(shareAt(samples)).toBeGreaterThan(0.995);
    // As loud as it was, or louder where many channels say the same.
    expect(Math.max(...samples)).toBeGreaterThan(0.49);
  });
});

test("the curves of telephony are those of ITU-T G.711", async () => {
  // Codes and what they stand for, of 32768.
  const aLaw = [
    [0xd5, 8],
    [0x55, -8],
    [0x80, 5504],
    [0xaa, 32256],
    [0x2a, -32256],
  ] as const;
  const muLaw = [
    [0xff, 0],
    [0x80, 32124],
    [0x00, -32124],
    [0xf0, 120],
    [0x8f, 16764],
  ] as const;
  for (const [tag, table] of [
    [6, aLaw],
    [7, muLaw],
  ] as const) {
    const { samples } = await hear(
      wavFile(
        table.map(([code]) => code),
        { tag, bits: 8 },
      ),
    );
    expect([...samples].map((value) => value * 32_768)).toEqual(table.map(([, value]) => value));
  }
});

test("what lies above what 16 kHz can hold is silenced, and does not come back as another tone", async () => {
  const { samples } = await hear(wavFile(tone(0.5, 48_000, 11_000), { sampleRate: 48_000 }));
  expect(Math.max(...samples.subarray(500, -500))).toBeLessThan(0.002);
});

describe("a tone comes out of what encoders make of it", () => {
  const files: [string, leastShare?: number][] = [
    ["tone.mp3"],
    ["tone-vbr.mp3"],
    ["tone.flac", 0.999],
    ["tone-24.flac", 0.999],
    ["tone-vorbis.ogg"],
    ["tone.opus"],
    ["tone-6.opus"],
    ["tone-flac.oga", 0.999],
    ["tone.webm"],
    ["tone-vorbis.webm"],
    ["tone-flac.mka", 0.999],
    ["tone-mp3.mka"],
    ["tone-pcm.mka", 0.999],
    ["tone-opus.mp4"],
    ["tone-flac.mp4", 0.999],
    ["tone-mp3.mp4"],
    ["tone-pcm.mov", 0.999],
    ["tone-fragments.mp4"],
  ];
  test.each(files)("%s", async (name, least = 0.97) => {
    const { samples, seconds, start } = await hear(sample(name));
    expect(shareAt(samples)).toBeGreaterThan(least);
    expect(samples.length / 16_000).toBeWithin(0.58, 0.76);
    expect(start).toBeWithin(0, 0.1);
    if (seconds !== null) expect(seconds).toBeWithin(0.55, 0.8);
  });
});

describe("AAC", () => {
  testWith(program("ffmpeg"))("is decoded by an ffmpeg of the machine's", async () => {
    for (const name of ["tone-aac.m4a", "tone-aac.mka", "tone.aac"])
      expect(shareAt((await hear(sample(name), Bun.which("ffmpeg"))).samples)).toBeGreaterThan(0.9);
  });

  test("is refused without one, with what to do", async () => {
    for (const name of ["tone-aac.m4a", "tone-aac.mka", "tone.aac"]) {
      const failure = await failureOf(hear(sample(name)));
      expect(failure).toBeInstanceOf(RecordingFault);
      expect((failure as Error).message).toContain("coded as AAC, and this server has no ffmpeg");
    }
  });

  test("is given to the program through a pipe, frame by frame, and never by a path", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-ffmpeg-"));
    try {
      const command = join(folder, "ffmpeg");
      // It says what it was called with, and gives back four bytes for each that it is given, all zero.
      writeFileSync(
        command,
        `#!/bin/sh\necho "$@" > ${folder}/called\n/usr/bin/tee ${folder}/given | /usr/bin/tr '\\0-\\377' '\\0'\n`,
      );
      chmodSync(command, 0o755);
      const { samples } = await hear(sample("tone-aac.m4a"), command);
      expect(samples.every((value) => value === 0)).toBe(true);
      expect(samples.length).toBeGreaterThan(100);
      const called = await Bun.file(join(folder, "called")).text();
      expect(called).toContain("-protocol_whitelist pipe -f aac -i pipe:0");
      const given = await Bun.file(join(folder, "given")).bytes();
      // The mark of a frame, LC at 16 kHz, one channel.
      expect([...given.subarray(0, 4)].map((byte) => byte.toString(16))).toEqual(["ff", "f1", "60", "40"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("of which the program makes nothing is damaged", async () => {
    const failure = await failureOf(hear(sample("tone-aac.m4a"), "/bin/true"));
    expect((failure as Error).message).toContain("ffmpeg makes no sound of its AAC");
  });
});

describe("is told that it cannot be read, and what can be done", () => {
  const refused: [string, string][] = [
    ["tone-alac.m4a", "coded as Apple Lossless, which is not read; convert it"],
    ["tone-adpcm.wav", "coded as IMA ADPCM, which is not read; convert it"],
    ["tone.mp2", "coded as MPEG audio, layer 2, which is not read; convert it"],
  ];
  test.each(refused)("%s", async (name, sentence) => {
    expect(((await failureOf(hear(sample(name)))) as Error).message).toContain(sentence);
  });

  test("an MP4 that was sold encrypted", async () => {
    const encrypted = Buffer.from(sample("tone-opus.mp4"));
    encrypted.write("enca", encrypted.indexOf("Opus", encrypted.indexOf("stsd")));
    expect(((await failureOf(hear(encrypted))) as Error).message).toContain("encrypted (DRM)");
  });

  test("an MP4 whose table was never written", async () => {
    const whole = Buffer.from(sample("tone-opus.mp4"));
    const cut = whole.subarray(0, whole.indexOf("moov") - 4);
    expect(((await failureOf(hear(cut))) as Error).message).toContain(
      "the table that says where its sound lies is missing",
    );
  });
});

test("what a file cut off still holds is heard", async () => {
  for (const name of ["tone.mp3", "tone.flac", "tone.webm"]) {
    const whole = sample(name);
    const { samples } = await hear(whole.subarray(0, Math.floor(whole.length * 0.7)));
    expect(samples.length / 16_000).toBeWithin(0.2, 0.6);
  }
});

test("damage in the middle costs what is damaged, and not what follows", async () => {
  for (const name of ["tone.mp3", "tone.flac", "tone-flac.oga"]) {
    const damaged = Uint8Array.from(sample(name));
    damaged.fill(0x55, Math.floor(damaged.length * 0.45), Math.floor(damaged.length * 0.5));
    expect((await hear(damaged)).samples.length / 16_000).toBeGreaterThan(0.3);
  }
});
