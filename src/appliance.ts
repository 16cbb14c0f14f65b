/** Opens the engines of one data directory, mends what the last process left, and closes everything in reverse. */
import { mkdirSync } from "node:fs";
import { accessDatabasePath, openAccess, type Access } from "./access/index.ts";
import { createExtractiveAnswerer, openLlamaAnswerer, type Answerer } from "./answers/index.ts";
import { answerModelPlaceOf, modelDirectoryOf, type Config } from "./config.ts";
import { lockDirectory } from "./directory-lock.ts";
import { openDocumentExtractor, type DocumentExtractor } from "./documents/index.ts";
import { modelIdentity, openEmbedder, readManifest, type Embedder, type ModelManifest } from "./embedding/index.ts";
import { fail } from "./errors.ts";
import { openLexicalIndexes, type LexicalIndexes } from "./lexical/index.ts";
import type { Log } from "./log.ts";
import { answerEnvironment, childEnvironment, ownCommand } from "./native/index.ts";
import { openChunkRoom } from "./operations/chunk-room.ts";
import type { Engines } from "./operations/engines.ts";
import { openFileStorage } from "./operations/file-storage.ts";
import { finishCustomerRemovals, recover, sweepOrphans } from "./operations/recover.ts";
import { openStore, type Store } from "./store/index.ts";
import { openVectorIndexes, type VectorIndexes } from "./vectors/index.ts";

/** How often changes by other processes are looked for, milliseconds: the command line promises a second. */
const HOUSEKEEPING_INTERVAL = 500;

export interface Appliance extends Engines {
  /** Tells other processes of this machine where the server listens. */
  announce(url: string): void;
  /** Checkpoints and closes every engine, and gives the data directory free. */
  close(): Promise<void>;
}

interface Documents {
  readonly store: Store;
  readonly vectors: VectorIndexes;
  readonly lexical: LexicalIndexes | null;
  close(): Promise<void>;
}

/**
 * Opens a data directory, making it when it is not there.
 *
 * Throws OPERATION_FAILED when another process owns it, when its datasets were embedded by another model than the
 * configured one, or when an engine cannot be opened; whatever had been opened is closed again.
 */
export async function openAppliance(config: Config, log: Log): Promise<Appliance> {
  const startedAt = Date.now();
  const { dataDirectory } = config;
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  await using opened = new AsyncDisposableStack();
  const lock = opened.adopt(lockDirectory(dataDirectory), (held) => held.release());

  const modelDirectory = modelDirectoryOf(config);
  const manifest = await readManifest(modelDirectory);
  // The model takes longest to load, so it begins first and the rest opens meanwhile.
  const [embedder, access, documents, storage] = await allOrClose([
    openEmbedder({ modelDirectory, threads: config.embedThreads, maxQueuedTexts: config.maxQueuedTexts }),
    openMetering(config),
    openDocuments(config, manifest, log),
    openFileStorage(dataDirectory),
  ]);
  opened.adopt(access, (open) => open.close());
  opened.adopt(embedder, (open) => open.close());
  opened.adopt(documents, (open) => open.close());
  const { store, vectors, lexical } = documents;
  const extractor = opened.adopt(openExtractor(config, modelDirectory), (open) => open.close());
  const answerer = opened.adopt(openAnswerer(config, embedder, log), (open) => open.close());

  const engines: Engines = { access, store, embedder, vectors, lexical, extractor, answerer, storage, chunkRoom: openChunkRoom(config.maxUploadChunks), log, searchResults: config.searchResults };
  await recover(engines);
  opened.adopt(startHousekeeping(engines, startedAt), (stop) => stop());

  const closers = opened.move();
  return { ...engines, announce: (url) => lock.announce(url), close: () => closers.disposeAsync() };
}

async function openMetering({ dataDirectory, rateUpload, rateRetrieval, rateToken }: Config): Promise<Access> {
  return openAccess({ dataDirectory, limits: { upload: rateUpload, retrieval: rateRetrieval, token: rateToken }, checkpoints: "elsewhere" });
}

