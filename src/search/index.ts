/**
 * Question → chunks of a dataset that may answer it, by what they mean and by the words they hold. Each dataset is kept by one of a
 * pool of threads, its vectors and its words together; SQLite is the truth and an index a cache of it. How each part works: pool.ts
 * (which thread), thread.ts (one of them), vectors/vector-index.ts and words/word-index.ts (a dataset in memory), both folders'
 * other files (on disk), builds.ts (checkpoints in the background).
 */
import { SearchPool } from "./pool.ts";
import type { SearchEngine, SearchNotices, SearchOptions } from "./types.ts";

export type * from "./types.ts";
export { VECTORS_SHARE } from "./types.ts";
export { verifySavedIndexes } from "./vectors/verify.ts";
export { verifySavedWords } from "./words/verify.ts";

/** Measured on real passages (`bun run bench index`): fewer links lose recall, more candidates while adding cost more than they find. */
const GRAPH_PARAMETERS = { connectivity: 32, expansionAdd: 200 };

/** The database must be there. */
export function openSearchEngine(
  { threads, ...settings }: SearchOptions,
  notices: SearchNotices,
): Promise<SearchEngine> {
  return SearchPool.open({ ...settings, parameters: GRAPH_PARAMETERS }, threads, notices);
}
