/**
 * Makes up for what older versions did not keep: the order of the tokens in each passage, without which searches cannot look at
 * it word by word. Reads passages anew in the background, a few at a time. Every step is durable: the next start goes on behind it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { modelIdentity, readManifest } from "../embedding/index.ts";
import type { UnorderedChunk } from "../store/index.ts";
import { forgetWords } from "./dataset-indexes.ts";
import type { Engines } from "./engines.ts";
import type { ModelEngines } from "./models-in-use.ts";
import { passageText } from "./passage-text.ts";
import { whenNotBusy } from "./when-not-busy.ts";

/** Chunks between two commits, and texts in the queue at once: some ten milliseconds. */
const CHUNKS_PER_STEP = 32;
/** Between two steps: this has time. */
const PAUSE_MILLISECONDS = 20;
/** After a failure, such as a full disk. */
const PAUSE_AFTER_FAILURE = 60_000;

type TermEngines = Pick<Engines, "store" | "models" | "log">;

/** Goes through all chunks that are stored so, of every dataset and generation, until none is left or it is aborted. */
export async function orderAllTerms(engines: TermEngines, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await orderTerms(engines, signal);
    } catch (error) {
      if (signal.aborted) return;
      engines.log.error("Passages that an older version had stored could not be read anew; trying again", {
        afterMilliseconds: PAUSE_AFTER_FAILURE,
        cause: error,
      });
      await pause(PAUSE_AFTER_FAILURE, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function orderTerms({ store, models, log }: TermEngines, signal: AbortSignal): Promise<void> {
  const builtIn = modelIdentity(await readManifest(null));
  /** One chunk of each generation whose terms were another model's tokens until now. */
  const changed = new Map<string, UnorderedChunk>();
  let passages = 0;
  for (let after = 0; ; ) {
    const chunks = store.unorderedChunks(after, CHUNKS_PER_STEP);
    if (chunks.length === 0) break;
    if (passages === 0) log.info("Reading passages anew that an older version had stored");
    const texts = chunks.map((chunk) =>
      passageText((modelOf(models.all, chunk.modelId) ?? models.chosen).embedder.manifest, chunk),
    );
    const terms = await whenNotBusy(
      () => models.during(models.chosen.embedder.modelId, ({ embedder }) => embedder.terms(texts, "upload")),
      signal,
    );
    await store.orderTerms({ chunkIds: chunks.map(({ chunkId }) => chunkId), terms });
    for (const chunk of chunks)
      if (chunk.modelId !== builtIn) changed.set(`${chunk.datasetId} ${chunk.generation}`, chunk);
    passages += chunks.length;
    after = chunks.at(-1)!.chunkId;
    await Bun.sleep(PAUSE_MILLISECONDS);
    signal.throwIfAborted();
  }
  for (const { modelId, datasetId, generation } of changed.values()) {
    const model = modelOf(models.all, modelId);
    if (model) await forgetWords(model, { datasetId, generation });
  }
  if (passages > 0) log.info("Passages that an older version had stored are read anew", { passages });
}

const modelOf = (models: readonly ModelEngines[], modelId: string | null): ModelEngines | undefined =>
  models.find(({ embedder }) => embedder.modelId === modelId);
