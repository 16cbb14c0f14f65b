/** `lectern model list|verify|add|use`: the embedding models of a data directory. */
import { existsSync } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BUILT_IN_MODEL, modelDirectoryOf, type Config } from "../config.ts";
import { modelFolder, modelIdentity, openEmbedder, readManifest, verifyModelFiles, type ModelManifest } from "../embedding/index.ts";
import { fail, LecternError } from "../errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { datasetsByModel } from "./model-census.ts";
import { recordModelChoice } from "./model-choice.ts";
import { prepareNative } from "./prepare-native.ts";
import { print, printJson, printTable } from "./terminal.ts";
import { copyFolderWhole, sweepPartialCopies } from "./whole-file.ts";

const list: Command = {
  name: "model list",
  summary: "Lists the embedding models: the built-in one and those in the data directory.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: [...commonOptions, "model"],
  async run({ config, json }) {
    await prepareNative(config);
    const records = await Promise.all((await modelNames(config)).map((name) => describeModel(config, name)));
    if (json) printJson(records);
    else {
      printTable(
        ["", "NAME", "VERSION", "DIMENSIONS", "SIZE", "LANGUAGES", "LICENCE"],
        records.map((record) => record.problem !== null
          ? [record.inUse ? "*" : "", record.name, record.problem, "", "", "", ""]
          : [record.inUse ? "*" : "", record.name, record.version, String(record.dimensions), `${(record.bytes / 1e6).toFixed(1)} MB`, String(record.languages), record.licence]),
      );
    }
    return 0;
  },
};

const verify: Command = {
  name: "model verify",
  summary: "Checks the files of every model, or of one, against the hashes in its manifest, and embeds one text.",
  usage: "[NAME]",
  positionals: { minimum: 0, maximum: 1 },
  flags: {},
  options: [...commonOptions, "embedThreads"],
  async run({ config, positionals, json }) {
    await prepareNative(config);
    const names = positionals[0] === undefined ? await modelNames(config) : [existingModel(config, positionals[0])];
    const records: { name: string; good: boolean; problem: string | null }[] = [];
    for (const name of names) {
      const problem = await checkModel(config, directoryOf(config, name)).then(() => null, sentenceOf);
      records.push({ name, good: problem === null, problem });
      if (!json) print(problem === null ? `${name}: good` : `${name}: ${problem}`);
    }
    if (json) printJson(records);
    return records.every((record) => record.good) ? 0 : 1;
  },
};

const add: Command = {
  name: "model add",
  summary: "Checks a model folder (manifest, hashes, one embedding) and copies it into the data directory.",
  usage: "DIR",
  positionals: { minimum: 1, maximum: 1 },
  flags: { name: { value: "NAME", sentence: "Name to keep it under; default the manifest's." } },
  options: [...commonOptions, "embedThreads"],
  async run({ config, positionals, flags, json }) {
    await prepareNative(config);
    const source = resolve(positionals[0]!);
    const manifest = await readManifest(source);
    const name = flags.name ?? manifest.name;
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) || name === BUILT_IN_MODEL) {
      throw fail("USAGE", { reason: `"${name}" cannot be a model's name. Choose one with --name: letters, digits, dots, hyphens; not "${BUILT_IN_MODEL}".` });
    }
    const target = join(config.dataDirectory, "models", name);
    if (existsSync(target)) throw fail("OPERATION_FAILED", { reason: `There is a model "${name}" already, in ${target}. Choose another name with --name, or remove that folder first.` });

    await mkdir(join(config.dataDirectory, "models"), { recursive: true, mode: 0o700 });
    await sweepPartialCopies(join(config.dataDirectory, "models"));
    await copyFolderWhole(source, ["manifest.json", ...Object.keys(manifest.files)], target, async (copy) => void (await checkModel(config, copy)));
    const record = { name, modelId: modelIdentity(manifest), dimensions: manifest.dimensions };
    if (json) printJson(record);
    else print(`Model ${name} is there (${manifest.dimensions} dimensions). Next: lectern model use ${name}`);
    return 0;
  },
};

const use: Command = {
  name: "model use",
  summary: `Chooses the embedding model from the next start on, in lectern.toml. "${BUILT_IN_MODEL}" is the built-in one.`,
  usage: "NAME",
  positionals: { minimum: 1, maximum: 1 },
  flags: {},
  options: commonOptions,
  async run({ config, positionals, json }) {
    const name = existingModel(config, positionals[0]!);
    const modelId = modelIdentity(await readManifest(directoryOf(config, name)));
    const others = datasetsByModel(config.dataDirectory).filter((census) => census.modelId !== modelId);
    if (others.length > 0) {
      const told = others.map((census) => `${census.datasets} by ${census.modelId}`).join(", ");
      throw fail("OPERATION_FAILED", { reason: `There are datasets whose vectors another model made (${told}), and ${name} could not search them. Delete their files first, or use another data directory.` });
    }
    await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
    await recordModelChoice(config.dataDirectory, name === BUILT_IN_MODEL ? null : name);
    if (json) printJson({ name, modelId });
    else print(`Model ${name} is used from the next start of the server on.`);
    return 0;
  },
};

export const modelCommands: readonly Command[] = [list, verify, add, use];

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
    if (vector!.length !== manifest.dimensions) throw fail("OPERATION_FAILED", { reason: `The model gives ${vector!.length} numbers, its manifest says ${manifest.dimensions}.` });
    if (!(Math.abs(length - 1) < 0.01)) throw fail("OPERATION_FAILED", { reason: `The model's vectors have length ${length.toFixed(3)} instead of 1.` });
  } finally {
    await embedder.close();
  }
  return manifest;
}

async function modelNames(config: Config): Promise<string[]> {
  const entries = await readdir(join(config.dataDirectory, "models"), { withFileTypes: true }).catch(() => []);
  return [BUILT_IN_MODEL, ...entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map((entry) => entry.name).sort()];
}

function existingModel(config: Config, name: string): string {
  if (name !== BUILT_IN_MODEL && (name.includes("/") || name.startsWith(".") || !existsSync(join(config.dataDirectory, "models", name)))) {
    throw fail("OPERATION_FAILED", { reason: `There is no model "${name}". \`lectern model list\` shows what there is.` });
  }
  return name;
}

const directoryOf = (config: Config, name: string): string | null => (name === BUILT_IN_MODEL ? null : join(config.dataDirectory, "models", name));

async function describeModel(config: Config, name: string) {
  const directory = directoryOf(config, name);
  const inUse = directory === modelDirectoryOf(config);
  try {
    const manifest = await readManifest(directory);
    const folder = modelFolder(directory);
    const sizes = await Promise.all(Object.keys(manifest.files).map(async (file) => (await stat(join(folder, file))).size));
    return {
      name,
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
    return { name, inUse, problem: sentenceOf(error) };
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof LecternError || error instanceof Error ? error.message : String(error);
}
