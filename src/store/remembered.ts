/** What was found out about datasets and is kept as long as there is room: what was not used longest goes first. */

interface Entry<Value> {
  readonly datasetId: number;
  readonly value: Value;
  readonly cost: number;
}

/** Counted for an entry besides its own cost, so that a million empty ones are not free. */
const ENTRY_COST = 16;

export class Remembered<Value> {
  // In the order of use: a Map iterates in the order of insertion, and every use inserts anew.
  private readonly entries = new Map<string, Entry<Value>>();
  private cost = 0;

  constructor(private readonly most: number) {}

  get(name: string): Value | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    this.entries.delete(name);
    this.entries.set(name, entry);
    return entry.value;
  }

  set(name: string, datasetId: number, value: Value, cost: number): void {
    this.drop(name);
    this.entries.set(name, { datasetId, value, cost: cost + ENTRY_COST });
    this.cost += cost + ENTRY_COST;
    for (const oldest of this.entries.keys()) {
      if (this.cost <= this.most) break;
      this.drop(oldest);
    }
  }

  forget(datasetId: number): void {
    for (const [name, entry] of this.entries) if (entry.datasetId === datasetId) this.drop(name);
  }

  private drop(name: string): void {
    this.cost -= this.entries.get(name)?.cost ?? 0;
    this.entries.delete(name);
  }
}
