/** Opens everything that belongs to one embedding model, and finds the folders of models by what datasets call them. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { allOrClose } from "../foundation/all-or-close.ts";
import { ocrProgramOf, type Config } from "../options/config.ts";
import { openDocumentExtractor, type DocumentExtractor } from "../documents/index.ts";
import { modelIdentity, openEmbedder, readManifest, type ModelManifest } from "../embedding/index.ts";
import { fail } from "../foundation/errors.ts";
import { troubleTo, type Log } from "../foundation/log.ts";
import { indexBytes } from "../foundation/machine-memory.ts";
import { childEnvironment, ownCommand } from "../native/index.ts";
import type { ModelEngines } from "../operations/models-in-use.ts";
import { openSearchEngine, type IndexDamage, type LargeIndex, type SearchEngine } from "../search/index.ts";

/**
 * Opens a model's engines; `directory` null: the built-in model. The indexes read what the store keeps, so they wait for `store`.
 * Throws OPERATION_FAILED when the model cannot be used; whatever had been opened is closed again.
 */
export async function openModelEngines(
  config: Config,
  directory: string | null,
  store: Promise<unknown>,
  log: Log,
): Promise<ModelEngines> {
  requireModelFolder(directory);
  const manifest = await readManifest(directory);
  // The model takes longest to load, so it begins first and the indexes open meanwhile.
  const loading = openEmbedder({
    modelDirectory: directory,
    threads: config.embedThreads,
    maxQueuedTexts: config.maxQueuedTexts,
    onTrouble: troubleTo(log),
  });
  const hybrid = (config.searchMode ?? manifest.search.mode) === "hybrid";
  const opening = store.then(() => openSearch(config, manifest, hybrid, log));
  const [embedder, search] = await allOrClose([loading, opening]);
  const extractor = openExtractor(config, directory, log);
  return {
    embedder,
    search,
    hybrid,
    extractor,
    async close() {
      await extractor.close();
      await search.close();
      await embedder.close();
    },
  };
}

/** Throws OPERATION_FAILED, saying what to do, where a model's folder is not there. */
export function requireModelFolder(directory: string | null): void {
  if (directory === null || existsSync(directory)) return;
  throw fail("OPERATION_FAILED", {
    reason: `There is no embedding model "${basename(directory)}": ${directory} is missing. Put it back (lectern model add), choose another that \`lectern model list\` shows, or go back to the built-in one: lectern model use default`,
  });
}

/** The folder of the model whose identity this is: null for the built-in one, undefined when it is not here. */
export async function findModelDirectory(dataDirectory: string, modelId: string): Promise<string | null | undefined> {
  if (modelIdentity(await readManifest(null)) === modelId) return null;
  const models = join(dataDirectory, "models");
  for (const name of (await readdir(models).catch(() => [])).filter((name) => !name.startsWith("."))) {
    const directory = join(models, name);
    // A folder that is no embedding model's is nobody's concern here.
    const manifest = await readManifest(directory).catch(() => null);
    if (manifest && modelIdentity(manifest) === modelId) return directory;
  }
  return undefined;
}

function openSearch(config: Config, manifest: ModelManifest, words: boolean, log: Log): Promise<SearchEngine> {
  const { dataDirectory, openDatasets, exactLimit, graphLimit, searchExpansion } = config;
  return openSearchEngine(
    {
      dataDirectory,
      dimensions: manifest.dimensions,
      modelId: modelIdentity(manifest),
      words,
      threads: config.searchThreads,
      openDatasets,
      memoryBytes: indexBytes(config.indexMemory),
      exactLimit,
      graphLimit,
      searchExpansion,
    },
    {
      onTrouble: troubleTo(log),
      onDamage: ({ datasetId, reason }: IndexDamage) =>
        log.warn("A saved index cannot be used: it is made anew from the database, and searches answer as before", {
          index: datasetId,
          reason,
        }),
      onTooLarge: ({ datasetId, ...size }: LargeIndex) =>
        log.warn(
          "A dataset does not fit into the memory for indexes: the other vectors are read from the database, which takes longer where the system does not keep that in its cache; --index-memory gives it more",
          { index: datasetId, ...size },
        ),
      onBuildFailure: (reason: string) =>
        log.error("An index checkpoint could not be written; its dataset is searched without it", { reason }),
    },
  );
}

/** What reads files, and cuts them by the tokenizer of a model. No process runs until the first file comes. */
export function openExtractor(config: Config, modelDirectory: string | null, log: Log): DocumentExtractor {
  const modelArguments = modelDirectory === null ? [] : [`--model-directory=${modelDirectory}`];
  return openDocumentExtractor({
    command: ownCommand("--role=extract", ...modelArguments),
    environment: childEnvironment(),
    processes: config.extractProcesses,
    recognition: {
      modelsDirectory: join(config.dataDirectory, "models"),
      speech: {
        language: config.speechLanguage,
        model: config.speechModel,
        ffmpeg: config.ffmpeg === "none" ? null : Bun.which(config.ffmpeg),
      },
      ocrLanguages: config.ocrLanguages?.split(/[,+ ]+/) ?? [],
      ocrProgram: ocrProgramOf(config),
    },
    onTrouble: (sentence) => log.warn(sentence),
    maxSeconds: config.extractSeconds,
    maxRecognitionHours: config.recogniseHours,
    maxMemoryMegabytes: config.extractMemoryMegabytes,
    maxRecognitionMemoryMegabytes: config.recogniseMemoryMegabytes,
    maxTextCharacters: config.extractMaxCharacters,
    maxChunks: config.maxUploadChunks,
    maxPauseSeconds: config.extractPauseSeconds,
    idleSeconds: config.extractIdleSeconds,
    // An upload hands over a few of its files at a time, so this is never what refuses one.
    maxQueued: config.maxConcurrentUploads * config.maxFilesPerUpload,
  });
}
