/**
 * How many files, chunks and bytes datasets hold, and since when. The store keeps no sums of bytes, and reading every row for each listing
 * would be slow: what was summed up is remembered, and only what was stored since is read. Where something was deleted, all is read anew, in
 * slices, so that other requests get their turn.
 */
import { letOthersIn } from "../foundation/let-others-in.ts";
import type { Dataset, FileTotals, Store } from "../store/index.ts";

/** Rows read at one go: about a millisecond. */
const SLICE = 1000;
/** Datasets whose totals are remembered, some two hundred bytes each; what was asked for longest ago goes first. */
const MOST_REMEMBERED = 10_000;

const NOTHING: FileTotals = { files: 0, chunks: 0, bytes: 0, oldest: null, newest: null, throughRow: null };

export class DatasetTotals {
  /** In the order of use. */
  private readonly remembered = new Map<number, FileTotals>();
  /** Whoever asks for the same dataset meanwhile gets the same answer. */
  private readonly running = new Map<number, Promise<FileTotals>>();

  constructor(private readonly store: Pick<Store, "dataset" | "fileTotals">) {}

  /** What the files of a dataset come to. What is stored or deleted meanwhile may or may not be counted. */
  of(dataset: Dataset): Promise<FileTotals> {
    const running = this.running.get(dataset.id);
    if (running !== undefined) return running;
    const reading = this.read(dataset).finally(() => this.running.delete(dataset.id));
    this.running.set(dataset.id, reading);
    return reading;
  }

  private async read(dataset: Dataset): Promise<FileTotals> {
    const known = this.remembered.get(dataset.id) ?? NOTHING;
    let totals = await this.addNewer(dataset.id, known);
    // Rows only ascend, and what was counted can only have become less: where the numbers are equal, nothing was deleted.
    const isWhole = (): boolean => totals.files === this.store.dataset(dataset.customerId, dataset.name)?.fileCount;
    if (!isWhole() && known.files > 0) totals = await this.addNewer(dataset.id, NOTHING);
    this.remembered.delete(dataset.id);
    // The dataset's own number has files that are held back, too, which may come to stand among those that were counted.
    if (isWhole()) this.remembered.set(dataset.id, totals);
    for (const oldest of this.remembered.keys()) {
      if (this.remembered.size <= MOST_REMEMBERED) break;
      this.remembered.delete(oldest);
    }
    return totals;
  }

  private async addNewer(datasetId: number, known: FileTotals): Promise<FileTotals> {
    for (let totals = known; ; await letOthersIn()) {
      const slice = this.store.fileTotals(datasetId, totals.throughRow ?? 0, SLICE);
      totals = sumOf(totals, slice);
      if (slice.files < SLICE) return totals;
    }
  }
}

function sumOf(former: FileTotals, newer: FileTotals): FileTotals {
  return {
    files: former.files + newer.files,
    chunks: former.chunks + newer.chunks,
    bytes: former.bytes + newer.bytes,
    oldest: ofBoth(Math.min, former.oldest, newer.oldest),
    newest: ofBoth(Math.max, former.newest, newer.newest),
    throughRow: newer.throughRow ?? former.throughRow,
  };
}

function ofBoth(
  choose: (one: number, other: number) => number,
  one: number | null,
  other: number | null,
): number | null {
  return one === null || other === null ? (one ?? other) : choose(one, other);
}
