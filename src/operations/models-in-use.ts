/**
 * The embedding models that are open: as a rule the chosen one alone; while datasets are being embedded anew, the models
 * that made their present vectors as well.
 */
import type { DocumentExtractor } from "../documents/index.ts";
import type { Embedder } from "../embedding/index.ts";
import { fail } from "../foundation/errors.ts";
import type { SearchEngine } from "../search/index.ts";

/** Everything that belongs to one embedding model: what cuts by its tokens, embeds, and searches what it made. */
export interface ModelEngines {
  readonly embedder: Embedder;
  readonly search: SearchEngine;
  /** Whether searches go by words as well as by vectors. */
  readonly hybrid: boolean;
  readonly extractor: DocumentExtractor;
  close(): Promise<void>;
}

interface OpenModel {
  readonly engines: ModelEngines;
  users: number;
  /** Resolved when the last user of a retired model is gone. */
  unused: PromiseWithResolvers<void> | null;
}

/** Seconds after which a dataset may have been embedded by a model that is there. */
const RETRY_SECONDS = 30;

export class ModelsInUse {
  /** Told when a dataset was left to a model that is not the chosen one any more. Set by whoever embeds such datasets anew. */
  onForeignDataset: () => void = () => {};
  private readonly models = new Map<string, OpenModel>();
  private chosenId: string;

  constructor(chosen: ModelEngines) {
    this.chosenId = chosen.embedder.modelId;
    this.add(chosen);
  }

  /** The model of new datasets, by which all others are embedded anew. */
  get chosen(): ModelEngines {
    return this.models.get(this.chosenId)!.engines;
  }

  get all(): ModelEngines[] {
    return Array.from(this.models.values(), ({ engines }) => engines);
  }

  has(modelId: string): boolean {
    return this.models.has(modelId);
  }

  add(engines: ModelEngines): void {
    this.models.set(engines.embedder.modelId, { engines, users: 0, unused: null });
  }

  /** Makes an open model the chosen one. */
  choose(modelId: string): void {
    if (!this.models.has(modelId)) throw new RangeError(`The model ${modelId} is not open.`);
    this.chosenId = modelId;
  }

  /**
   * Does work with a model, which stays open for so long. Throws MODEL_MISSING when it is not here: its vectors cannot be
   * searched until their dataset is embedded anew.
   */
  async during<Result>(modelId: string, work: (model: ModelEngines) => Promise<Result>): Promise<Result> {
    const model = this.models.get(modelId);
    if (!model) throw fail("MODEL_MISSING", { model: modelId, retryAfter: RETRY_SECONDS });
    model.users++;
    try {
      return await work(model.engines);
    } finally {
      if (--model.users === 0) model.unused?.resolve();
    }
  }

  /** Gives out a model no longer, and closes it once nobody uses it. Ignores the chosen one and those that are not open. */
  async retire(modelId: string): Promise<void> {
    const model = this.models.get(modelId);
    if (!model || modelId === this.chosenId) return;
    this.models.delete(modelId);
    if (model.users > 0) await (model.unused = Promise.withResolvers<void>()).promise;
    await model.engines.close();
  }

  async close(): Promise<void> {
    for (const { engines } of this.models.values()) await engines.close();
  }
}
