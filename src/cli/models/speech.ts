/** Speech models: folders of graphs that write down what is said in recordings. */
import { existsSync } from "node:fs";
import { copyFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { builtInModel, builtInModelBytes } from "../../documents/speech/built-in.ts";
import { findSpeechModels, knownModel } from "../../documents/speech/model-folders.ts";
import type { KnownModel } from "../../documents/speech/speech-model.ts";
import { describeFolder, fileIn, isSpeechModel, readSpeechManifest } from "../../documents/speech/speech-manifest.ts";
import { verifyModelFiles } from "../../embedding/index.ts";
import { fail } from "../../foundation/errors.ts";
import { copyFolderWhole } from "../whole-file.ts";
import { recordModelChoice } from "./choice.ts";
import type { ModelKind } from "./kind.ts";

const MANIFEST = "manifest.json";
const BUILT_IN_TITLE = "Moonshine tiny";
const BUILT_IN_LICENCE = "MIT";
/** A second of silence, which every model must take. */
const TRIAL_SAMPLES = 16_000;

export const speech: ModelKind = {
  id: "speech",
  purpose: "speech",
  builtIn: [builtInModel.name],

  isOne: isSpeechModel,

  /** One of Hugging Face's folders gets its manifest written. */
  async examine(_config, place) {
    const manifest = existsSync(join(place, MANIFEST)) ? await readSpeechManifest(place) : await describeFolder(place);
    const { family, languages, files } = manifest;
    return {
      name: manifest.name,
      async copyTo(target) {
        const name = basename(target);
        await copyFolderWhole(place, [], target, async (copy) => {
          for (const file of Object.keys(files)) await copyFile(fileIn(place, file), join(copy, file));
          await writeFile(join(copy, MANIFEST), JSON.stringify({ ...manifest, name }, null, 2), { mode: 0o600 });
          await verifySpeechModel(copy);
        });
        const what = `${family}, ${languagesInWords(languages)}`;
        return {
          record: { family, languages },
          sentences: [
            `Model ${name} is there (${what}). It is used for recordings in what it understands, from the next one on.`,
          ],
        };
      },
    };
  },

  /** The built-in one also where nobody else understands its language. */
  async isInUse(config, { name, directory }) {
    if (directory !== null || config.speechModel === name) return config.speechModel === name;
    const added = await findSpeechModels(join(config.dataDirectory, "models"));
    return !added.some(({ languages }) => builtInModel.languages.some((language) => languages.includes(language)));
  },

  async describe(_config, { directory }) {
    if (directory === null) {
      const { languages } = builtInModel;
      const what = `${BUILT_IN_TITLE}, ${languagesInWords(languages)}`;
      return {
        bytes: builtInModelBytes(),
        licence: BUILT_IN_LICENCE,
        what,
        details: { family: "moonshine", languages },
      };
    }
    const { family, version, languages, licence, files } = await readSpeechManifest(directory);
    const sizes = await Promise.all(Object.keys(files).map(async (file) => (await stat(join(directory, file))).size));
    return {
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      licence,
      what: `${family}, ${languagesInWords(languages)}`,
      details: { family, version, languages },
    };
  },

  verify: (_config, { directory }) => (directory === null ? tryModel(builtInModel) : verifySpeechModel(directory)),

  async use({ name }, { config }) {
    await recordModelChoice(config.dataDirectory, name, "speech_model");
    return {
      record: {},
      sentences: [`Model ${name} listens to recordings in what it understands, from the next start of the server on.`],
    };
  },

  async forget(config, { name }) {
    if (config.speechModel === name) await recordModelChoice(config.dataDirectory, null, "speech_model");
  },
};

/** Checks every file, and tries the model. */
async function verifySpeechModel(folder: string): Promise<void> {
  const manifest = await readSpeechManifest(folder);
  await verifyModelFiles(folder, manifest);
  await tryModel(knownModel(manifest.name, folder, manifest), ` in ${folder}`);
}

/** Loads a model and has it listen to silence. Throws with a sentence that names what is wrong. */
async function tryModel(known: KnownModel, where = ""): Promise<void> {
  try {
    const model = await known.open();
    try {
      await model.transcribe(new Float32Array(TRIAL_SAMPLES), known.languages[0]!);
    } finally {
      await model.close();
    }
  } catch (cause) {
    const reason = `The speech model${where} does not work: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw fail("OPERATION_FAILED", { reason }, undefined, cause);
  }
}

/** "en", or how many there are. */
function languagesInWords(languages: readonly string[]): string {
  return languages.length <= 3 ? languages.join(", ") : `${languages.length} languages`;
}
