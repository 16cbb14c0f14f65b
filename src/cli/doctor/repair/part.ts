/** What a repair is made of: what it would do, what is lost, and what is moved. Made before anything is changed. */
import type { Move } from "../../../data-directory/moves.ts";

/** Something that was there and cannot be had back. */
export interface Loss {
  readonly kind: "file" | "customer" | "key" | "tokens" | "changes";
  /** Of the file, customer or key; null where there is none. */
  readonly id: string | null;
  /** What its owner calls it; null where that is not known. */
  readonly name: string | null;
  readonly sentence: string;
}

export interface Part {
  /** What is so and what is done about it, one sentence each. */
  readonly steps: readonly string[];
  readonly losses: readonly Loss[];
  readonly moves: readonly Move[];
}

/** "1 file", "2 files". */
export const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

/** With the full stop that what SQLite says lacks. */
export const ended = (sentence: string): string => (sentence.endsWith(".") ? sentence : `${sentence}.`);
