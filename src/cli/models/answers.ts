/** Language models that answer: files in GGUF form. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  answerModelFiles,
  defaultSequences,
  estimateMemory,
  probeModel,
  readAnswerModel,
  realCores,
  writeAnswerRecord,
  type AnswerModel,
} from "../../answers/index.ts";
import { EXTRACTIVE, type Config } from "../../options/config.ts";
import { fail } from "../../foundation/errors.ts";
import { availableBytes, machineBytes } from "../../foundation/machine-memory.ts";
import { answerEnvironment, ownCommand } from "../../native/index.ts";
import { copyWithHashes, gigabytes, hashFiles, type Hashes } from "../copy-with-hashes.ts";
import { recordModelChoice } from "./choice.ts";
import type { Model, ModelKind, Report } from "./kind.ts";

/** What `model use extractive` names: answers are sentences of the documents. */
export const withoutModel = (): Model => ({ kind: answers, name: EXTRACTIVE, directory: null });

export const answers: ModelKind = {
  id: "answer",
  purpose: "answers",
  builtIn: [],

  async isOne(place) {
    if (place.endsWith(".gguf")) return true;
    return !existsSync(join(place, "manifest.json")) && (await answerModelFiles(place)).length > 0;
  },

  async examine(config, place) {
    if (!existsSync(place)) throw fail("OPERATION_FAILED", { reason: `There is nothing at ${place}.` });
    const model = await readAnswerModel(place);
    return { name: nameFor(place, model), copyTo: (target) => copyAnswerModel(config, model, target) };
  },

  isInUse: (config, { name }) => config.answerModel === name,

  async describe(config, { directory }) {
    const model = await readAnswerModel(directory!);
    const { title, architecture, parameters, contextLength, bytes, licence } = model;
    const memory = memoryOf(config, model);
    const takes = `takes about ${gigabytes(memory.memoryBytes)} of memory, ${memory.answersAtOnce} answers at a time`;
    return {
      bytes,
      licence,
      what: `${title} (${architecture}), ${takes}`,
      details: { title, architecture, parameters, contextLength, ...memory },
    };
  },

  verify: (_config, { directory }) => verifyAnswerModel(directory!),

  async use({ name, directory }, { config }) {
    await recordModelChoice(config.dataDirectory, directory === null ? null : name, "answer_model");
    return {
      record: {},
      sentences: [
        directory === null
          ? "Queries are answered without a language model from the next start of the server on."
          : `Model ${name} answers queries from the next start of the server on.`,
      ],
    };
  },

  async refuseWhileNeeded(config, { name }) {
    if (config.answerModel === name)
      throw fail("OPERATION_FAILED", {
        reason: `The model ${name} is in use. Choose another first: lectern model use ${EXTRACTIVE}`,
      });
  },
};

/** Tries a model, copies it with its hashes, and says what it will take of the machine. */
async function copyAnswerModel(config: Config, model: AnswerModel, target: string): Promise<Report> {
  await tryModel(model);
  const files = model.files.map((file) => join(dirname(model.path), file));
  const expected = await announcedHashes(files);
  await copyWithHashes(files, model.bytes, target, async (copy, hashes) => {
    checkHashes(hashes, expected, "the .sha256 file beside it");
    await readAnswerModel(copy);
    await writeAnswerRecord(copy, hashes);
  });
  const { title, architecture, parameters, bytes } = model;
  const memory = memoryOf(config, model);
  const name = basename(target);
  return {
    record: { architecture, parameters, bytes, hashChecked: Object.keys(expected).length > 0, ...memory },
    sentences: [
      `Model ${name} is there: ${title}, ${architecture}, ${(parameters / 1e9).toPrecision(2)} billion parameters.`,
      memorySentence(memory),
      `Next: lectern model use ${name}`,
    ],
    ...(memory.memoryBytes > memory.machineBytes && { warning: "This machine has too little memory for it." }),
  };
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
