/** What the indexes of all search threads take together: each notes its own where all can read it. */

/** Numbers of one thread: bytes and datasets. */
const NUMBERS = 2;

export class MemoryLedger {
  /** Memory for the notes of so many threads, which all share. */
  static shared(threads: number): Float64Array {
    return new Float64Array(new SharedArrayBuffer(8 * NUMBERS * threads));
  }

  /** `notes`: as `shared` makes them. `own`: which this thread's are. */
  constructor(
    private readonly notes: Float64Array = MemoryLedger.shared(1),
    private readonly own = 0,
  ) {}

  /** What this thread's indexes take from now on. */
  note(bytes: number, datasets: number): void {
    this.notes.set([bytes, datasets], this.own * NUMBERS);
  }

  /** Bytes of all threads' indexes. */
  get bytes(): number {
    return this.sum(0);
  }

  /** Datasets that all threads have in memory. */
  get datasets(): number {
    return this.sum(1);
  }

  /** Whether another thread has any. */
  get isShared(): boolean {
    return this.datasets > this.notes[this.own * NUMBERS + 1]!;
  }

  private sum(number: number): number {
    return this.notes.reduce((sum, value, at) => (at % NUMBERS === number ? sum + value : sum), 0);
  }
}
