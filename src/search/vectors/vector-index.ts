/**
 * The index of one dataset in memory: a matrix of all its vectors, which chunks its rows hold, which rows are dead,
 * and, once the dataset is large, an HNSW graph over the first `graphRows` rows. Newer rows are scanned.
 *
 * SQLite is the truth: what is found here is looked up there by whoever searches, and may be gone.
 */
import { withoutRanges, type ChunkRange, type VectorReader } from "../../store/index.ts";
import type { Graph } from "./graph.ts";
import type { Steps } from "../slices.ts";
import type { Neighbour } from "../types.ts";
import type { Fellows } from "./sieve-together.ts";
import { VectorMatrix, type ScoredRow } from "./matrix.ts";
import { RowDirectory, type RowInterval } from "./row-directory.ts";

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

  /** Adds the int8 vectors of chunks. Those that are here already are left as they are. */
  append(chunkIds: readonly number[], vectors: readonly Int8Array[]): void {
    const isNew = chunkIds.map((chunkId) => this.directory.rowOf(chunkId) < 0);
    this.matrix.append(vectors.filter((_, at) => isNew[at]));
    this.number(Float64Array.from(chunkIds.filter((_, at) => isNew[at])));
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

  /** A copy without the dead rows and without a graph. A chunk that is no longer stored is left out. */
  compacted(reader: VectorReader): VectorIndex {
    const copy = new VectorIndex(this.matrix.dimensions, this.matrix.exactLimit, this.matrix.fellows);
    const live = this.liveChunkIds(0);
    const chunkIds: number[] = [];
    const vectors: Int8Array[] = [];
    reader.read(live, (at, vector) => {
      chunkIds.push(live[at]!);
      vectors.push(vector);
    });
    copy.append(chunkIds, vectors);
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
   * beforehand, to chunks in these ranges. Yields between slices of about a millisecond.
   *
   * The graph serves unrestricted searches. Where it finds too few, because what lies near has been deleted, and for
   * every restricted search, the rows themselves are compared.
   */
  *search(vector: Float32Array, count: number, within: readonly ChunkRange[] | null): Steps<Neighbour[]> {
    const query = this.matrix.quantise(vector);
    if (this.graph && within === null) {
      const tail: RowInterval[] = [{ start: this.graphedRows, end: this.matrix.rows }];
      const found = [
        ...this.nearestInGraph(this.graph, query, count),
        ...(yield* this.matrix.nearest(query, tail, this.dead, count)),
      ];
      found.sort((left, right) => right.score - left.score);
      if (found.length >= Math.min(count, this.liveRows)) return this.toNeighbours(found.slice(0, count));
    }
    const intervals = within === null ? [{ start: 0, end: this.matrix.rows }] : this.directory.rowsWithin(within);
    return this.toNeighbours(yield* this.matrix.nearest(query, intervals, this.dead, count));
  }

  /** Cosines of the int8 vectors of given chunks, in order; NaN for a chunk that is not here or dead. */
  similarities(vector: Float32Array, chunkIds: readonly number[]): Float64Array {
    const rows = chunkIds.map((chunkId) => this.directory.rowOf(chunkId));
    const present = rows.filter((row) => row >= 0);
    const cosines = this.matrix.cosinesOf(this.matrix.quantise(vector), present, this.dead);
    let next = 0;
    return Float64Array.from(rows, (row) => (row >= 0 ? cosines[next++]! : NaN));
  }

  /** With the cosines that comparing the rows themselves gives: the graph's are less precise. */
  private nearestInGraph(graph: Graph, query: Int8Array, wanted: number): ScoredRow[] {
    const rows = graph
      .search(query.subarray(0, this.matrix.dimensions), wanted)
      .map((chunkId) => this.directory.rowOf(chunkId))
      // Rows behind the graph's are compared one by one: none may come from both.
      .filter((row) => row >= 0 && row < this.graphedRows && !this.dead[row]);
    const cosines = this.matrix.cosinesOf(query, rows, this.dead);
    return rows.map((row, at) => ({ row, score: cosines[at]! })).filter(({ score }) => !Number.isNaN(score));
  }

  private toNeighbours(rows: readonly ScoredRow[]): Neighbour[] {
    return rows.map(({ row, score }) => ({ chunkId: this.rowIds[row]!, similarity: score }));
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
