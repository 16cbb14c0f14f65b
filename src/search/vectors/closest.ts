/**
 * Keeps the closest `wanted` of a stream of rows with small whole-number distances, those as far as the last of them
 * included: counting instead of sorting, so that each row costs the same however many are wanted. Pure.
 */
export class Closest {
  private rows = new Uint32Array(4096);
  private distances = new Uint16Array(4096);
  private size = 0;
  /** How many of the rows kept lie at each distance. */
  private readonly counts: Uint32Array;
  /** Rows kept below `bound`. */
  private below = 0;
  private bound: number;

  /** `farthest`: the largest distance that is of use, at most 65,535. */
  constructor(
    private readonly wanted: number,
    farthest: number,
  ) {
    this.bound = farthest + 1;
    this.counts = new Uint32Array(farthest + 1);
  }

  /** Rows at this distance or farther are of no use any more. */
  get limit(): number {
    return this.bound;
  }

  offer(row: number, distance: number): void {
    if (distance >= this.bound) return;
    if (this.size === this.rows.length) this.makeRoom();
    this.rows[this.size] = row;
    this.distances[this.size++] = distance;
    this.counts[distance]!++;
    this.below++;
    while (this.below - this.counts[this.bound - 1]! >= this.wanted) this.below -= this.counts[--this.bound]!;
  }

  /** The rows kept and their distances, in the order in which they were offered. */
  kept(): { rows: Uint32Array; distances: Uint16Array } {
    this.dropFar();
    return { rows: this.rows.slice(0, this.size), distances: this.distances.slice(0, this.size) };
  }

  private makeRoom(): void {
    this.dropFar();
    if (this.size < this.rows.length / 2) return;
    const rows = new Uint32Array(this.rows.length * 2);
    rows.set(this.rows);
    const distances = new Uint16Array(rows.length);
    distances.set(this.distances);
    this.rows = rows;
    this.distances = distances;
  }

  private dropFar(): void {
    let kept = 0;
    for (let index = 0; index < this.size; index++) {
      if (this.distances[index]! >= this.bound) continue;
      this.rows[kept] = this.rows[index]!;
      this.distances[kept++] = this.distances[index]!;
    }
    this.size = kept;
  }
}
