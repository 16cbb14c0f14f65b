/** Keeps the best `limit` of a stream of scored rows: a binary min-heap over two flat arrays. Pure. */
export class Best {
  private readonly rows: Uint32Array;
  private readonly scores: Float64Array;
  private size = 0;

  constructor(private readonly limit: number) {
    this.rows = new Uint32Array(limit);
    this.scores = new Float64Array(limit);
  }

  /** An offer at or below this score changes nothing. */
  get threshold(): number {
    return this.size < this.limit ? -Infinity : this.scores[0]!;
  }

  offer(row: number, score: number): void {
    if (this.size < this.limit) {
      this.siftUp(this.size++, row, score);
    } else if (score > this.scores[0]!) {
      this.siftDown(row, score);
    }
  }

  /** Everything kept, best first; equal scores in row order. */
  ranked(): { row: number; score: number }[] {
    return Array.from({ length: this.size }, (_, index) => ({
      row: this.rows[index]!,
      score: this.scores[index]!,
    })).sort((left, right) => right.score - left.score || left.row - right.row);
  }

  private siftUp(hole: number, row: number, score: number): void {
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (this.scores[parent]! <= score) break;
      this.move(parent, hole);
      hole = parent;
    }
    this.rows[hole] = row;
    this.scores[hole] = score;
  }

  private siftDown(row: number, score: number): void {
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.scores[child + 1]! < this.scores[child]!) child++;
      if (this.scores[child]! >= score) break;
      this.move(child, hole);
      hole = child;
    }
    this.rows[hole] = row;
    this.scores[hole] = score;
  }

  private move(from: number, to: number): void {
    this.rows[to] = this.rows[from]!;
    this.scores[to] = this.scores[from]!;
  }
}
