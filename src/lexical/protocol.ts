/** What the main thread asks the lexical Worker. Ranges travel packed. */
import type { LexicalIndexOptions, LexicalQuestion } from "./index.ts";

export type LexicalRequest =
  | { readonly type: "open"; readonly options: LexicalIndexOptions }
  | {
      readonly type: "search";
      readonly datasetId: number;
      readonly question: LexicalQuestion;
      readonly count: number;
      readonly within: Float64Array | null;
    }
  | {
      readonly type: "scores";
      readonly datasetId: number;
      readonly question: LexicalQuestion;
      readonly chunkIds: readonly number[];
    }
  | { readonly type: "add"; readonly datasetId: number; readonly range: Float64Array }
  | { readonly type: "remove"; readonly datasetId: number; readonly ranges: Float64Array }
  | { readonly type: "warm"; readonly datasetId: number }
  | { readonly type: "statistics" }
  | { readonly type: "close" };

export interface LexicalStatistics {
  readonly openDatasets: number;
  /** Chunks in memory, dead ones among them. */
  readonly rows: number;
  /** Bytes that they take. */
  readonly bytes: number;
}
