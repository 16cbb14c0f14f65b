/** Opens the engines of one data directory, mends what the last process left, and closes everything in reverse. */
import { mkdirSync } from "node:fs";
import { accessDatabasePath, openAccess, type Access } from "../access/index.ts";
import { allOrClose } from "../foundation/all-or-close.ts";
import { createExtractiveAnswerer, openLlamaAnswerer, withFloor, type Answerer } from "../answers/index.ts";
import { checkComplete } from "../data-directory/complete.ts";
import { answerModelPlaceOf, modelDirectoryOf, type Config } from "../options/config.ts";
import { refuseUnfinishedMoves } from "../data-directory/moves.ts";
import { refuseMisplaced } from "../data-directory/places.ts";
import { lockDirectory } from "../data-directory/lock.ts";
import { modelIdentity, readManifest } from "../embedding/index.ts";
import { openFileStorage } from "../files/index.ts";
import { troubleTo, type Log } from "../foundation/log.ts";
import { findModelDirectory, openModelEngines, requireModelFolder } from "./model-engines.ts";
import { answerEnvironment, ownCommand } from "../native/index.ts";
import { BackgroundLoop } from "../operations/background-loop.ts";
import { openChunkRoom } from "../operations/chunk-room.ts";
import { Clearing } from "../operations/clearing.ts";
import { RunningSearches } from "../operations/running-searches.ts";
import { DatasetTotals } from "../operations/dataset-totals.ts";
import { openDiskRoom } from "../operations/disk-room.ts";
import type { Engines } from "../operations/engines.ts";
import { ModelsInUse } from "../operations/models-in-use.ts";
import { recordOldFiles } from "../operations/old-files.ts";
import type { SecondStage } from "../operations/ranking.ts";
import { finishCustomerRemovals, recover } from "../operations/recover.ts";
import { readUploadJob } from "../operations/read-upload-job.ts";
import { reembedAll } from "../operations/reembed.ts";
import { UploadJobs } from "../operations/upload-jobs.ts";
import { orderAllTerms } from "../operations/unordered-terms.ts";
import { openRanking } from "../ranking/index.ts";
import { openStore } from "../store/index.ts";
import { makeRoomToStart } from "../store/reserve-file.ts";

/** How often changes by other processes are looked for, milliseconds: the command line promises a second. */
const HOUSEKEEPING_INTERVAL = 500;

export interface Appliance extends Engines {
  /** Tells other processes of this machine where the server listens, and by which certificates (PEM) they know it. */
  announce(url: string, certificates?: readonly string[]): void;
  /** Begins to read files that were accepted, also by processes before this one. */
  startUploadJobs(): void;
  /** Begins to embed datasets of other models anew in the background, where there are any. */
  startReembedding(): void;
  /** Goes over to another model; null: the built-in one. Throws OPERATION_FAILED, and stays with the present one, when it cannot be used. */
  chooseModel(directory: string | null): Promise<void>;
  /** Checkpoints and closes every engine, and gives the data directory free. */
  close(): Promise<void>;
}

/**
 * Opens a data directory, making it when it is not there.
 *
 * Datasets that another model embedded are searched by it, where it is in the data directory, until `startReembedding` or
 * `reembedAll` has embedded them anew. Throws OPERATION_FAILED when another process owns the directory or an engine cannot be
 * opened; whatever had been opened is closed again. So it does when parts of the directory, or of a database, are missing beside
 * documents or what is noted, unless `acceptLoss`.
 */
export async function openAppliance(config: Config, log: Log, { acceptLoss = false } = {}): Promise<Appliance> {
  const { dataDirectory } = config;
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  refuseUnfinishedMoves(dataDirectory);
  refuseMisplaced(dataDirectory);
  makeRoomToStart(dataDirectory);
  await using opened = new AsyncDisposableStack();
  const lock = opened.adopt(lockDirectory(dataDirectory), (held) => held.release());
  if (!acceptLoss) checkComplete(dataDirectory);

  const opening = openStore({
    dataDirectory,
    alsoCheckpoint: [accessDatabasePath(dataDirectory)],
    onTrouble: troubleTo(log),
  });
  const reading: Promise<SecondStage | null> = opening.then(() => openSecondStage(config, log));
  const [chosen, access, store, storage, secondStage] = await allOrClose([
    openModelEngines(config, modelDirectoryOf(config), opening, log),
    openMetering(config, acceptLoss),
    opening,
    openFileStorage(dataDirectory),
    reading,
  ]);
  opened.adopt(access, (open) => open.close());
  opened.adopt(store, (open) => open.close());
  if (secondStage) opened.adopt(secondStage, (open) => open.close());
  const models = opened.adopt(new ModelsInUse(chosen), (open) => open.close());
  const answerer = opened.adopt(withFloor(openAnswerer(config, models, log)), (open) => open.close());

  const engines: Engines = {
    access,
    store,
    models,
    secondStage,
    answerer,
    storage,
    runningSearches: new RunningSearches(),
    datasetTotals: new DatasetTotals(store),
    clearing: opened.adopt(new Clearing({ store, storage, log }), (clearing) => clearing.stop()),
    // Before the models and the store are closed, what is under way ends.
    uploadJobs: opened.adopt(new UploadJobs(config), (jobs) => jobs.stop()),
    chunkRoom: openChunkRoom(config.maxUploadChunks),
    diskRoom: openDiskRoom(dataDirectory, config, log),
    log,
    searchResults: config.searchResults,
    answerFloor: config.answerFloor,
  };
  if (access.lostChanges > 0)
    log.warn("Went on with an access.db that is not the last one: customers and keys may be unknown, or valid again", {
      lostChanges: access.lostChanges,
    });
  await openOtherModels(config, engines);
  await recover(engines, acceptLoss);
  engines.clearing.start();
  opened.adopt(startHousekeeping(engines), (stop) => stop());
  const reembedding = opened.adopt(
    new BackgroundLoop({
      work: (signal) => reembedAll(engines, signal),
      failure: "A dataset could not be embedded anew; trying again",
      log,
    }),
    (loop) => loop.stop(),
  );
  models.onForeignDataset = () => reembedding.lookAgain();

  async function chooseModel(directory: string | null): Promise<void> {
    requireModelFolder(directory);
    const modelId = modelIdentity(await readManifest(directory));
    if (!models.has(modelId)) models.add(await openModelEngines(config, directory, Promise.resolve(), log));
    models.choose(modelId);
    log.info("Another embedding model was chosen", { model: modelId });
    // Abandons what was begun for the model chosen before.
    reembedding.restart();
  }

  const closers = opened.move();
  return {
    ...engines,
    announce: (url, certificates) => lock.announce(url, certificates),
    startUploadJobs() {
      engines.uploadJobs.add(store.unreadUploadJobs());
      engines.uploadJobs.start((fileId, signal, onProgress) => readUploadJob(engines, fileId, signal, onProgress));
    },
    startReembedding: () => reembedding.restart(),
    chooseModel,
    close: () => closers.disposeAsync(),
  };
}

