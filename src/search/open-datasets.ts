/** The indexes that are in memory: opened when first needed, the least recently used let go when they are too many or take too much. */
import { MemoryLedger } from "./memory-ledger.ts";

export interface Room {
  /** Datasets, those of other threads included. */
  readonly most: number;
  /** Bytes of all of them together. One that takes more by itself stays while it is in use. */
  readonly bytes: number;
  /** What others take; nobody, where it is not given. */
  readonly ledger?: MemoryLedger;
}

/** Whether others took what was left is looked at so often. */
const LOOK_MILLISECONDS = 1000;
/** The last one is let go for others when nobody has used it for so long. */
const IDLE_MILLISECONDS = 10_000;

export class OpenDatasets<Index extends { readonly bytes: number }> {
  /** Least recently used first. */
  private readonly indexes = new Map<number, Promise<Index>>();
  /** Those among them that are open. */
  private readonly opened = new Map<number, Index>();
  private readonly ledger: MemoryLedger;
  private readonly looking: Timer;
  private usedAt = 0;

  /** `open` reads a dataset's index; a failure is told to whoever waits, and the next use tries again. */
  constructor(
    private readonly room: Room,
    private readonly open: (datasetId: number) => Promise<Index>,
  ) {
    this.ledger = room.ledger ?? new MemoryLedger();
    this.looking = setInterval(() => this.makeRoom(), LOOK_MILLISECONDS);
    this.looking.unref();
  }

  /** Looks no more at what others take. */
  close(): void {
    clearInterval(this.looking);
  }

  /** Whether those that are open take all the memory that they may. */
  get isFull(): boolean {
    this.note();
    return this.ledger.bytes >= this.room.bytes;
  }

  /** The dataset's index, opened when it is not in memory. */
  use(datasetId: number): Promise<Index> {
    this.usedAt = performance.now();
    const present = this.indexes.get(datasetId);
    if (present) {
      this.indexes.delete(datasetId);
      this.indexes.set(datasetId, present);
      return present;
    }
    const opening: Promise<Index> = this.open(datasetId).then(
      (index) => {
        if (this.indexes.get(datasetId) === opening) this.opened.set(datasetId, index);
        this.makeRoom();
        return index;
      },
      (error: unknown) => {
        if (this.indexes.get(datasetId) === opening) this.indexes.delete(datasetId);
        throw error;
      },
    );
    this.indexes.set(datasetId, opening);
    this.makeRoom();
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

  /** Whether this is the dataset's open index. */
  has(datasetId: number, index: Index): boolean {
    return this.opened.get(datasetId) === index;
  }

  replace(datasetId: number, index: Index): void {
    this.indexes.set(datasetId, Promise.resolve(index));
    this.opened.set(datasetId, index);
    this.note();
  }

  letGo(datasetId: number): void {
    this.indexes.delete(datasetId);
    this.opened.delete(datasetId);
    this.note();
  }

  all(): Promise<Index[]> {
    return Promise.all(this.indexes.values());
  }

  /** Lets go of the least recently used as long as there are too many, or they take too much; of the last only for others, and when it is idle. */
  makeRoom(): void {
    this.note();
    for (const leastUsed of this.indexes.keys()) {
      const { datasets, bytes, isShared } = this.ledger;
      if (datasets <= this.room.most && bytes <= this.room.bytes) return;
      const isIdle = this.opened.has(leastUsed) && performance.now() - this.usedAt > IDLE_MILLISECONDS;
      if (this.indexes.size === 1 && !(isIdle && isShared)) return;
      this.letGo(leastUsed);
    }
  }

  private note(): void {
    const bytes = this.opened.values().reduce((sum, index) => sum + index.bytes, 0);
    this.ledger.note(bytes, this.indexes.size);
  }
}
