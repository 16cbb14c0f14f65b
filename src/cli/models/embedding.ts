/** Embedding models: the built-in one, and folders with a manifest. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  modelFolder,
  modelIdentity,
  openEmbedder,
  readManifest,
  verifyModelFiles,
  type ModelManifest,
} from "../../embedding/index.ts";
import { fail } from "../../foundation/errors.ts";
import { BUILT_IN_MODEL, modelDirectoryOf, type Config } from "../../options/config.ts";
import { copyFolderWhole } from "../whole-file.ts";
import { datasetsToReembed } from "./census.ts";
import { recordModelChoice } from "./choice.ts";
import type { ModelKind } from "./kind.ts";
import { reembedAfterChoice, refuseWhileSearched, summaryOf, type ReembeddingBy } from "./reembedding.ts";

const MANIFEST = "manifest.json";

const sentences: Record<ReembeddingBy, (name: string, left: string) => string> = {
  nobody: (name) => `Model ${name} is used from the next start of the server on.`,
  server: (name, left) =>
    `The running server goes over to ${name} now. ${left && `${left}\`lectern model status\` shows how far it is.`}`.trim(),
  this: (name) => `Model ${name} is used from now on, and every dataset is embedded by it.`,
  next: (name, left) =>
    `Model ${name} is used from the next start of the server on. ${left}The server does so in the background.`,
};

export const embedding: ModelKind = {
  id: "embedding",
  purpose: "embedding",
  builtIn: [BUILT_IN_MODEL],

  isOne: (place) => Promise.resolve(existsSync(join(place, MANIFEST))),

  async examine(config, place) {
    const manifest = await readManifest(place);
    const { name, dimensions } = manifest;
    return {
      name,
      async copyTo(target) {
        const files = [MANIFEST, ...Object.keys(manifest.files)];
        await copyFolderWhole(place, files, target, async (copy) => void (await checkModel(config, copy)));
        return {
          record: { modelId: modelIdentity(manifest), dimensions },
          sentences: [
            `Model ${basename(target)} is there (${dimensions} dimensions). Next: lectern model use ${basename(target)}`,
          ],
        };
      },
    };
  },

  isInUse: (config, { directory }) => directory === modelDirectoryOf(config),

  async describe(_config, { directory }) {
    const manifest = await readManifest(directory);
    const folder = modelFolder(directory);
    const sizes = await Promise.all(
      Object.keys(manifest.files).map(async (file) => (await stat(join(folder, file))).size),
    );
    const { version, dimensions, licence } = manifest;
    const languages = manifest.languages.length;
    return {
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      licence,
      what: `version ${version}, ${dimensions} dimensions, ${languages} languages`,
      details: { modelId: modelIdentity(manifest), version, dimensions, languages },
    };
  },

  verify: (config, { directory }) => checkModel(config, directory),

  async use({ name, directory }, { config, readConfig, later }) {
    const modelId = modelIdentity(await readManifest(directory));
    await recordModelChoice(config.dataDirectory, directory === null ? null : name);
    const left = datasetsToReembed(config.dataDirectory, modelId);
    const by = await reembedAfterChoice(readConfig(), modelId, later);
    return {
      record: { modelId, datasets: left.length, reembedding: by },
      sentences: [sentences[by](name, left.length > 0 ? `${summaryOf(left)}. ` : "")],
    };
  },

  async refuseWhileNeeded(config, { name, directory }) {
    if (directory === modelDirectoryOf(config))
      throw fail("OPERATION_FAILED", {
        reason: `The model ${name} is in use. Choose another first: lectern model use ${BUILT_IN_MODEL}`,
      });
    const manifest = await readManifest(directory).catch(() => null);
    // A folder that cannot be read serves no search.
    if (manifest) refuseWhileSearched(config, name, modelIdentity(manifest), await chosenModelId(config));
  },
};

/** The identity of the model that the configuration names. */
export async function chosenModelId(config: Config): Promise<string> {
  return modelIdentity(await readManifest(modelDirectoryOf(config)));
}

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
