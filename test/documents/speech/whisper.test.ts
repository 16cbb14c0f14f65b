/** Whisper's pipeline: what it sees of sound, which tokens may follow which, and what becomes of what it says. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logMel, melFilters } from "../../../src/documents/speech/whisper/mel.ts";
import { applyRules } from "../../../src/documents/speech/whisper/token-rules.ts";
import { WhisperTokens } from "../../../src/documents/speech/whisper/whisper-tokens.ts";
import { WhisperModel } from "../../../src/documents/speech/whisper/whisper.ts";
import { findSpeechModels } from "../../../src/documents/speech/model-folders.ts";
import { describeFolder, isSpeechModel, readSpeechManifest } from "../../../src/documents/speech/speech-manifest.ts";
import { failureOf } from "../../harness.ts";
import { tone } from "../audio/sounds.ts";
import { type Form, idOf, PROMPT, saying, type Script, timeId, vocabulary, writeWhisper } from "./tiny-whisper.ts";

const [HELLO, WORLD, AGAIN, END] = [idOf("Hello"), idOf("Ġworld"), idOf("Ġagain"), idOf("<|endoftext|>")];

describe("what it sees of sound", () => {
  test("are bands as librosa makes them", () => {
    const filters = melFilters(80);
    // librosa.filters.mel(sr=16000, n_fft=400, n_mels=80): its first band reaches over one bin, the second begins in it.
    expect(filters.length).toBe(80);
    expect(filters[0]!.length).toBe(201);
    expect([...filters[0]!.subarray(0, 4)].map((value) => +value.toFixed(6))).toEqual([0, 0.024863, 0, 0]);
    expect(+filters[1]![1]!.toFixed(6)).toBe(0.001991);
    expect(+filters[1]![2]!.toFixed(6)).toBe(0.022872);
    // Every band of Slaney's has the area of one.
    const area = filters[60]!.reduce((sum, value) => sum + value * 40, 0);
    expect(area).toBeCloseTo(1, 1);
    expect(melFilters(128).length).toBe(128);
  });

  test("is the same everywhere in silence: nothing lies below 80 dB under the loudest", () => {
    const mel = logMel(new Float32Array(16_000), melFilters(80));
    expect(mel.length).toBe(80 * 3000);
    // log10(1e-10) = -10, and (-10 + 4) / 4.
    expect(new Set(mel)).toEqual(new Set([-1.5]));
  });

  test("of a tone is loudest in the band around it, for as long as it sounds", () => {
    const mel = logMel(Float32Array.from(tone(1, 16_000, 1000)), melFilters(80));
    const column = (frame: number): number[] => Array.from({ length: 80 }, (_, band) => mel[band * 3000 + frame]!);
    const loudest = column(50).indexOf(Math.max(...column(50)));
    const edges = melFilters(80)[loudest]!;
    expect(edges[25]).toBeGreaterThan(0);
    // A sine of 0.5 in a Hann window of 400 has an energy of (0.5 × 400 / 4)² = 2500 in its bin.
    const energy = melFilters(80)[loudest]!.reduce(
      (sum, weight, bin) => sum + weight * ([625, 2500, 625][bin - 24] ?? 0),
      0,
    );
    expect(column(50)[loudest]!).toBeCloseTo((Math.log10(energy) + 4) / 4, 3);
    expect(column(110)[loudest]!).toBeLessThan(column(50)[loudest]! - 1.9);
  });
});

describe("its tokens", () => {
  const tokens = new WhisperTokens(vocabulary);

  test("spell bytes as GPT-2 does", () => {
    expect(tokens.decode([HELLO, WORLD, idOf("Ã"), idOf("¼")])).toBe("Hello worldü");
    expect(tokens.decode([timeId(1), HELLO, END, idOf("<|en|>")])).toBe("Hello");
  });

  test("name languages and times", () => {
    expect([...tokens.languages.keys()]).toEqual(["en", "de"]);
    expect(tokens.secondsOf(timeId(12.34))).toBeCloseTo(12.34);
    expect(tokens.isTime(timeId(0))).toBe(true);
    expect(tokens.isTime(idOf("<|notimestamps|>"))).toBe(false);
  });

  const allowed: [string, number[], number[], number[]][] = [
    ["nothing was said: a time up to 1 s", [], [timeId(0), timeId(1)], [HELLO, END, timeId(1.02)]],
    ["a sentence was opened: a word", [timeId(0)], [HELLO, WORLD], [timeId(0.02), idOf("<|en|>")]],
    [
      "a word was said: a word, the end, or a later time",
      [timeId(0.5), HELLO],
      [WORLD, END, timeId(0.6)],
      [timeId(0.5), timeId(0.2)],
    ],
    [
      "it was closed: the same time or a later one, or the end",
      [timeId(0), HELLO, timeId(1)],
      [timeId(1), timeId(2), END],
      [HELLO, timeId(0.9)],
    ],
    ["another was opened: a word", [timeId(0), HELLO, timeId(1), timeId(1)], [HELLO], [timeId(1), timeId(2)]],
  ];
  test.each(allowed)("that may come where %s", (_, said, may, mayNot) => {
    const among = (token: number): boolean => {
      const logits = new Float32Array(vocabulary.length).fill(-50);
      logits[token] = 50;
      applyRules(logits, said, tokens, { always: [], first: [] });
      return logits[token] === 50;
    };
    expect(may.map(among)).toEqual(may.map(() => true));
    expect(mayNot.map(among)).toEqual(mayNot.map(() => false));
  });

  test("are times where all times together are likelier than any word", () => {
    const logits = new Float32Array(vocabulary.length).fill(-50);
    logits[HELLO] = 1;
    logits.fill(0, timeId(1), timeId(1) + 10);
    applyRules(logits, [timeId(0), WORLD], tokens, { always: [], first: [] });
    expect(logits[HELLO]).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("a recording", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "lectern-whisper-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const speech = Float32Array.from(tone(4, 16_000));
  const twoSentences = [timeId(0), HELLO, WORLD, timeId(1), timeId(1.2), HELLO, AGAIN, timeId(2.5), END];

  async function withModel<Result>(
    script: Script,
    form: Form,
    use: (model: WhisperModel) => Promise<Result>,
  ): Promise<Result> {
    writeWhisper(folder, script, form);
    const model = await WhisperModel.open(folder);
    try {
      return await use(model);
    } finally {
      await model.close();
    }
  }

  test.each(["merged", "two files", "without a cache"] as const)(
    "is written down with its times by a decoder %s",
    async (form) => {
      const { pieces, meanLogProbability } = await withModel(saying(PROMPT, twoSentences), form, (model) =>
        model.transcribe(speech, "en"),
      );
      expect(pieces).toEqual([
        { text: "Hello world", times: [0, expect.closeTo(1)] },
        { text: "Hello again", times: [expect.closeTo(1.2), expect.closeTo(2.5)] },
      ]);
      expect(meanLogProbability).toBeWithin(-0.01, 0.001);
    },
  );

  test("never holds what is suppressed", async () => {
    const script = {
      ...saying(PROMPT, [timeId(0), HELLO, WORLD, timeId(1), END]),
      [PROMPT + 2]: new Map([
        [idOf("!"), 30],
        [WORLD, 20],
      ]),
    };
    const { pieces } = await withModel(script, "merged", (model) => model.transcribe(speech, "en"));
    expect(pieces[0]?.text).toBe("Hello world");
  });

  test("is in the language whose token is likeliest", async () => {
    const script = {
      1: new Map([
        [idOf("<|en|>"), 1],
        [idOf("<|de|>"), 3],
        [HELLO, 9],
      ]),
    };
    const found = await withModel(script, "merged", (model) => model.detectLanguage(speech));
    expect(found?.language).toBe("de");
    // e³ / (e³ + e¹)
    expect(found?.probability).toBeCloseTo(0.8808, 3);
  });

  test("goes on from what was said before, which stands in front of the prompt", async () => {
    const first = [timeId(0), HELLO, timeId(1), END];
    // The mark of what was before, its three tokens, and the prompt.
    const second = saying(PROMPT + 4, [timeId(0), AGAIN, timeId(2), END]);
    const texts = await withModel({ ...second, ...saying(PROMPT, first) }, "merged", async (model) => [
      (await model.transcribe(speech, "en")).pieces[0]?.text,
      (await model.transcribe(speech, "en")).pieces[0]?.text,
    ]);
    expect(texts).toEqual(["Hello", "again"]);
  });

  test("in which nobody speaks gives nothing", async () => {
    const script = { [PROMPT]: new Map([[idOf("<|nospeech|>"), 30]]) };
    const { pieces } = await withModel(script, "merged", (model) => model.transcribe(speech, "en"));
    expect(pieces).toEqual([]);
  });

  test("that comes out as the same over and over is tried again, less surely", async () => {
    const words = [
      "Ġbrisk",
      "Ġumbrella",
      "Ġquartz",
      "Ġfjord",
      "Ġplinth",
      "Ġzephyr",
      "Ġmuffin",
      "Ġgalaxy",
      "Ġoxide",
      "Ġagain",
    ] as const;
    const count = 20;
    const script: Record<number, ReadonlyMap<number, number>> = saying(PROMPT, [timeId(0)]);
    for (let index = 0; index < count; index += 1)
      script[PROMPT + 1 + index] = new Map([
        [WORLD, 20],
        [idOf(words[index % words.length]!), 19.95],
      ]);
    Object.assign(script, saying(PROMPT + 1 + count, [timeId(3), END]));
    const { pieces } = await withModel(script, "merged", (model) => model.transcribe(speech, "en"));
    const said = pieces[0]!.text.split(" ");
    expect(said.length).toBe(count);
    expect(new Set(said).size).toBeGreaterThan(5);
  });

  test("that was cut off in a sentence is heard again from where the sentence begins", async () => {
    const cut = saying(PROMPT, [timeId(0), HELLO, timeId(2), timeId(2), END]);
    // Five tokens less one for the end, the mark in front of them, and the prompt.
    const rest = saying(PROMPT + 5, [timeId(0), AGAIN, timeId(1), END]);
    const script = { ...rest, ...cut, [PROMPT + 4]: new Map([[END, 20]]) };
    const { pieces } = await withModel(script, "merged", (model) => model.transcribe(speech, "en"));
    expect(pieces[0]).toEqual({ text: "Hello", times: [0, expect.closeTo(2)] });
    expect(pieces[1]?.times?.[0]).toBeCloseTo(2);
  });

  test("is given to models that were added, whose folders tell what they understand", async () => {
    writeWhisper(join(folder, "tiny"), saying(PROMPT, twoSentences));
    expect(await isSpeechModel(join(folder, "tiny"))).toBe(true);
    const manifest = await describeFolder(join(folder, "tiny"));
    expect(manifest).toMatchObject({ name: "tiny", family: "whisper", languages: ["en", "de"] });
    expect(Object.keys(manifest.files)).toEqual([
      "config.json",
      "decoder_model_merged.onnx",
      "encoder_model.onnx",
      "generation_config.json",
      "tokenizer.json",
    ]);
    await Bun.write(join(folder, "tiny/manifest.json"), JSON.stringify(manifest));
    expect(await readSpeechManifest(join(folder, "tiny"))).toEqual(manifest);
    expect(await findSpeechModels(folder)).toMatchObject([{ name: "tiny", languages: ["en", "de"] }]);
  });

  test("is not given to folders that lack something, and it is said what", async () => {
    writeWhisper(folder, {});
    rmSync(join(folder, "encoder_model.onnx"));
    expect(((await failureOf(describeFolder(folder))) as Error).message).toContain("has no encoder_model.onnx");
    expect(existsSync(join(folder, "manifest.json"))).toBe(false);
  });
});
