/**
 * The documents of every customer in one SQLite file, `lectern.db`: datasets, files, chunks, vectors and the
 * metadata that filters look at. types.ts is the interface; everything else in the folder is how it is kept.
 *
 * Reads are synchronous and see every write whose promise has resolved. Writes go to one worker thread and are on
 * disk, fsync included, when their promise resolves.
 */

export { REPLACED_FILES } from "./deletion-writes.ts";
export { indexId, indexedChunk } from "./generations.ts";
export type { Vector } from "./stored-vector.ts";
export { openStore } from "./open.ts";
export { joinRanges, withoutRanges } from "./ranges.ts";
export { MOST_COUNTED, TermCounts } from "./term-counts.ts";
export { openTermReader } from "./term-reader.ts";
export { openTokenReader } from "./token-reader.ts";
export { openVectorReader } from "./vector-reader.ts";
export type * from "./types.ts";
export { readSpool, spool } from "./spool.ts";
export { readSpooledChunks, spoolChunks } from "./writer-client.ts";
