/** What the measurement has made so far: customers with their keys, files, deletions, and the faults it has seen. */
import type { Client } from "../client.ts";
import type { Random } from "../random.ts";
import { fateOf, type Account, type BulkDeletion, type Uploaded } from "./ledger.ts";

export const DATASETS = ["bench", "tide"] as const;

export interface Key {
  readonly keyId: string;
  readonly client: Client;
}

export interface Customer {
  readonly customerId: string;
  readonly account: Account;
  /** Whether it comes and goes; the others stay. */
  readonly isGuest: boolean;
  /** Those that work; the last is the one in use. */
  keys: Key[];
  state: "there" | "being removed" | "removed";
}

/** Each a sentence's subject in the report. */
export const FAULTS = [
  "lost",
  "back",
  "ghosts",
  "half there",
  "wrong balances",
  "left in staging",
  "wrong keys or customers",
  "found by doctor",
  "failed commands",
  "hangs",
] as const;
export type Fault = (typeof FAULTS)[number];

const SHOWN = 40;

export class World {
  readonly customers = new Map<string, Customer>();
  files: Uploaded[] = [];
  bulks: BulkDeletion[] = [];
  /** Ids of files that are surely gone, and whose they were. */
  readonly deleted: { fileId: string; customerId: string }[] = [];
  readonly revoked: Client[] = [];
  /** Clients that send frontend tokens. */
  tokens: { customerId: string; client: Client }[] = [];
  readonly faults = new Map<Fault, number>(FAULTS.map((fault) => [fault, 0]));
  private shown = 0;
  private made = 0;

  constructor(readonly random: Random) {}

  /** A number that is used once. */
  next(): number {
    return ++this.made;
  }

  blame(fault: Fault, sentence: string): void {
    this.faults.set(fault, this.faults.get(fault)! + 1);
    if (++this.shown <= SHOWN) console.log(`  ${fault}: ${sentence}`);
  }

  /** Customers whom no removal has begun for and who have a key. */
  active(): Customer[] {
    return [...this.customers.values()].filter(({ state, keys }) => state === "there" && keys.length > 0);
  }

  stored(): Uploaded[] {
    return this.files.filter(
      (file) => file.fileId !== null && file.deletion === null && fateOf(file, this.bulks) === "there",
    );
  }
}

/** The client of a customer's newest key. */
export const clientOf = (customer: Customer): Client => customer.keys.at(-1)!.client;
