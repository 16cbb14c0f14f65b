/** Tells a model's search engine what changed in a generation of a dataset. */
import { indexedChunk, indexId, type ChunkRange } from "../store/index.ts";
import type { ModelEngines } from "./models-in-use.ts";

/** What one model made of one dataset. */
export interface DatasetGeneration {
  readonly datasetId: number;
  readonly generation: number;
}

type Searching = Pick<ModelEngines, "search">;

const EVERYTHING: readonly ChunkRange[] = [{ first: 0, last: Number.MAX_SAFE_INTEGER }];

/** Chunks that the store has committed. The next search after it resolves finds them. */
export async function addToIndexes(
  { search }: Searching,
  { datasetId, generation }: DatasetGeneration,
  range: ChunkRange,
): Promise<void> {
  await search.add({ datasetId: indexId(datasetId, generation), range: indexed(range, generation) });
}

/** Chunks that the store has deleted. */
export async function removeFromIndexes(
  { search }: Searching,
  { datasetId, generation }: DatasetGeneration,
  ranges: readonly ChunkRange[],
): Promise<void> {
  await search.remove({
    datasetId: indexId(datasetId, generation),
    ranges: ranges.map((range) => indexed(range, generation)),
  });
}

/** Lets go of a generation that no search needs any more: an index without any chunk leaves memory, and its files are deleted. */
export async function forgetIndexes(
  { search }: Searching,
  { datasetId, generation }: DatasetGeneration,
): Promise<void> {
  await search.remove({ datasetId: indexId(datasetId, generation), ranges: EVERYTHING });
}

/** Lets go of what is in memory of a generation's words, which were stored anew: the next search reads them from the store. */
export async function forgetWords({ search }: Searching, { datasetId, generation }: DatasetGeneration): Promise<void> {
  await search.forgetWords(indexId(datasetId, generation));
}

/** Brings a generation into memory. */
export async function warmIndexes({ search }: Searching, { datasetId, generation }: DatasetGeneration): Promise<void> {
  await search.warm(indexId(datasetId, generation));
}

const indexed = ({ first, last }: ChunkRange, generation: number): ChunkRange => ({
  first: indexedChunk(first, generation),
  last: indexedChunk(last, generation),
});
