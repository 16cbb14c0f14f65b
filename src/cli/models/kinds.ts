/** The kinds of models that there are, and the models of a data directory. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../foundation/errors.ts";
import { BUILT_IN_MODEL, type Config } from "../../options/config.ts";
import { answers } from "./answers.ts";
import { embedding } from "./embedding.ts";
import type { Model, ModelKind } from "./kind.ts";
import { ocr } from "./ocr.ts";
import { speech } from "./speech.ts";

/** As the list shows them. */
const kinds: readonly ModelKind[] = [embedding, answers, speech, ocr];

/** What lies at a place. What is no model at all is told by reading it as an embedding model. */
export async function kindOf(place: string): Promise<ModelKind> {
  for (const kind of kinds.toReversed()) if (await kind.isOne(place)) return kind;
  return embedding;
}

export const modelsFolder = (config: Config): string => join(config.dataDirectory, "models");

/** Of each kind those inside the executable, but for those in whose place one was added, then those of the data directory. */
export async function allModels(config: Config): Promise<Model[]> {
  const folder = modelsFolder(config);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => !entry.isFile() && !entry.name.startsWith(".") && entry.name !== BUILT_IN_MODEL)
    .map((entry) => entry.name);
  const added = await Promise.all(
    names.toSorted().map(async (name): Promise<Model> => {
      const directory = join(folder, name);
      return { kind: await kindOf(directory), name, directory };
    }),
  );
  return kinds.flatMap((kind) => {
    const own = added.filter((model) => model.kind === kind);
    const builtIn = kind.builtIn.filter((name) => !own.some((model) => model.name === name));
    return [...builtIn.map((name): Model => ({ kind, name, directory: null })), ...own];
  });
}

/** One that was added goes before one inside the executable. Throws OPERATION_FAILED where there is none of that name. */
export async function existingModel(config: Config, name: string): Promise<Model> {
  const named = (await allModels(config)).filter((model) => model.name === name);
  const model = named.find(({ directory }) => directory !== null) ?? named[0];
  if (model === undefined)
    throw fail("OPERATION_FAILED", {
      reason: `There is no model "${name}". \`lectern model list\` shows what there is.`,
    });
  return model;
}
