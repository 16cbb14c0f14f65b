/** Speech models as folders: added, listed, checked, chosen, used and removed on the command line. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBlocks } from "../../src/documents/read-document.ts";
import { plainRecognition } from "../../src/documents/text-recognition.ts";
import { sample } from "../documents/audio/sounds.ts";
import { idOf, PROMPT, saying, timeId, writeWhisper } from "../documents/speech/tiny-whisper.ts";
import { lectern, temporaryFolder } from "./lectern.ts";

let folder: ReturnType<typeof temporaryFolder>;
let source = "";
beforeEach(() => {
  folder = temporaryFolder();
  source = join(folder.path, "tiny");
  const said = [timeId(0), idOf("Hello"), idOf("Ġworld"), timeId(2), idOf("<|endoftext|>")];
  writeWhisper(source, { ...saying(PROMPT, said), 1: new Map([[idOf("<|de|>"), 9]]) });
});
afterEach(() => folder.remove());

const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);

test("one of Hugging Face's folders gets its manifest written, and listens from then on", async () => {
  // As their repositories keep graphs.
  mkdirSync(join(source, "onnx"));
  for (const graph of ["encoder_model.onnx", "decoder_model_merged.onnx"])
    renameSync(join(source, graph), join(source, "onnx", graph));
  const added = await run("model", "add", source);
  expect(added.stdout).toContain("Model tiny is there (whisper, en, de)");
  const models = join(folder.dataDirectory, "models");
  const manifest = JSON.parse(readFileSync(join(models, "tiny/manifest.json"), "utf8")) as { family: string };
  expect(manifest.family).toBe("whisper");
  const { stdout: listed } = await run("model", "list");
  expect(listed).toMatch(/^ +tiny +speech .*whisper, en, de$/m);
  expect(listed, "it goes before the one that is built in").toMatch(/^ +moonshine-tiny +speech .*built in/m);
  expect((await run("model", "verify", "tiny")).stdout).toContain("tiny: good");
  expect((await run("model", "add", source)).stderr).toContain('There is a model "tiny" already');

  const recognition = { ...plainRecognition, modelsDirectory: models };
  const heard = await readBlocks(sample("spanish.opus"), "a.opus", null, {}, recognition);
  expect(heard.properties.language).toBe("de");
  expect(heard.blocks[0]?.text).toContain("Hello world");

  expect((await run("model", "use", "tiny")).stdout).toContain("Model tiny listens to recordings");
  expect(readFileSync(join(folder.dataDirectory, "lectern.toml"), "utf8")).toContain('speech_model = "tiny"');
  expect((await run("model", "use", "moonshine-tiny")).stdout).toContain("Model moonshine-tiny listens to recordings");
  expect((await run("model", "list")).stdout).toMatch(/^\* +moonshine-tiny +speech/m);
  expect((await run("model", "use", "tiny")).code).toBe(0);
  expect((await run("model", "remove", "tiny", "--yes")).stdout).toContain("Model tiny is removed");
  expect(readFileSync(join(folder.dataDirectory, "lectern.toml"), "utf8")).not.toContain("speech_model");
});

test("a folder that lacks a file, or whose graph does not work, is refused, and nothing of it stays", async () => {
  writeFileSync(join(source, "encoder_model.onnx"), "not a graph");
  expect((await run("model", "add", source)).stderr).toMatch(/The speech model in .* does not work/);
  rmSync(join(source, "tokenizer.json"));
  expect((await run("model", "add", source)).stderr).toContain("has no tokenizer.json");
  expect((await run("model", "list")).stdout).not.toMatch(/^ +tiny /m);
});
