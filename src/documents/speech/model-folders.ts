/** The speech models that were added to those built in: folders of the data directory's models. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PieceVocabulary } from "./vocabulary.ts";
import { piecesOf } from "./tokenizer-file.ts";
import type { KnownModel } from "./speech-model.ts";
import { isSpeechModel, readSpeechManifest, type SpeechManifest } from "./speech-manifest.ts";

/** Those whose manifest can be read; `lectern model list` says what is wrong with others. */
export async function findSpeechModels(modelsDirectory: string): Promise<KnownModel[]> {
  const names = (await readdir(modelsDirectory).catch(() => [])).filter((name) => !name.startsWith("."));
  const found = await Promise.all(
    names.toSorted().map(async (name): Promise<KnownModel | null> => {
      const folder = join(modelsDirectory, name);
      if (!(await isSpeechModel(folder))) return null;
      const manifest = await readSpeechManifest(folder).catch(() => null);
      return manifest === null ? null : knownModel(name, folder, manifest);
    }),
  );
  return found.filter((model) => model !== null);
}

/** A model folder as it is chosen and opened. */
export function knownModel(name: string, folder: string, manifest: SpeechManifest): KnownModel {
  const { family, languages } = manifest;
  return {
    name,
    languages,
    open: async () => {
      // Both load a large library, and whoever looks for models alone needs none of it.
      if (family === "moonshine") {
        const { MoonshineModel } = await import("./moonshine.ts");
        return MoonshineModel.open(folder, new PieceVocabulary(await piecesOf(folder)), languages);
      }
      const { WhisperModel } = await import("./whisper/whisper.ts");
      return WhisperModel.open(folder);
    },
  };
}