/** Models that made vectors which searches still need. */
async function openOtherModels(config: Config, { store, models, log }: Engines): Promise<void> {
  const needed = new Set(
    store
      .datasets()
      .filter(({ fileCount }) => fileCount > 0)
      .map(({ modelId }) => modelId),
  );
  for (const modelId of needed) {
    if (models.has(modelId)) continue;
    const directory = await findModelDirectory(config.dataDirectory, modelId);
    try {
      if (directory === undefined) throw new Error("its folder is not in the data directory");
      models.add(await openModelEngines(config, directory, Promise.resolve(), log));
    } catch (error) {
      log.warn(
        "Datasets cannot be searched until they are embedded anew: the model that made their vectors cannot be opened",
        { model: modelId, reason: (error as Error).message },
      );
    }
  }
}

async function openSecondStage(
  { dataDirectory, ranking, rankingCandidates, searchThreads }: Config,
  log: Log,
): Promise<SecondStage | null> {
  if (ranking === "off") return null;
  const opened = await openRanking({
    dataDirectory,
    mode: ranking,
    // Candidates are found for one question while another's are read.
    threads: Math.ceil(searchThreads / 2),
    onTrouble: troubleTo(log),
  });
  return { ranking: opened, candidates: rankingCandidates, close: () => opened.close() };
}

async function openMetering(
  { dataDirectory, rateUpload, rateRetrieval, rateToken, rateFree }: Config,
  acceptLoss: boolean,
): Promise<Access> {
  return openAccess({
    dataDirectory,
    limits: { upload: rateUpload, retrieval: rateRetrieval, token: rateToken, free: rateFree },
    checkpoints: "elsewhere",
    acceptLoss,
  });
}

/** By the language model that the configuration names, else in the documents' own words. */
function openAnswerer(config: Config, models: ModelsInUse, log: Log): Answerer {
  const place = answerModelPlaceOf(config);
  if (place === null) {
    return createExtractiveAnswerer({
      embed: (texts, kind, priority) =>
        models.during(models.chosen.embedder.modelId, ({ embedder }) => embedder.embed(texts, kind, priority)),
      terms: (texts, priority) =>
        models.during(models.chosen.embedder.modelId, ({ embedder }) => embedder.terms(texts, priority)),
    });
  }
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

/**
 * Makes up for what older versions did not record, once, and keeps looking for customers whom another process removed, and after the
 * disk's reserve. Returns how to stop it, which waits for what is running.
 */
function startHousekeeping(engines: Engines): () => Promise<void> {
  const stopping = new AbortController();
  const recording = recordOldFiles(engines, stopping.signal).catch((error: unknown) =>
    engines.log.error("Hashes of stored files could not be recorded yet", { cause: error }),
  );
  const ordering = orderAllTerms(engines, stopping.signal);
  let running: Promise<void> = Promise.resolve();
  let isIdle = true;
  const timer = setInterval(() => {
    if (!isIdle) return;
    isIdle = false;
    running = running
      .then(() => finishCustomerRemovals(engines))
      .catch((error: unknown) =>
        engines.log.error("A removed customer's documents could not be deleted yet", { cause: error }),
      )
      .then(() => engines.diskRoom.reserve.keep())
      .catch((error: unknown) => engines.log.error("The disk's reserve cannot be looked at", { cause: error }))
      .finally(() => (isIdle = true));
  }, HOUSEKEEPING_INTERVAL);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await Promise.all([running, recording, ordering]);
  };
}
