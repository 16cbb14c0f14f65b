/** What can be named as a model: embedding models, and datasets, which chats are answered from. */
import type { Caller } from "../../access/index.ts";
import { everyDataset } from "../../operations/datasets.ts";
import { unknownModel } from "../../operations/embeddings.ts";
import type { Engines } from "../../operations/engines.ts";

/** Means the dataset of a frontend token. */
export const OWN_DATASET = "lectern";

export interface ListedModel {
  readonly id: string;
  readonly object: "model";
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
}

type ListingEngines = Pick<Engines, "access" | "store" | "datasetTotals" | "models">;

/** The embedding model that is in use, and the caller's datasets. */
export async function listModels(engines: ListingEngines, caller: Caller): Promise<ListedModel[]> {
  const datasets = await Array.fromAsync(everyDataset(engines, caller), ({ datasetId, created }) =>
    model(datasetId, caller.customerId, created),
  );
  const own = caller.datasetId === null ? [] : [model(OWN_DATASET, caller.customerId)];
  return [...own, ...datasets, model(engines.models.chosen.embedder.manifest.name, OWN_DATASET)];
}

/** Throws MODEL_NOT_FOUND. */
export async function findModel(engines: ListingEngines, caller: Caller, id: string): Promise<ListedModel> {
  const found = (await listModels(engines, caller)).find((one) => one.id === id);
  if (found === undefined) throw unknownModel(id);
  return found;
}

/** What nobody knows the beginning of is as old as Unix time. */
const model = (id: string, owner: string, created = new Date(0).toISOString()): ListedModel => ({
  id,
  object: "model",
  created: Math.floor(Date.parse(created) / 1000),
  owned_by: owner,
});
