/** Language models of a data directory, for `lectern model …`. */
import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  answerModelFiles,
  defaultSequences,
  estimateMemory,
  probeModel,
  readAnswerModel,
  realCores,
  writeAnswerRecord,
  type AnswerModel,
} from "../answers/index.ts";
import { BUILT_IN_MODEL, EXTRACTIVE, type Config } from "../options/config.ts";
import { fail } from "../foundation/errors.ts";
import { availableBytes, machineBytes } from "../foundation/machine-memory.ts";
import { answerEnvironment, ownCommand } from "../native/index.ts";
import { copyWithHashes, gigabytes, hashFiles, type Hashes } from "./copy-with-hashes.ts";
import { note, print, printJson } from "./terminal.ts";
import { sweepPartialCopies } from "./whole-file.ts";

/** Whether a place that is named to `model add` is a language model: a GGUF file, or a folder of one and no embedding model's. */
export async function isAnswerModel(place: string): Promise<boolean> {
  if (place.endsWith(".gguf")) return true;
  return !existsSync(join(place, "manifest.json")) && (await answerModelFiles(place)).length > 0;
}

/** Checks a model, copies it into the data directory, and says what it will take of the machine. */
export async function addAnswerModel(
  config: Config,
  place: string,
  givenName: string | undefined,
  json: boolean,
): Promise<void> {
  const source = resolve(place);
  if (!(await stat(source).catch(() => null)))
    throw fail("OPERATION_FAILED", { reason: `There is nothing at ${source}.` });
  const model = await readAnswerModel(source);
  const name = givenName ?? nameFor(source, model);
  if (
    !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) ||
    name === BUILT_IN_MODEL ||
    name === EXTRACTIVE ||
    name.endsWith(".gguf")
  ) {
    throw fail("USAGE", {
      reason: `"${name}" cannot be a model's name. Choose one with --name: letters, digits, dots, hyphens; not "${BUILT_IN_MODEL}" or "${EXTRACTIVE}".`,
    });
  }
  const models = join(config.dataDirectory, "models");
  const target = join(models, name);
  if (existsSync(target))
    throw fail("OPERATION_FAILED", {
      reason: `There is a model "${name}" already, in ${target}. Choose another name with --name, or: lectern model remove ${name}`,
    });
  await tryModel(model);

  await mkdir(models, { recursive: true, mode: 0o700 });
  await sweepPartialCopies(models);
  const files = model.files.map((file) => join(dirname(model.path), file));
  const expected = await announcedHashes(files);
  await copyWithHashes(files, model.bytes, target, async (copy, hashes) => {
    checkHashes(hashes, expected, "the .sha256 file beside it");
    await readAnswerModel(copy);
    await writeAnswerRecord(copy, hashes);
  });
  const memory = memoryOf(config, model);
  if (json) {
    printJson({
      name,
      kind: "answer",
      architecture: model.architecture,
      parameters: model.parameters,
      bytes: model.bytes,
      hashChecked: Object.keys(expected).length > 0,
      ...memory,
    });
    return;
  }
  print(
    `Model ${name} is there: ${model.title}, ${model.architecture}, ${(model.parameters / 1e9).toPrecision(2)} billion parameters.`,
  );
  print(memorySentence(memory));
  if (memory.memoryBytes > memory.machineBytes) note("This machine has too little memory for it.");
  print(`Next: lectern model use ${name}`);
}

/** Checks a model that is there: its files against the hashes that were recorded, its head, and that it can be opened. Throws what is wrong. */
export async function verifyAnswerModel(folder: string): Promise<void> {
  const model = await readAnswerModel(folder);
  if (model.hashes !== null) {
    checkHashes(
      await hashFiles(
        model.files.map((file) => join(folder, file)),
        model.bytes,
      ),
      model.hashes,
      "what was recorded when it was added",
    );
  }
  await tryModel(model);
}

/** What `model list` tells of it. */
export async function describeAnswerModel(config: Config, name: string, folder: string) {
  const model = await readAnswerModel(folder);
  return {
    name,
    kind: "answer" as const,
    inUse: config.answerModel === name,
    title: model.title,
    architecture: model.architecture,
    parameters: model.parameters,
    contextLength: model.contextLength,
    bytes: model.bytes,
    licence: model.licence,
    ...memoryOf(config, model),
  };
}

/** Bytes it takes with the configured options, against those that there are. */
function memoryOf(config: Config, model: AnswerModel) {
  const contextSize = Math.min(config.answerContext, model.contextLength || config.answerContext);
  const answersAtOnce = config.answerParallel || defaultSequences(model, contextSize, realCores(), availableBytes());
  const { total, weights } = estimateMemory(model, contextSize, answersAtOnce);
  return {
    memoryBytes: total,
    weightBytes: weights,
    answersAtOnce,
    contextTokens: contextSize,
    machineBytes: machineBytes(),
    availableBytes: availableBytes(),
  };
}

function memorySentence(memory: ReturnType<typeof memoryOf>): string {
  return (
    `It takes about ${gigabytes(memory.memoryBytes)} of memory (${gigabytes(memory.weightBytes)} of it the weights), with ${memory.answersAtOnce} answers at a time of ${memory.contextTokens} tokens each; ` +
    `this machine has ${gigabytes(memory.machineBytes)}, of which ${gigabytes(memory.availableBytes)} are free.`
  );
}

function tryModel(model: AnswerModel): Promise<void> {
  return probeModel({ command: ownCommand("--role=answer"), environment: answerEnvironment(), modelPath: model.path });
}

function nameFor(source: string, model: AnswerModel): string {
  const stem = source.endsWith(".gguf")
    ? basename(model.path, ".gguf").replace(/-00001-of-\d{5}$/, "")
    : basename(source);
  return stem
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64);
}

/** What `FILE.sha256` beside each file says; files without one are left out. */
async function announcedHashes(files: readonly string[]): Promise<Hashes> {
  const hashes: Hashes = {};
  for (const file of files) {
    const text = await readFile(`${file}.sha256`, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw fail("OPERATION_FAILED", { reason: `${file}.sha256 cannot be read: ${error.message}` }, undefined, error);
    });
    if (text === null) continue;
    const hash = /\b[0-9a-f]{64}\b/i.exec(text)?.[0];
    if (hash === undefined) throw fail("OPERATION_FAILED", { reason: `${file}.sha256 holds no SHA-256.` });
    hashes[basename(file)] = hash.toLowerCase();
  }
  return hashes;
}

function checkHashes(found: Hashes, expected: Readonly<Hashes>, whose: string): void {
  for (const [file, hash] of Object.entries(expected)) {
    if (found[file] !== hash)
      throw fail("OPERATION_FAILED", {
        reason: `${file} is damaged: its SHA-256 is ${found[file]}, and ${whose} says ${hash}.`,
      });
  }
}
