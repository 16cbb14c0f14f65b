/**
 * What a client knows of its requests, and what must therefore be so after a kill. Pure.
 *
 * Every request has a span from just before it was sent to just after its answer; of one that was not answered, nothing
 * is known but its beginning. Two requests whose spans overlap may have happened in either order.
 */

/** Milliseconds of one clock. `ended` is null where no answer came. */
export interface Span {
  readonly began: number;
  ended: number | null;
}

export interface Uploaded extends Span {
  /** Stands in this file's name and text alone. */
  readonly word: string;
  readonly sha256: string;
  readonly customerId: string;
  readonly datasetId: string;
  /** The same for all files of one request. */
  readonly request: number;
  outcome: "stored" | "refused" | "unanswered";
  /** Known where it is stored. */
  fileId: string | null;
  /** The deletion of this file alone; a refused one is none. */
  deletion: Span | null;
}

/** Of a dataset's files, or of everything that a customer has. */
export interface BulkDeletion extends Span {
  readonly customerId: string;
  readonly datasetId: string | null;
}

export type Fate = "there" | "gone" | "either";

/** What must be found of a file. */
export function fateOf(file: Uploaded, bulks: readonly BulkDeletion[]): Fate {
  if (file.outcome === "refused") return "gone";
  if (file.outcome === "unanswered") return "either";
  const deletions = bulks.filter((bulk) => concerns(bulk, file)).map((bulk): Span => bulk);
  const fates = [...deletions, ...(file.deletion === null ? [] : [file.deletion])].map((deletion): Fate => {
    if (deletion.ended !== null && deletion.ended <= file.began) return "there";
    return deletion.ended !== null && file.ended! <= deletion.began ? "gone" : "either";
  });
  return fates.includes("gone") ? "gone" : fates.includes("either") ? "either" : "there";
}

/** Whether a file that is not there may have been stored, and paid, and then deleted with others. */
export function mayHaveBeenDeleted(file: Uploaded, bulks: readonly BulkDeletion[]): boolean {
  return bulks.some((bulk) => concerns(bulk, file) && (bulk.ended === null || bulk.ended > file.began));
}

function concerns(bulk: BulkDeletion, file: Uploaded): boolean {
  return bulk.customerId === file.customerId && (bulk.datasetId === null || bulk.datasetId === file.datasetId);
}

/** A balance is known up to what was not answered. Thousandths. */
export class Account {
  private low: number;
  private high: number;

  constructor(balance: number) {
    this.low = this.high = balance;
  }

  /** What was answered, or is seen to have been done. Negative for a price. */
  book(amount: number): void {
    this.low += amount;
    this.high += amount;
  }

  /** What may have been done or not. */
  bookMaybe(amount: number): void {
    if (amount < 0) this.low += amount;
    else this.high += amount;
  }

  allows(balance: number): boolean {
    return balance >= this.low && balance <= this.high;
  }

  /** Takes what is so for what is known. */
  settle(balance: number): void {
    this.low = this.high = balance;
  }

  toString(): string {
    return this.low === this.high ? `${this.low}` : `${this.low} to ${this.high}`;
  }
}
