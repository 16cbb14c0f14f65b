/** Brings a dataset's inverted index into memory, and keeps it in step with what SQLite holds. */
import { letOthersIn } from "../../foundation/let-others-in.ts";
import { TermCounts, type ChunkRange, type TermReader } from "../../store/index.ts";
import { WordIndex } from "./word-index.ts";
import type { SavedSegments } from "./saved-segments.ts";
import { SEGMENT_ROWS, type Segment } from "./segment.ts";

/** Chunks read between two pauses: a few milliseconds. */
const PAGE_CHUNKS = 1024;

/**
 * A dataset's index: from its saved segments as far as they reach, from SQLite for the rest. What is deleted while this runs must be
 * removed from the result.
 */
export async function openWordIndex(
  datasetId: number,
  reader: TermReader,
  saved: SavedSegments,
  onDamage: (reason: string) => void,
): Promise<WordIndex> {
  const segments: Segment[] = [];
  for (const segment of saved.load(onDamage)) {
    segments.push(segment);
    await letOthersIn();
  }
  const index = new WordIndex();
  let chunkIds: number[] = [];
  const contents = new TermCounts();
  for (const range of index.beginWith(segments, reader.ranges(datasetId))) {
    for (let after = range.first - 1; after < range.last; ) {
      const limit = Math.min(PAGE_CHUNKS, SEGMENT_ROWS - chunkIds.length);
      const read = reader.read({ first: after + 1, last: range.last }, limit, contents);
      for (const chunkId of read) chunkIds.push(chunkId);
      after = read.length < limit ? range.last : read.at(-1)!;
      if (chunkIds.length >= SEGMENT_ROWS) {
        index.append(chunkIds, contents);
        chunkIds = [];
        contents.clear();
      }
      if (read.length === limit) await letOthersIn();
    }
  }
  index.append(chunkIds, contents);
  return index;
}

/** Takes in the chunks of a range that are not in the index yet and that SQLite still holds. */
export async function addFromStore(index: WordIndex, range: ChunkRange, reader: TermReader): Promise<void> {
  for (const { first, last } of index.missing(range)) {
    for (let after = first - 1; after < last; ) {
      // Read and added at one go: a deletion is either seen here or told to the index afterwards.
      const contents = new TermCounts();
      const read = reader.read({ first: after + 1, last }, PAGE_CHUNKS, contents);
      index.append(read, contents);
      if (read.length < PAGE_CHUNKS) break;
      after = read.at(-1)!;
      await letOthersIn();
    }
  }
}
