/**
 * The index of one dataset in memory: a matrix of all its vectors, which chunks its rows hold, which rows are dead,
 * and, once the dataset is large, an HNSW graph over the first `graphRows` rows. Newer rows are scanned.
 *
 * SQLite is the truth: an exact search confirms there, with the finer vectors that are stored, what it found here.
 */
import { dotProduct } from "../../foundation/dot-product.ts";
import { withoutRanges, type ChunkRange, type VectorReader } from "../../store/index.ts";
import type { Graph } from "./graph.ts";
import type { Steps } from "../slices.ts";
import type { Neighbour } from "../types.ts";
import type { Fellows } from "./sieve-together.ts";
import { VectorMatrix, type ScoredRow } from "./matrix.ts";
import { RowDirectory, type RowInterval } from "./row-directory.ts";

/** int8 order differs from exact order only among close scores: so many more than the wanted results are compared exactly. */
const CONFIRM_MORE = 16;

export class VectorIndex {
  readonly matrix: VectorMatrix;
  private readonly directory = new RowDirectory();
  private rowIds = new Float64Array(1024);
  private dead = new Uint8Array(1024);
  private deadRows = 0;
  private graph: Graph | null = null;
  private graphedRows = 0;
  private checkpointedRows = 0;

  constructor(dimensions: number, exactLimit: number, fellows?: Fellows) {
    this.matrix = new VectorMatrix(dimensions, exactLimit, fellows);
  }

  /** Rows that are not dead. */
  get liveRows(): number {
    return this.matrix.rows - this.deadRows;
  }

  /** Bytes of memory that it takes. */
  get bytes(): number {
    return this.matrix.bytes;
  }

  /** Rows that the graph holds, dead ones among them. */
  get graphRows(): number {
    return this.graphedRows;
  }

  /** Rows that the checkpoint on disk holds. */
  get savedRows(): number {
    return this.checkpointedRows;
  }

  /** Part of the rows that are dead, 0-1. */
  get deadShare(): number {
    return this.matrix.rows === 0 ? 0 : this.deadRows / this.matrix.rows;
  }

  /** Adds the vectors of consecutive chunks. Those that are here already are left as they are. */
  append(firstChunkId: number, vectors: readonly Float32Array[]): void {
    vectors.forEach((vector, index) => {
      const chunkId = firstChunkId + index;
      if (this.directory.rowOf(chunkId) >= 0) return;
      this.matrix.append(vector);
      this.record(chunkId, 1);
    });
  }

  /** Adds rows whose int8 vectors are at hand, as `VectorMatrix.appendQuantised` does; no chunk may be here already. */
  appendQuantised(chunkIds: Float64Array, fill: (row: Int8Array) => void): void {
    this.matrix.appendQuantised(chunkIds.length, fill);
    this.number(chunkIds);
  }

  /** Begins with the rows of a checkpoint, whose sketches the matrix has. */
  beginWith(chunkIds: Float64Array): void {
    this.number(chunkIds);
    this.checkpointedRows = chunkIds.length;
  }

  /** Marks chunks as gone. Chunks that are not here are ignored. */
  remove(ranges: Iterable<ChunkRange>): void {
    for (const { start, end } of this.directory.rowsWithin(ranges)) this.setDead(start, end);
  }

  /** Marks every row as gone whose chunk lies in none of `ranges`, and returns the ranges' chunks that have no row, as ranges. */
  reconcile(ranges: readonly ChunkRange[]): ChunkRange[] {
    const alive = new Uint8Array(this.matrix.rows);
    for (const { start, end } of this.directory.rowsWithin(ranges)) alive.fill(1, start, end);
    for (let row = 0; row < alive.length; row++) if (!alive[row]) this.setDead(row, row + 1);

    return withoutRanges(ranges, this.directory.held());
  }

  /** Chunk ids of the live rows from `firstRow` on, in row order. */
  liveChunkIds(firstRow: number): Float64Array {
    const ids = new Float64Array(this.matrix.rows - firstRow);
    let count = 0;
    for (let row = firstRow; row < this.matrix.rows; row++) if (!this.dead[row]) ids[count++] = this.rowIds[row]!;
    return ids.slice(0, count);
  }

  /** The number of the row behind the chunk's, or 0 when the chunk is not here. */
  rowAfter(chunkId: number): number {
    return this.directory.rowOf(chunkId) + 1;
  }

  /** A copy without the dead rows and without a graph. */
  compacted(): VectorIndex {
    const copy = new VectorIndex(this.matrix.dimensions, this.matrix.exactLimit, this.matrix.fellows);
    const chunkIds = this.liveChunkIds(0);
    let next = 0;
    copy.appendQuantised(chunkIds, (row) => row.set(this.matrix.row(this.directory.rowOf(chunkIds[next++]!))));
    return copy;
  }

  /** The checkpoint on disk reaches to this row. */
  markSaved(rows: number): void {
    this.checkpointedRows = rows;
  }

