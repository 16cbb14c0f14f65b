/** How much memory the indexes of all search threads take together: each notes its own where all can read it. */
export class MemoryLedger {
  /** `notes`: one number for each thread, in memory that they share. `own`: which is this thread's. */
  constructor(
    private readonly notes: Float64Array = new Float64Array(1),
    private readonly own = 0,
  ) {}

  note(bytes: number): void {
    this.notes[this.own] = bytes;
  }

  /** Bytes. */
  get total(): number {
    return this.notes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Bytes that other threads' indexes take. */
  get others(): number {
    return this.total - this.notes[this.own]!;
  }
}