/** The documents and the indexes over them, which read what the store keeps. */
async function openDocuments(config: Config, manifest: ModelManifest, log: Log): Promise<Documents> {
  const { dataDirectory } = config;
  const modelId = modelIdentity(manifest);
  await using opened = new AsyncDisposableStack();
  const store = opened.adopt(await openStore({ dataDirectory, alsoCheckpoint: [accessDatabasePath(dataDirectory)] }), (open) => open.close());
  checkModel(store, modelId);
  const vectors = opened.adopt(
    await openVectorIndexes({
      dataDirectory,
      dimensions: manifest.dimensions,
      modelId,
      openDatasets: config.openDatasets,
      exactLimit: config.exactLimit,
      graphLimit: config.graphLimit,
      searchExpansion: config.searchExpansion,
      onBuildFailure: (reason) => log.error("A search graph could not be built; its dataset is searched without it", { reason }),
    }),
    (open) => open.close(),
  );
  const isHybrid = (config.searchMode ?? manifest.search.mode) === "hybrid";
  const lexical = isHybrid ? opened.adopt(await openLexicalIndexes({ dataDirectory, openDatasets: config.openDatasets }), (open) => open.close()) : null;
  const closers = opened.move();
  return { store, vectors, lexical, close: () => closers.disposeAsync() };
}

function openExtractor(config: Config, modelDirectory: string | null): DocumentExtractor {
  const modelArguments = modelDirectory === null ? [] : [`--model-directory=${modelDirectory}`];
  return openDocumentExtractor({
    command: ownCommand("--role=extract", ...modelArguments),
    environment: childEnvironment(),
    processes: config.extractProcesses,
    maxSeconds: config.extractSeconds,
    maxMemoryMegabytes: config.extractMemoryMegabytes,
    maxTextCharacters: config.extractMaxCharacters,
    maxChunks: config.maxUploadChunks,
    idleSeconds: config.extractIdleSeconds,
    // An upload hands over a few of its files at a time, so this is never what refuses one.
    maxQueued: config.maxConcurrentUploads * config.maxFilesPerUpload,
  });
}

/** By the language model that the configuration names, else in the documents' own words. */
function openAnswerer(config: Config, embedder: Embedder, log: Log): Answerer {
  const place = answerModelPlaceOf(config);
  if (place === null) return createExtractiveAnswerer(embedder);
  return openLlamaAnswerer({
    command: ownCommand("--role=answer"),
    environment: answerEnvironment(),
    name: config.answerModel!,
    place,
    threads: config.answerThreads,
    sequences: config.answerParallel,
    maxQueued: config.answerQueue,
    idleMinutes: config.answerIdleMinutes,
    startNow: config.answerStart === "at-once",
    contextSize: config.answerContext,
    answerLength: config.answerLength,
    temperature: config.answerTemperature,
    instructions: config.answerInstructions,
    passages: config.answerPassages,
    report: (message, fields) => log.error(message, fields),
  });
}

/** Vectors of two models cannot be compared, so a directory that holds another model's is not opened at all. */
function checkModel(store: Store, modelId: string): void {
  const foreign = store.datasets().filter((dataset) => dataset.fileCount > 0 && dataset.modelId !== modelId);
  const [first] = foreign;
  if (first === undefined) return;
  throw fail("OPERATION_FAILED", {
    reason: `${foreign.length === 1 ? "A dataset was" : `${foreign.length} datasets were`} embedded by another model: "${first.name}" of customer "${first.customerId}" by ${first.modelId}, and the configured model is ${modelId}. Start with the model that made them (--model), or delete and upload them again.`,
  });
}

/**
 * Removes ownerless bytes once, and keeps looking for customers whom another process removed. Returns how to stop it,
 * which waits for what is running.
 */
function startHousekeeping(engines: Engines, startedAt: number): () => Promise<void> {
  let running: Promise<void> = sweepOrphans(engines, startedAt).catch((error: unknown) => engines.log.error("The sweep of ownerless files failed", { cause: error }));
  let isIdle = true;
  const timer = setInterval(() => {
    if (!isIdle) return;
    isIdle = false;
    running = running
      .then(() => finishCustomerRemovals(engines))
      .catch((error: unknown) => engines.log.error("A removed customer's documents could not be deleted yet", { cause: error }))
      .finally(() => (isIdle = true));
  }, HOUSEKEEPING_INTERVAL);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Waits for all; when one fails, closes those that opened before it throws. */
async function allOrClose<const Opening extends readonly Promise<unknown>[]>(openings: Opening): Promise<{ -readonly [Index in keyof Opening]: Awaited<Opening[Index]> }> {
  const outcomes = await Promise.allSettled(openings);
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) {
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled" && hasClose(outcome.value)) await outcome.value.close();
    }
    throw failure.reason;
  }
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as { -readonly [Index in keyof Opening]: Awaited<Opening[Index]> };
}

function hasClose(value: unknown): value is { close(): void | Promise<void> } {
  return typeof value === "object" && value !== null && "close" in value && typeof value.close === "function";
}
