/**
 * Embeds datasets anew by the chosen model, one after the other, beside uploads. Until a dataset is done, its old vectors
 * serve; then it changes over at once. Every step is durable: whatever ends the process, the next one goes on behind it.
 */
import type { ChunkPosition, Dataset, Reembedding } from "../store/index.ts";
import { addToIndexes, forgetIndexes, removeFromIndexes, warmIndexes } from "./dataset-indexes.ts";
import type { Engines } from "./engines.ts";
import type { ModelEngines } from "./models-in-use.ts";
import { passageText } from "./passage-text.ts";
import { whenNotBusy } from "./when-not-busy.ts";

/** Chunks between two commits: what a killed process loses. */
const CHUNKS_PER_STEP = 64;
/** Old vectors removed in one transaction: a few milliseconds, for which uploads wait. */
const DISCARDED_PER_STEP = 256;
const PAUSE_BETWEEN_REMOVALS = 20;

type ReembeddingEngines = Pick<Engines, "store" | "models" | "log">;

/** What is left to do for the chosen model. */
export interface ReembeddingProgress {
  readonly datasets: number;
  /** Chunks of these datasets, and how many of them are done. */
  readonly chunks: number;
  readonly done: number;
}

export function reembeddingProgress({ store, models }: ReembeddingEngines): ReembeddingProgress {
  const left = foreignDatasets(store, models.chosen);
  const begun = new Map(store.reembeddings().map((one) => [one.datasetId, one]));
  const done = left.map(({ id }) => {
    const own = begun.get(id);
    return own?.modelId === models.chosen.embedder.modelId ? store.chunksThrough(id, own.throughChunkId) : 0;
  });
  return {
    datasets: left.length,
    chunks: left.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
    done: done.reduce((sum, count) => sum + count, 0),
  };
}

/**
 * Embeds every dataset of another model anew, smallest first, closes the models that none needs any more, and removes what
 * they left. `onStep` hears of each step. Throws the signal's reason when aborted, and what a model or the store throws.
 */
export async function reembedAll(
  engines: ReembeddingEngines,
  signal: AbortSignal,
  onStep: (chunks: number, dataset: Dataset) => void = () => {},
): Promise<void> {
  const { store, models } = engines;
  const { modelId } = models.chosen.embedder;
  for (const begun of store.reembeddings()) {
    if (begun.modelId !== modelId) await store.beginReembedding(begun.datasetId, modelId);
  }
  for (
    let left = foreignDatasets(store, models.chosen);
    left.length > 0;
    left = foreignDatasets(store, models.chosen)
  ) {
    for (const dataset of left) await reembedDataset(engines, dataset, signal, (chunks) => onStep(chunks, dataset));
  }
  for (const { embedder } of models.all) {
    signal.throwIfAborted();
    if (!store.datasets().some((dataset) => dataset.fileCount > 0 && dataset.modelId === embedder.modelId))
      await models.retire(embedder.modelId);
  }
  while (await store.removeDiscarded(DISCARDED_PER_STEP)) {
    signal.throwIfAborted();
    await Bun.sleep(PAUSE_BETWEEN_REMOVALS);
  }
}

async function reembedDataset(
  { store, models, log }: ReembeddingEngines,
  dataset: Dataset,
  signal: AbortSignal,
  onStep: (chunks: number) => void,
): Promise<void> {
  const model = models.chosen;
  const begun = await store.beginReembedding(dataset.id, model.embedder.modelId);
  if (begun === null) return;
  const place = { datasetId: dataset.id, name: dataset.name, customerId: dataset.customerId };
  log.info("Embedding a dataset anew", {
    ...place,
    chunks: dataset.chunkCount,
    from: dataset.modelId,
    to: begun.modelId,
    through: begun.throughChunkId,
  });

  const next = new NextGeneration(store, model, begun);
  for (;;) {
    while (await next.step(signal)) onStep(next.stepChunks);
    // Searches find the new index open; what is uploaded while it opens is added to it.
    await next.openIndexes();
    if (await next.step(signal)) onStep(next.stepChunks);
    else if (await store.switchGeneration(dataset.id, begun.generation)) break;
    else if (
      !store
        .reembeddings()
        .some(({ datasetId, generation }) => datasetId === dataset.id && generation === begun.generation)
    )
      return;
  }
  const old = models.all.find(({ embedder }) => embedder.modelId === dataset.modelId);
  if (old) await forgetIndexes(old, { datasetId: dataset.id, generation: dataset.generation });
  log.info("A dataset is embedded anew", { ...place, by: begun.modelId });
}

/** The vectors and terms that are being made of one dataset. */
class NextGeneration {
  /** Chunks of the last step. */
  stepChunks = 0;
  private place: ChunkPosition;
  private isOpen = false;

  constructor(
    private readonly store: Engines["store"],
    private readonly model: ModelEngines,
    private readonly begun: Reembedding,
  ) {
    this.place = { fileRow: 0, chunkId: begun.throughChunkId };
  }

  /** Embeds and stores the next few chunks. False when there are none. */
  async step(signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const { datasetId, generation } = this.begun;
    const texts = this.store.textsAfter(datasetId, this.place, CHUNKS_PER_STEP);
    if (texts.length === 0) return false;
    const chunkIds = texts.map(({ chunkId }) => chunkId);
    const { embedder } = this.model;
    const passages = texts.map((chunk) => passageText(embedder.manifest, chunk));
    const { vectors, terms } = await whenNotBusy(() => embedder.embedWithTerms(passages, "passage", "upload"), signal);
    await this.store.addEmbeddings({ datasetId, generation, chunkIds, vectors, terms });
    if (this.isOpen) await this.addToIndexes(chunkIds);
    const { fileRow, chunkId } = texts.at(-1)!;
    this.place = { fileRow, chunkId };
    this.stepChunks = texts.length;
    return true;
  }

  async openIndexes(): Promise<void> {
    if (this.isOpen) return;
    this.isOpen = true;
    await warmIndexes(this.model, this.begun);
  }

  private async addToIndexes(chunkIds: readonly number[]): Promise<void> {
    for (let start = 0; start < chunkIds.length; ) {
      let end = start + 1;
      while (end < chunkIds.length && chunkIds[end] === chunkIds[end - 1]! + 1) end++;
      await addToIndexes(this.model, this.begun, { first: chunkIds[start]!, last: chunkIds[end - 1]! });
      start = end;
    }
    // A deletion may have told the engine before it was told of the chunks, whose rows are cleared up later.
    const stored = this.store.chunks(chunkIds);
    const gone = chunkIds.filter((chunkId) => !stored.has(chunkId));
    if (gone.length > 0)
      await removeFromIndexes(
        this.model,
        this.begun,
        gone.map((chunkId) => ({ first: chunkId, last: chunkId })),
      );
  }
}

function foreignDatasets(store: Engines["store"], chosen: ModelEngines): Dataset[] {
  const foreign = store
    .datasets()
    .filter(({ fileCount, modelId }) => fileCount > 0 && modelId !== chosen.embedder.modelId);
  return foreign.sort((left, right) => left.chunkCount - right.chunkCount);
}
