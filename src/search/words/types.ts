/** What the lexical thread tells of itself. */
import type { IndexDamage } from "../vectors/index.ts";

/** What it has to say unasked. None of it changes an answer. */
export interface LexicalNotices {
  /** Told why an index could not be saved, once until it can. */
  readonly onBuildFailure: (reason: string) => void;
  /** Told what of a saved index cannot be used; it is taken from the store and saved anew. */
  readonly onDamage: (damage: IndexDamage) => void;
}

export interface LexicalStatistics {
  readonly openDatasets: number;
  /** Chunks in memory, dead ones among them. */
  readonly rows: number;
  /** Bytes that they take. */
  readonly bytes: number;
}
