/** Tells a model's indexes, vectors and words alike, what changed in a generation of a dataset. */
import { indexedChunk, indexId, type ChunkRange, type Vector } from "../store/index.ts";
import type { ModelEngines } from "./models-in-use.ts";

/** What one model made of one dataset. */
export interface DatasetGeneration {
  readonly datasetId: number;
  readonly generation: number;
}

type Indexes = Pick<ModelEngines, "vectors" | "lexical">;

/** Chunks handed to an index at a time: 1.5 MB at 1536 dimensions. */
const CHUNKS_PER_ADDITION = 256;
const EVERYTHING: readonly ChunkRange[] = [{ first: 0, last: Number.MAX_SAFE_INTEGER }];

/**
 * Consecutive chunks that the store has committed. The next search after it resolves finds them. Vectors go in slices: what is
 * handed over at one go is copied on the main thread, which nobody else gets meanwhile.
 */
export async function addToIndexes(
  { vectors, lexical }: Indexes,
  { datasetId, generation }: DatasetGeneration,
  firstChunkId: number,
  added: readonly Vector[],
): Promise<void> {
  const index = indexId(datasetId, generation);
  const range = {
    first: indexedChunk(firstChunkId, generation),
    last: indexedChunk(firstChunkId + added.length - 1, generation),
  };
  await lexical?.add({ datasetId: index, range });
  for (let start = 0; start < added.length; start += CHUNKS_PER_ADDITION) {
    const slice = added
      .slice(start, start + CHUNKS_PER_ADDITION)
      .map((vector) => (vector instanceof Float32Array ? vector : new Float32Array(vector)));
    await vectors.add({ datasetId: index, firstChunkId: range.first + start, vectors: slice });
  }
}

/** Chunks that the store has deleted. */
export async function removeFromIndexes(
  { vectors, lexical }: Indexes,
  { datasetId, generation }: DatasetGeneration,
  ranges: readonly ChunkRange[],
): Promise<void> {
  const index = indexId(datasetId, generation);
  const indexed = ranges.map(({ first, last }) => ({
    first: indexedChunk(first, generation),
    last: indexedChunk(last, generation),
  }));
  await Promise.all([
    vectors.remove({ datasetId: index, ranges: indexed }),
    lexical?.remove({ datasetId: index, ranges: indexed }),
  ]);
}

/** Lets go of a generation that no search needs any more: an index without any chunk leaves memory, and its files are deleted. */
export async function forgetIndexes(
  { vectors, lexical }: Indexes,
  { datasetId, generation }: DatasetGeneration,
): Promise<void> {
  const index = indexId(datasetId, generation);
  await Promise.all([
    vectors.remove({ datasetId: index, ranges: EVERYTHING }),
    lexical?.remove({ datasetId: index, ranges: EVERYTHING }),
  ]);
}

/** Lets go of what is in memory of a generation's words, which were stored anew: the next search reads them from the store. */
export async function forgetWords(
  { lexical }: Pick<ModelEngines, "lexical">,
  { datasetId, generation }: DatasetGeneration,
): Promise<void> {
  await lexical?.remove({ datasetId: indexId(datasetId, generation), ranges: EVERYTHING });
}

/** Brings a generation into memory. */
export async function warmIndexes(
  { vectors, lexical }: Indexes,
  { datasetId, generation }: DatasetGeneration,
): Promise<void> {
  const index = indexId(datasetId, generation);
  await Promise.all([vectors.warm(index), lexical?.warm(index)]);
}
