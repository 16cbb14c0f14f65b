/** `lectern model list|verify|add|use|remove`: the models of a data directory. What differs between kinds of them lies in `models/`. */
import { existsSync, type Stats } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BUILT_IN_MODEL, EXTRACTIVE, type Config } from "../options/config.ts";
import { fail } from "../foundation/errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { confirm, requireAnswerable, yesFlag } from "./confirm.ts";
import { gigabytes } from "./copy-with-hashes.ts";
import { withoutModel } from "./models/answers.ts";
import { datasetsToReembed } from "./models/census.ts";
import { chosenModelId } from "./models/embedding.ts";
import type { Model, Report } from "./models/kind.ts";
import { allModels, existingModel, kindOf, modelsFolder } from "./models/kinds.ts";
import { statusCommand, summaryOf } from "./models/reembedding.ts";
import { noteChange } from "./operator-audit.ts";
import { prepareNative } from "./prepare-native.ts";
import { note, print, printJson, printTable } from "./terminal.ts";
import { sweepPartialCopies } from "./whole-file.ts";

const list: Command = {
  name: "model list",
  summary:
    "Lists the models that embed, answer, listen or read scans: those that are built in, and those in the data directory.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: [...commonOptions, "model", "answerModel", "speechModel", "answerContext", "answerParallel"],
  async run({ config, json }) {
    await prepareNative(config);
    const listed = await Promise.all((await allModels(config)).map((model) => listedModel(config, model)));
    if (json) printJson(listed.map(({ record }) => record));
    else {
      printTable(
        ["", "NAME", "FOR", "SIZE", "LICENCE", "WHAT"],
        listed.map(({ cells }) => cells),
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
    const models =
      positionals[0] === undefined ? await allModels(config) : [await existingModel(config, positionals[0])];
    const records: { name: string; good: boolean; problem: string | null }[] = [];
    for (const model of models) {
      const { name, kind } = model;
      const problem = await kind.verify(config, model).then(() => null, sentenceOf);
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
    "Checks a model and copies it into the data directory: an embedding or speech model's folder, a language model in GGUF form, or a language of scans and pictures.",
  usage: "DIR|FILE.gguf|LANGUAGE.traineddata",
  positionals: { minimum: 1, maximum: 1 },
  flags: { name: { value: "NAME", sentence: "Name to keep it under; default the manifest's, or the file's." } },
  options: [...commonOptions, "embedThreads", "answerContext", "answerParallel"],
  notes: [
    "A language model's files are compared with FILE.gguf.sha256 where that lies beside them. Its memory is told for the options given.",
  ],
  async run({ config, positionals, flags, json }) {
    await prepareNative(config);
    const source = resolve(positionals[0]!);
    const kind = await kindOf(source);
    const candidate = await kind.examine(config, source);
    if (kind.keepsName && flags.name !== undefined && flags.name !== candidate.name)
      throw fail("USAGE", {
        reason: `A language's name is its own: this is kept as "${candidate.name}". Leave --name out.`,
      });
    const name = flags.name ?? candidate.name;
    requireName(name);
    const models = modelsFolder(config);
    const target = join(models, name);
    if (existsSync(target))
      throw fail("OPERATION_FAILED", {
        reason: `There is a model "${name}" already, in ${target}. To replace it: lectern model remove ${name}${kind.keepsName ? "" : ". To keep both, name this one with --name"}`,
      });
    await mkdir(models, { recursive: true, mode: 0o700 });
    await sweepPartialCopies(models);
    const report = await candidate.copyTo(target);
    noteChange(config, "model.add", { model: name, kind: kind.id });
    tell({ name, kind: kind.id }, report, json);
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
    const name = positionals[0]!;
    const model = name === EXTRACTIVE ? withoutModel() : await existingModel(config, name);
    const report = await model.kind.use(model, { config, readConfig, later: flags.later !== undefined });
    noteChange(config, "model.use", { model: name, kind: model.kind.id });
    tell({ name, kind: model.kind.id }, report, json);
    return 0;
  },
};

const remove: Command = {
  name: "model remove",
  summary: "Deletes a model from the data directory, after asking. One in use stays until another is chosen.",
  usage: "NAME",
  positionals: { minimum: 1, maximum: 1 },
  flags: yesFlag,
  options: [...commonOptions, "model", "answerModel", "speechModel"],
  async run({ config, positionals, flags, json }) {
    requireAnswerable(flags);
    const model = await existingModel(config, positionals[0]!);
    const { name, kind, directory } = model;
    if (directory === null)
      throw fail("OPERATION_FAILED", {
        reason: `The built-in model ${name} is part of the executable and cannot be removed.`,
      });
    await kind.refuseWhileNeeded?.(config, model);
    await confirm(`Model ${name} (${kind.purpose}) takes ${gigabytes(await bytesOf(directory))}.`, flags);
    // Out of sight at once; a copy that is not whole is swept away by the next `model add`.
    const aside = join(modelsFolder(config), `.${crypto.randomUUID()}.partial`);
    await rename(directory, aside);
    await rm(aside, { recursive: true, force: true });
    await kind.forget?.(config, model);
    noteChange(config, "model.remove", { model: name, kind: kind.id });
    if (json) printJson({ name, removed: true });
    else print(`Model ${name} is removed.`);
    return 0;
  },
};

export const modelCommands: readonly Command[] = [list, statusCommand(chosenModelId), verify, add, use, remove];

/** Throws USAGE for what could be taken for something else, or for no folder's name. */
function requireName(name: string): void {
  if (
    !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) ||
    /\.(gguf|traineddata)$/.test(name) ||
    [BUILT_IN_MODEL, EXTRACTIVE].includes(name)
  )
    throw fail("USAGE", {
      reason: `"${name}" cannot be a model's name. Choose one with --name: letters, digits, dots, hyphens; not "${BUILT_IN_MODEL}" or "${EXTRACTIVE}".`,
    });
}

/** A model for programs, and as a row of the table; what is wrong with it stands where it would say what it is. */
async function listedModel(config: Config, model: Model): Promise<{ record: object; cells: string[] }> {
  const { name, kind } = model;
  const builtIn = model.directory === null;
  const inUse = await kind.isInUse(config, model);
  const row = (size: string, licence: string, what: string) => [
    inUse ? "*" : "",
    name,
    kind.purpose,
    size,
    licence,
    what,
  ];
  try {
    const { bytes, licence, what, details } = await kind.describe(config, model);
    return {
      record: { name, kind: kind.id, builtIn, inUse, ...details, what, bytes, licence, problem: null },
      cells: row(gigabytes(bytes), licence || "not told", builtIn ? `built in, ${what}` : what),
    };
  } catch (error) {
    const problem = sentenceOf(error);
    return { record: { name, kind: kind.id, builtIn, inUse, problem }, cells: row("", "", problem) };
  }
}

/** Of all that lies in a folder, whatever it is. */
async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).then(sizeOf, () => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const sizeOf = (entry: Stats): number => (entry.isFile() ? entry.size : 0);

function tell(of: object, { record, sentences, warning }: Report, json: boolean): void {
  if (json) return printJson({ ...of, ...record });
  for (const sentence of sentences) print(sentence);
  if (warning !== undefined) note(warning);
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
