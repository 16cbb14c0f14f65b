/** What the main thread and the embedding Worker say to each other. */

import type { EmbeddingPriority, TextKind } from "./index.ts";
import type { IdLists } from "../id-lists.ts";

export type ToWorker =
  | { readonly type: "open"; readonly modelDirectory: string | null; readonly threads: number }
  | {
      readonly type: "embed";
      readonly id: number;
      readonly texts: readonly string[];
      readonly kind: TextKind;
      readonly priority: EmbeddingPriority;
      /** Whether the lexical terms are wanted beside the vectors. */
      readonly withTerms: boolean;
    }
  /** The lexical terms alone. */
  | { readonly type: "terms"; readonly id: number; readonly texts: readonly string[] }
  | { readonly type: "close" };

export type FromWorker =
  | { readonly type: "opened" }
  | { readonly type: "refused"; readonly reason: string }
  /** The vectors of one request laid end to end; buffers are transferred, not copied. */
  | {
      readonly type: "embedded";
      readonly id: number;
      readonly vectors: Float32Array;
      readonly terms: IdLists | null;
      readonly importance: Float32Array | null;
    }
  | { readonly type: "read"; readonly id: number; readonly terms: IdLists }
  | { readonly type: "failed"; readonly id: number; readonly reason: string }
  /** Everything running has been answered and the model is released; the Worker may be terminated. */
  | { readonly type: "closed" };
