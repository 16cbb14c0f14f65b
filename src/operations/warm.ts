/** Brings datasets into memory after a start, so that nobody's first search waits for it. */
import { warmIndexes } from "./dataset-indexes.ts";
import type { Engines } from "./engines.ts";

/** Warms the largest datasets, one after the other, at most `count`, until aborted. A failure is logged: searches will say what is wrong. */
export async function warmDatasets(
  { store, models, log }: Pick<Engines, "store" | "models" | "log">,
  count: number,
  signal: AbortSignal,
): Promise<void> {
  const largest = store
    .datasets()
    .filter(({ chunkCount }) => chunkCount > 0)
    .sort((left, right) => right.chunkCount - left.chunkCount);
  for (const { id, generation, modelId } of largest.slice(0, count)) {
    if (signal.aborted) return;
    if (!models.has(modelId)) continue;
    try {
      await models.during(modelId, (model) => warmIndexes(model, { datasetId: id, generation }));
    } catch (error) {
      if (!signal.aborted) log.error("A dataset could not be brought into memory", { datasetId: id, cause: error });
      return;
    }
  }
}
