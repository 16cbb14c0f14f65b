/** What is told unasked of the vectors of many datasets: each thing once, until it is mended. */
import type { SearchNotices } from "../types.ts";
import type { SavedVectors } from "./saved-vectors.ts";

export class VectorNotes {
  /** Whose damage was told. null: of all. */
  private readonly damaged = new Set<number | null>();
  private readonly large = new Set<number>();

  constructor(private readonly notices: Pick<SearchNotices, "onDamage" | "onTooLarge">) {}

  /** null: of all datasets. */
  damage(datasetId: number | null, reason: string): void {
    if (this.damaged.has(datasetId) || this.damaged.has(null)) return;
    this.damaged.add(datasetId);
    this.notices.onDamage({ datasetId, reason });
  }

  mended(datasetId: number): void {
    for (const told of [datasetId, null]) this.damaged.delete(told);
  }

  /** Tells of a dataset that is not in memory as a whole. */
  size(datasetId: number, { rows, resident }: SavedVectors): void {
    if (resident.rows === rows || this.large.has(datasetId)) return;
    this.large.add(datasetId);
    this.notices.onTooLarge({ datasetId, chunks: rows, outside: rows - resident.rows });
  }
}
