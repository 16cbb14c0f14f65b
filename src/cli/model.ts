/** `lectern model list|verify|add|use|remove`: the embedding and language models of a data directory. */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BUILT_IN_MODEL, EXTRACTIVE, modelDirectoryOf, type Config } from "../options/config.ts";
import {
  modelFolder,
  modelIdentity,
  openEmbedder,
  readManifest,
  verifyModelFiles,
  type ModelManifest,
} from "../embedding/index.ts";
import { fail, LecternError } from "../foundation/errors.ts";
import { addAnswerModel, describeAnswerModel, isAnswerModel, verifyAnswerModel } from "./answer-models.ts";
import { commonOptions, type Command } from "./command.ts";
import { gigabytes } from "./copy-with-hashes.ts";
import { datasetsToReembed } from "./model-census.ts";
import { recordModelChoice } from "./model-choice.ts";
import { prepareNative } from "./prepare-native.ts";
import { reembedAfterChoice, refuseWhileNeeded, statusCommand, summaryOf, type ReembeddingBy } from "./reembedding.ts";
import { print, printJson, printTable } from "./terminal.ts";
import { copyFolderWhole, sweepPartialCopies } from "./whole-file.ts";

const list: Command = {
  name: "model list",
  summary: "Lists the models: the built-in embedding model, and those in the data directory that embed or answer.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: [...commonOptions, "model", "answerModel", "answerContext", "answerParallel"],
  async run({ config, json }) {
    await prepareNative(config);
    const records = await Promise.all((await modelNames(config)).map((name) => describeModel(config, name)));
    if (json) printJson(records);
    else {
      printTable(
        ["", "NAME", "FOR", "SIZE", "LICENCE", "WHAT"],
        records.map((record) => [record.inUse ? "*" : "", record.name, ...columnsOf(record)]),
      );
      const left = await chosenModelId(config).then(
        (modelId) => datasetsToReembed(config.dataDirectory, modelId),
        () => [],
      );
      if (left.length > 0) print(`${summaryOf(left)}. \`lectern model status\` shows more.`);
    }
    return 0;
  },
};

const verify: Command = {
  name: "model verify",
  summary: "Checks the files of every model, or of one, against their recorded hashes, and tries it.",
  usage: "[NAME]",
  positionals: { minimum: 0, maximum: 1 },
  flags: {},
  options: [...commonOptions, "embedThreads"],
  async run({ config, positionals, json }) {
    await prepareNative(config);
    const names = positionals[0] === undefined ? await modelNames(config) : [existingModel(config, positionals[0])];
    const records: { name: string; good: boolean; problem: string | null }[] = [];
    for (const name of names) {
      const problem = await verifyModel(config, name).then(() => null, sentenceOf);
      records.push({ name, good: problem === null, problem });
      if (!json) print(problem === null ? `${name}: good` : `${name}: ${problem}`);
    }
    if (json) printJson(records);
    return records.every((record) => record.good) ? 0 : 1;
  },
};

const add: Command = {
  name: "model add",
  summary:
    "Checks a model and copies it into the data directory: an embedding model's folder, or a language model in GGUF form.",
  usage: "DIR|FILE.gguf",
  positionals: { minimum: 1, maximum: 1 },
  flags: { name: { value: "NAME", sentence: "Name to keep it under; default the manifest's, or the file's." } },
  options: [...commonOptions, "embedThreads", "answerContext", "answerParallel"],
  notes: [
    "A language model's files are compared with FILE.gguf.sha256 where that lies beside them. Its memory is told for the options given.",
  ],
  async run({ config, positionals, flags, json }) {
    await prepareNative(config);
    const source = resolve(positionals[0]!);
    if (await isAnswerModel(source)) {
      await addAnswerModel(config, source, flags.name, json);
      return 0;
    }
    const manifest = await readManifest(source);
    const name = flags.name ?? manifest.name;
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) || name === BUILT_IN_MODEL || name === EXTRACTIVE) {
      throw fail("USAGE", {
        reason: `"${name}" cannot be a model's name. Choose one with --name: letters, digits, dots, hyphens; not "${BUILT_IN_MODEL}".`,
      });
    }
    const target = join(config.dataDirectory, "models", name);
    if (existsSync(target))
      throw fail("OPERATION_FAILED", {
        reason: `There is a model "${name}" already, in ${target}. Choose another name with --name, or remove that folder first.`,
      });

    await mkdir(join(config.dataDirectory, "models"), { recursive: true, mode: 0o700 });
    await sweepPartialCopies(join(config.dataDirectory, "models"));
    await copyFolderWhole(
      source,
      ["manifest.json", ...Object.keys(manifest.files)],
      target,
      async (copy) => void (await checkModel(config, copy)),
    );
    const record = { name, modelId: modelIdentity(manifest), dimensions: manifest.dimensions };
    if (json) printJson(record);
    else print(`Model ${name} is there (${manifest.dimensions} dimensions). Next: lectern model use ${name}`);
    return 0;
  },
};

