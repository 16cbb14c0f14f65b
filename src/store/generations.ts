/**
 * Generations: when a dataset is embedded anew by another model, its new vectors and terms are kept beside the old ones, which
 * serve searches until all are there; then one short transaction makes the new generation the live one. Pure.
 *
 * A dataset's first generation is 0. To indexes, a dataset of a generation is one number (`indexId`), and so is a chunk
 * (`indexedChunk`); in generation 0 both are the ids themselves. Vectors and terms are stored under the chunk's number.
 */

/** Chunk ids, dataset ids and generations stay below these, so that both numbers are exact. */
export const CHUNKS = 2 ** 40;
const DATASETS = 2 ** 40;
export const GENERATIONS = 2 ** 12;

export const indexId = (datasetId: number, generation: number): number => generation * DATASETS + datasetId;

export const datasetOfIndex = (index: number): { datasetId: number; generation: number } => ({
  datasetId: index % DATASETS,
  generation: Math.floor(index / DATASETS),
});

export const indexedChunk = (chunkId: number, generation: number): number => generation * CHUNKS + chunkId;

export const generationOfIndexed = (indexed: number): number => Math.floor(indexed / CHUNKS);

export const chunkOfIndexed = (indexed: number): number => indexed % CHUNKS;