  /** Searches the first `rows` rows through `graph` from now on. */
  attachGraph(graph: Graph, rows: number): void {
    this.graph = graph;
    this.graphedRows = rows;
  }

  /**
   * The `count` nearest live chunks, nearest first; all there are when there are fewer. `within` restricts the search
   * beforehand, to chunks in these ranges. With a reader, cosines and order are exact and every chunk is still stored; without,
   * cosines are those of the int8 vectors. Yields between slices of about a millisecond.
   *
   * The graph serves unrestricted searches. Where it finds too few, because what lies near has been deleted, and for
   * every restricted search, the rows themselves are compared.
   */
  *search(
    vector: Float32Array,
    count: number,
    within: readonly ChunkRange[] | null,
    reader: VectorReader | null,
  ): Steps<Neighbour[]> {
    const query = this.matrix.quantise(vector);
    const wanted = reader ? count + CONFIRM_MORE : count;
    const toNeighbours = (candidates: readonly ScoredRow[]): Neighbour[] =>
      reader
        ? this.confirm(vector, candidates, count, reader)
        : candidates.map(({ row, score }) => ({ chunkId: this.rowIds[row]!, similarity: score }));
    const intervals = within === null ? [{ start: 0, end: this.matrix.rows }] : this.directory.rowsWithin(within);
    if (this.graph && within === null) {
      const tail: RowInterval[] = [{ start: this.graphedRows, end: this.matrix.rows }];
      const candidates = [
        ...this.graphCandidates(this.graph, query, wanted),
        ...(yield* this.matrix.nearest(query, tail, this.dead, wanted)),
      ];
      candidates.sort((left, right) => right.score - left.score);
      const found = toNeighbours(candidates.slice(0, wanted));
      if (found.length >= Math.min(count, this.liveRows)) return found;
    }
    return toNeighbours(yield* this.matrix.nearest(query, intervals, this.dead, wanted));
  }

  /** Cosines of the int8 vectors of given chunks, in order; NaN for a chunk that is not here or dead. */
  similarities(vector: Float32Array, chunkIds: readonly number[]): Float64Array {
    const rows = chunkIds.map((chunkId) => this.directory.rowOf(chunkId));
    const present = rows.filter((row) => row >= 0);
    const cosines = this.matrix.cosinesOf(this.matrix.quantise(vector), present, this.dead);
    let next = 0;
    return Float64Array.from(rows, (row) => (row >= 0 ? cosines[next++]! : NaN));
  }

  private graphCandidates(graph: Graph, query: Int8Array, wanted: number): ScoredRow[] {
    const { chunkIds, cosines } = graph.search(query.subarray(0, this.matrix.dimensions), wanted);
    const rows = chunkIds.map((chunkId, index) => ({ row: this.directory.rowOf(chunkId), score: cosines[index]! }));
    // Rows behind the graph's are compared one by one: none may come from both.
    return rows.filter(({ row }) => row >= 0 && row < this.graphedRows && !this.dead[row]);
  }

  /** Exact cosines from SQLite, which no longer knows deleted chunks. */
  private confirm(
    vector: Float32Array,
    candidates: readonly ScoredRow[],
    count: number,
    reader: VectorReader,
  ): Neighbour[] {
    const neighbours: Neighbour[] = [];
    const target = new Float32Array(vector.length);
    for (const { row } of candidates) {
      const chunkId = this.rowIds[row]!;
      const stored = reader.vector(chunkId, target);
      if (stored) neighbours.push({ chunkId, similarity: dotProduct(vector, stored) });
    }
    return neighbours
      .sort((left, right) => right.similarity - left.similarity || left.chunkId - right.chunkId)
      .slice(0, count);
  }

  /** Says which chunks the last rows of the matrix hold. */
  private number(chunkIds: Float64Array): void {
    const first = this.matrix.rows - chunkIds.length;
    this.growTo(this.matrix.rows);
    this.rowIds.set(chunkIds, first);
    for (let index = 0; index < chunkIds.length; ) {
      let end = index + 1;
      while (end < chunkIds.length && chunkIds[end] === chunkIds[end - 1]! + 1) end++;
      this.directory.add(chunkIds[index]!, end - index, first + index);
      index = end;
    }
  }

  private record(chunkId: number, count: number): void {
    const row = this.matrix.rows - count;
    this.growTo(this.matrix.rows);
    this.rowIds[row] = chunkId;
    this.directory.add(chunkId, count, row);
  }

  private setDead(start: number, end: number): void {
    for (let row = start; row < end; row++) {
      this.deadRows += 1 - this.dead[row]!;
      this.dead[row] = 1;
    }
  }

  private growTo(rows: number): void {
    if (this.rowIds.length >= rows) return;
    const capacity = Math.max(rows, Math.ceil(this.rowIds.length * 1.5));
    const ids = new Float64Array(capacity);
    ids.set(this.rowIds);
    this.rowIds = ids;
    const dead = new Uint8Array(capacity);
    dead.set(this.dead);
    this.dead = dead;
  }
}