const use: Command = {
  name: "model use",
  summary: `Chooses a model, in lectern.toml. "${BUILT_IN_MODEL}" is the built-in embedding model, "${EXTRACTIVE}" answers without a language model.`,
  usage: "NAME",
  positionals: { minimum: 1, maximum: 1 },
  flags: { later: { value: null, sentence: "Leave it to the next server to embed datasets anew." } },
  options: [...commonOptions, "embedThreads"],
  notes: [
    "A language model answers from the next start of the server on. An embedding model is taken up by a running server within a second: it embeds every dataset anew",
    "in the background, and each is searched by its old vectors until it is done. Without a server this command does so itself; interrupted, the next one goes on.",
  ],
  async run({ config, readConfig, positionals, flags, json }) {
    if (positionals[0] === EXTRACTIVE) return chooseAnswerModel(config, null, json);
    const name = existingModel(config, positionals[0]!);
    if (await isAnswerFolder(config, name)) return chooseAnswerModel(config, name, json);
    const modelId = modelIdentity(await readManifest(directoryOf(config, name)));
    await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
    await recordModelChoice(config.dataDirectory, name === BUILT_IN_MODEL ? null : name);
    const left = datasetsToReembed(config.dataDirectory, modelId);
    const by = await reembedAfterChoice(readConfig(), modelId, flags.later !== undefined);
    if (json) printJson({ name, modelId, datasets: left.length, reembedding: by });
    else print(sentences[by](name, left.length > 0 ? `${summaryOf(left)}. ` : ""));
    return 0;
  },
};

const sentences: Record<ReembeddingBy, (name: string, left: string) => string> = {
  nobody: (name) => `Model ${name} is used from the next start of the server on.`,
  server: (name, left) =>
    `The running server goes over to ${name} now. ${left && `${left}\`lectern model status\` shows how far it is.`}`.trim(),
  this: (name) => `Model ${name} is used from now on, and every dataset is embedded by it.`,
  next: (name, left) =>
    `Model ${name} is used from the next start of the server on. ${left}The server does so in the background.`,
};

const remove: Command = {
  name: "model remove",
  summary: "Deletes a model from the data directory. The one in use stays until another is chosen.",
  usage: "NAME",
  positionals: { minimum: 1, maximum: 1 },
  flags: {},
  options: [...commonOptions, "model", "answerModel"],
  async run({ config, positionals, json }) {
    const name = existingModel(config, positionals[0]!);
    if (name === BUILT_IN_MODEL)
      throw fail("OPERATION_FAILED", { reason: "The built-in model is part of the executable and cannot be removed." });
    if (name === config.model || name === config.answerModel) {
      throw fail("OPERATION_FAILED", {
        reason: `The model ${name} is in use. Choose another first: lectern model use ${name === config.answerModel ? EXTRACTIVE : BUILT_IN_MODEL}`,
      });
    }
    const folder = join(config.dataDirectory, "models", name);
    const manifest = (await isAnswerFolder(config, name)) ? null : await readManifest(folder).catch(() => null);
    // A folder that cannot be read serves no search.
    if (manifest) refuseWhileNeeded(config, name, modelIdentity(manifest), await chosenModelId(config));
    // Out of sight at once; a copy that is not whole is swept away by the next `model add`.
    const aside = join(config.dataDirectory, "models", `.${crypto.randomUUID()}.partial`);
    await rename(folder, aside);
    await rm(aside, { recursive: true, force: true });
    if (json) printJson({ name, removed: true });
    else print(`Model ${name} is removed.`);
    return 0;
  },
};

const chosenModelId = async (config: Config): Promise<string> =>
  modelIdentity(await readManifest(modelDirectoryOf(config)));

export const modelCommands: readonly Command[] = [list, statusCommand(chosenModelId), verify, add, use, remove];

async function chooseAnswerModel(config: Config, name: string | null, json: boolean): Promise<number> {
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
  await recordModelChoice(config.dataDirectory, name, "answer_model");
  if (json) printJson({ name: name ?? EXTRACTIVE, kind: "answer" });
  else
    print(
      name === null
        ? "Queries are answered without a language model from the next start of the server on."
        : `Model ${name} answers queries from the next start of the server on.`,
    );
  return 0;
}

async function verifyModel(config: Config, name: string): Promise<void> {
  if (await isAnswerFolder(config, name)) await verifyAnswerModel(join(config.dataDirectory, "models", name));
  else await checkModel(config, directoryOf(config, name));
}

const isAnswerFolder = (config: Config, name: string): Promise<boolean> =>
  name === BUILT_IN_MODEL ? Promise.resolve(false) : isAnswerModel(join(config.dataDirectory, "models", name));

/**
 * Checks a model folder whole: manifest, hashes, and one embedding of the right size and unit length.
 * `directory` null: the built-in model. Throws with a sentence that names what is wrong.
 */
export async function checkModel(config: Config, directory: string | null): Promise<ModelManifest> {
  const manifest = await readManifest(directory);
  await verifyModelFiles(modelFolder(directory), manifest);
  const embedder = await openEmbedder({ modelDirectory: directory, threads: config.embedThreads, maxQueuedTexts: 1 });
  try {
    const [vector] = await embedder.embed(["Lectern checks this model."], "passage", "search");
    const length = Math.sqrt(vector!.reduce((sum, value) => sum + value * value, 0));
    if (vector!.length !== manifest.dimensions)
      throw fail("OPERATION_FAILED", {
        reason: `The model gives ${vector!.length} numbers, its manifest says ${manifest.dimensions}.`,
      });
    if (!(Math.abs(length - 1) < 0.01))
      throw fail("OPERATION_FAILED", { reason: `The model's vectors have length ${length.toFixed(3)} instead of 1.` });
  } finally {
    await embedder.close();
  }
  return manifest;
}

