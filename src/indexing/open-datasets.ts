/** The indexes that are in memory: opened when first needed, the least recently used let go when there are too many. */
export class OpenDatasets<Index> {
  /** Least recently used first. */
  private readonly indexes = new Map<number, Promise<Index>>();

  /** `open` reads a dataset's index; a failure is told to whoever waits, and the next use tries again. */
  constructor(
    private readonly most: number,
    private readonly open: (datasetId: number) => Promise<Index>,
  ) {}

  /** The dataset's index, opened when it is not in memory. */
  use(datasetId: number): Promise<Index> {
    const present = this.indexes.get(datasetId);
    if (present) {
      this.indexes.delete(datasetId);
      this.indexes.set(datasetId, present);
      return present;
    }
    const opening: Promise<Index> = this.open(datasetId).catch((error: unknown) => {
      if (this.indexes.get(datasetId) === opening) this.indexes.delete(datasetId);
      throw error;
    });
    this.indexes.set(datasetId, opening);
    for (const leastUsed of this.indexes.keys()) {
      if (this.indexes.size <= this.most) break;
      this.indexes.delete(leastUsed);
    }
    return opening;
  }

  /** The dataset's index if it is in memory or being opened: once it is open, and not one that was replaced while it was waited for. */
  async current(datasetId: number): Promise<Index | undefined> {
    for (;;) {
      const present = this.indexes.get(datasetId);
      const index = await present;
      if (this.indexes.get(datasetId) === present) return index;
    }
  }

  replace(datasetId: number, index: Index): void {
    this.indexes.set(datasetId, Promise.resolve(index));
  }

  letGo(datasetId: number): void {
    this.indexes.delete(datasetId);
  }

  all(): Promise<Index[]> {
    return Promise.all(this.indexes.values());
  }
}
