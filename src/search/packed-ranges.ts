/** Chunk ranges on their way to a Worker. Pure. */
import type { ChunkRange } from "../store/index.ts";

/** Ranges as one flat array, first and last in turn: ten thousand small objects take milliseconds to send to a Worker, this none. */
export function packRanges(ranges: readonly ChunkRange[]): Float64Array {
  const packed = new Float64Array(ranges.length * 2);
  ranges.forEach(({ first, last }, index) => {
    packed[index * 2] = first;
    packed[index * 2 + 1] = last;
  });
  return packed;
}

export function unpackRanges(packed: Float64Array): ChunkRange[] {
  return Array.from({ length: packed.length / 2 }, (_, index) => ({
    first: packed[index * 2]!,
    last: packed[index * 2 + 1]!,
  }));
}