async function modelNames(config: Config): Promise<string[]> {
  const entries = await readdir(join(config.dataDirectory, "models"), { withFileTypes: true }).catch(() => []);
  return [
    BUILT_IN_MODEL,
    ...entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map((entry) => entry.name)
      .sort(),
  ];
}

function existingModel(config: Config, name: string): string {
  if (
    name !== BUILT_IN_MODEL &&
    (name.includes("/") || name.startsWith(".") || !existsSync(join(config.dataDirectory, "models", name)))
  ) {
    throw fail("OPERATION_FAILED", {
      reason: `There is no model "${name}". \`lectern model list\` shows what there is.`,
    });
  }
  return name;
}

const directoryOf = (config: Config, name: string): string | null =>
  name === BUILT_IN_MODEL ? null : join(config.dataDirectory, "models", name);

async function describeModel(config: Config, name: string) {
  const directory = directoryOf(config, name);
  const isAnswer = await isAnswerFolder(config, name);
  const inUse = isAnswer ? config.answerModel === name : directory === modelDirectoryOf(config);
  try {
    if (isAnswer) return { ...(await describeAnswerModel(config, name, directory!)), problem: null };
    const manifest = await readManifest(directory);
    const folder = modelFolder(directory);
    const sizes = await Promise.all(
      Object.keys(manifest.files).map(async (file) => (await stat(join(folder, file))).size),
    );
    return {
      name,
      kind: "embedding" as const,
      inUse,
      modelId: modelIdentity(manifest),
      version: manifest.version,
      dimensions: manifest.dimensions,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      languages: manifest.languages.length,
      licence: manifest.licence,
      problem: null,
    };
  } catch (error) {
    return { name, kind: isAnswer ? ("answer" as const) : ("embedding" as const), inUse, problem: sentenceOf(error) };
  }
}

/** What the table says of a model: what it is for, its size, its licence, and what it is or what is wrong with it. */
function columnsOf(record: Awaited<ReturnType<typeof describeModel>>): string[] {
  const purpose = record.kind === "answer" ? "answers" : "embedding";
  if (record.problem !== null) return [purpose, "", "", record.problem];
  const size = gigabytes(record.bytes);
  if (record.kind === "answer") {
    const memory = `takes about ${gigabytes(record.memoryBytes)} of memory, ${record.answersAtOnce} answers at a time`;
    return [purpose, size, record.licence || "not told", `${record.title} (${record.architecture}), ${memory}`];
  }
  return [
    purpose,
    size,
    record.licence,
    `version ${record.version}, ${record.dimensions} dimensions, ${record.languages} languages`,
  ];
}

function sentenceOf(error: unknown): string {
  return error instanceof LecternError || error instanceof Error ? error.message : String(error);
}
