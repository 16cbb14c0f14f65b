/** Listing datasets. Free. A dataset is there as long as it holds files: one whose files were all deleted is not listed. */
import type { Caller } from "../access/index.ts";
import { fieldDefaults } from "../foundation/field-limits.ts";
import type { Dataset } from "../store/index.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import type { Engines } from "./engines.ts";
import { given, readLimit } from "./page-request.ts";

/** A dataset as the interface shows it. */
export interface ListedDataset {
  readonly datasetId: string;
  readonly files: number;
  readonly chunks: number;
  readonly bytes: number;
  /** When the oldest and the newest of its files were stored, ISO 8601. */
  readonly created: string;
  readonly updated: string;
}

export interface DatasetPage {
  readonly datasets: ListedDataset[];
  /** null: there are no more. */
  readonly nextCursor: string | null;
}

type ListingEngines = Pick<Engines, "access" | "store" | "datasetTotals">;

/** A page of the caller's datasets, ordered by id; with a token its own alone. Throws INVALID_REQUEST. */
export async function listDatasets(
  engines: ListingEngines,
  caller: Caller,
  query: { readonly limit: string | null; readonly cursor: string | null },
): Promise<DatasetPage> {
  const { access } = engines;
  const limit = readLimit(query.limit) ?? fieldDefaults.limit;
  const cursor = given(query.cursor);
  const listing = ["datasets", caller.customerId];
  const after = cursor === null ? "" : openCursor(access, listing, cursor);
  const found = datasetsOf(engines, caller, after, limit + 1);
  const shown = found.slice(0, limit);
  const datasets: ListedDataset[] = [];
  for (const dataset of shown) {
    const { files, chunks, bytes, oldest, newest } = await engines.datasetTotals.of(dataset);
    // Its last file may have been deleted a moment ago.
    if (files === 0) continue;
    const [created, updated] = [new Date(oldest!).toISOString(), new Date(newest!).toISOString()];
    datasets.push({ datasetId: dataset.name, files, chunks, bytes, created, updated });
  }
  return { datasets, nextCursor: found.length > limit ? sealCursor(access, listing, shown.at(-1)!.name) : null };
}

/** All of them, page by page. */
export async function* everyDataset(engines: ListingEngines, caller: Caller): AsyncGenerator<ListedDataset> {
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: DatasetPage = await listDatasets(engines, caller, { limit: null, cursor });
    yield* page.datasets;
    cursor = page.nextCursor;
  }
}

function datasetsOf({ store }: ListingEngines, caller: Caller, after: string, limit: number): Dataset[] {
  if (caller.datasetId === null) return store.datasetsAfter(caller.customerId, after, limit);
  const own = store.dataset(caller.customerId, caller.datasetId);
  return own === null || own.fileCount === 0 || after !== "" ? [] : [own];
}
